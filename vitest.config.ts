import { defineConfig } from 'vitest/config'

/** Tests lie beside the code they test; each room is a project, so that `vitest --project server` runs one. */
const room = (name: string, folder: string) => ({
  test: {
    name,
    root: folder,
    include: ['**/*.test.ts'],
    environment: 'node' as const,
    // Types, the build and other tests run beside these, on two cores perhaps.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      room('contract', 'contract'),
      room('server', 'server'),
      room('web', 'web'),
      room('scripts', 'scripts'),
    ],
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests lie beside the code they test; each room is a project, so that `vitest --project server` runs one. */
const room = (name: string, folder: string) => ({
  test: {
    name,
    root: folder,
    include: ['**/*.test.ts'],
    environment: 'node' as const,
    // Far from UTC, and not by whole hours: what reads a time in the wrong zone is seen.
    env: { TZ: 'Asia/Kathmandu' },
    // Types, the build and other tests run beside these, on two cores perhaps.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
})

/** The tests of the server run on both databases, except those that are about one of them. */
const server = room('server', 'server').test
const onSqlite = { test: { ...server, exclude: ['**/*.postgres.test.ts'] } }
const onPostgres = {
  test: {
    ...server,
    name: 'server-postgres',
    globalSetup: [fileURLToPath(new URL('server/src/testing/run-postgres.ts', import.meta.url))],
    exclude: [
      '**/*.sqlite.test.ts',
      // No database is in them.
      'src/config.test.ts',
      'src/items/html.test.ts',
      'src/http/address.test.ts',
      'src/http/closing.test.ts',
      'src/metadata/addresses.test.ts',
      'src/metadata/charset.test.ts',
      'src/metadata/connection.test.ts',
      'src/metadata/extraction.test.ts',
      'src/metadata/fetch-page.test.ts',
      'src/metadata/hosts.test.ts',
      'src/metadata/page-readers.test.ts',
      'src/metadata/read-page.test.ts',
      'src/metadata/turns.test.ts',
      'src/api-docs/api-docs.test.ts',
      'src/search/entries.test.ts',
      'src/search/excerpt.test.ts',
      'src/search/query.test.ts',
      'src/search/spelling.test.ts',
      'src/search/words.test.ts',
      'src/testing/statements.test.ts',
      // The process with its files and folders: SQLite's.
      'src/main.test.ts',
      // Its tables are spread in a run of their own.
      'src/testing/partitions.postgres.test.ts',
    ],
  },
}

/**
 * The calls once more on a PostgreSQL whose tables are spread by owner_id, as Citus spreads them over machines
 * (docs/scale.md): every key holds the owner, every statement stays within one partition.
 */
const onPartitions = {
  test: {
    ...onPostgres.test,
    name: 'server-partitioned',
    provide: { partitions: 8 },
    include: [
      'src/accounts/accounts.test.ts',
      'src/accounts/passwords.test.ts',
      'src/items/*.test.ts',
      'src/limits/*.test.ts',
      'src/search/{forms,operators,rescue,search}.test.ts',
      'src/tags/*.test.ts',
      'src/testing/every-call.test.ts',
      'src/testing/isolation.test.ts',
      'src/testing/partitions.postgres.test.ts',
      'src/testing/two-servers.postgres.test.ts',
    ],
    // No database is in it.
    exclude: ['src/items/html.test.ts'],
  },
}

export default defineConfig({
  test: {
    projects: [
      room('contract', 'contract'),
      onSqlite,
      onPostgres,
      onPartitions,
      room('web', 'web'),
      room('scripts', 'scripts'),
      // Cases that others wrote lie outside the repository: npm run test:corpora says where.
      ...(process.env.CORPORA ? [room('corpora', 'corpora')] : []),
    ],
  },
})

import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const WEB = fileURLToPath(new URL('../web', import.meta.url))

/** Bundles the browser's HTML cleaner into a script for any page; its exports become properties of the global `name`. */
export async function bundleCleaner(name: string): Promise<string> {
  const built = await build({
    root: WEB,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry: 'src/ui/html-cleaner.ts', formats: ['iife'], name } },
  })
  const [first] = [built].flat()
  const chunk = first && 'output' in first ? first.output[0] : undefined
  if (!chunk) throw new Error('Vite has not built the cleaner.')
  return chunk.code.replaceAll('</script', '<\\/script')
}

import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const WORKER = fileURLToPath(new URL('../worker/service-worker.ts', import.meta.url))
const NAME = 'service-worker.js'
const DOCUMENT = 'index.html'
/** Stands for the version of the build in the worker and in the document. */
const VERSION = '__VERSION__'
/** Of no use to a page. */
const LEFT_OUT = [NAME, DOCUMENT, 'robots.txt']

/**
 * Builds the service worker (web/worker/service-worker.ts) beside the page. After the build it names the version in both,
 * and in the worker all files: none but the whole build tells them.
 */
export const serviceWorker = (): Plugin => ({
  name: 'kopilka:service-worker',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: WORKER, fileName: NAME })
  },
  transformIndexHtml: () => [{ tag: 'meta', injectTo: 'head', attrs: { name: 'version', content: VERSION } }],
  writeBundle: {
    order: 'post',
    sequential: true,
    async handler({ dir = 'dist' }) {
      const files = await filesIn(dir)
      const version = await versionOf(dir, files)
      const named = files.filter((file) => !LEFT_OUT.includes(file)).map((file) => `/${file}`)
      await replaceIn(join(dir, DOCUMENT), { [VERSION]: version })
      await replaceIn(join(dir, NAME), {
        [VERSION]: JSON.stringify(version),
        __FILES__: JSON.stringify(named),
      })
    },
  },
})

const filesIn = async (dir: string): Promise<string[]> => {
  const names = (await readdir(dir, { recursive: true })).sort()
  const stats = await Promise.all(names.map((name) => stat(join(dir, name))))
  return names.filter((_, at) => stats[at]?.isFile()).map((name) => name.replaceAll(sep, '/'))
}

const versionOf = async (dir: string, files: readonly string[]): Promise<string> => {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = await readFile(join(dir, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('base64url').slice(0, 12)
}

const replaceIn = async (file: string, values: Readonly<Record<string, string>>): Promise<void> => {
  let text = await readFile(file, 'utf8')
  for (const [name, value] of Object.entries(values)) {
    if (!text.includes(name)) throw new Error(`${file} does not name ${name}.`)
    text = text.replaceAll(name, () => value)
  }
  await writeFile(file, text)
}

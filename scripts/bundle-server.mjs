// `node scripts/bundle-server.mjs FOLDER`: bundles the server into FOLDER. scripts/prepare.mjs runs it where the bundle is stale.
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { FILE_URL, nameInBundle, ROOT } from './prepare.mjs'

/** Packages loaded from node_modules: native ones, and those that read files of their own folder. */
const EXTERNAL = ['better-sqlite3', '@node-rs/argon2', 'pg', 'nodemailer', 'piscina']

const SOURCES = join(ROOT, 'server', 'src')

/**
 * Bundles the file in `new URL('worker.ts', import.meta.url)` separately, or copies it if it is not a module. All bundles
 * are in one folder at the same depth as server/src, so URLs of folders stay valid.
 * @type {import('rolldown').Plugin}
 */
const fileUrls = {
  name: 'file-urls',
  transform(code, id) {
    if (!id.startsWith(SOURCES) || !code.includes('import.meta.url')) return null
    const replaced = code.replaceAll(FILE_URL, (url, path) => {
      const file = resolve(dirname(id), path)
      if (!existsSync(file) || !basename(file).includes('.')) return url
      const fileName = nameInBundle(relative(SOURCES, file))
      if (file.endsWith('.ts')) this.emitFile({ type: 'chunk', id: file, fileName })
      else this.emitFile({ type: 'asset', source: readFileSync(file), fileName })
      return `new URL('${fileName}', import.meta.url)`
    })
    // Lines stay where they are.
    return { code: replaced, map: null }
  },
}

/**
 * Leaves out a package that @fastify/static loads and calls with another setting only.
 * @type {import('rolldown').Plugin}
 */
const unused = {
  name: 'unused',
  resolveId: (id) => (id === 'glob' ? '\0glob' : null),
  load: (id) => (id === '\0glob' ? 'export const glob = undefined' : null),
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('node scripts/bundle-server.mjs FOLDER')
const bundle = await rolldown({
  input: join(SOURCES, 'main.ts'),
  platform: 'node',
  external: EXTERNAL.map((name) => new RegExp(`^${name}(?:/|$)`)),
  plugins: [fileUrls, unused],
})
await bundle.write({
  dir: folder,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
})
await bundle.close()

import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { BROWSERS, type Browser, manifestOf } from '../extension/manifest.ts'
import { writeZip } from '../server/src/testing/write-zip.ts'
import { ROOT } from './prepare.mjs'

const FOLDER = join(ROOT, 'extension')
const LANGUAGES = ['ru', 'en']

const versionOf = async (): Promise<string> =>
  JSON.parse(await readFile(join(FOLDER, 'package.json'), 'utf8')).version

/** Builds the extension of a browser into a folder, which is emptied before. */
export async function buildExtension(browser: Browser, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // A bundle each, so that neither waits for a shared one.
  for (const name of ['popup', 'background']) {
    const bundle = await rolldown({ input: join(FOLDER, 'src', `${name}.ts`), platform: 'browser' })
    await bundle.write({ file: join(folder, `${name}.js`), format: 'esm' })
    await bundle.close()
  }
  for (const file of ['popup.html', 'popup.css']) await cp(join(FOLDER, 'src', file), join(folder, file))
  await cp(join(FOLDER, 'icons'), join(folder, 'icons'), { recursive: true })
  for (const language of LANGUAGES)
    await cp(join(FOLDER, 'locales', `${language}.json`), join(folder, '_locales', language, 'messages.json'))
  const manifest = manifestOf(browser, await versionOf())
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Builds the extension of every browser, a folder and a zip each; returns the zips. */
export async function buildExtensions(): Promise<string[]> {
  const version = await versionOf()
  const zips: string[] = []
  for (const browser of BROWSERS) {
    const folder = join(FOLDER, 'dist', browser)
    await buildExtension(browser, folder)
    const zip = join(FOLDER, 'dist', `kopilka-${browser}-${version}.zip`)
    await writeFile(zip, writeZip(await filesIn(folder)))
    zips.push(zip)
  }
  return zips
}

async function filesIn(folder: string): Promise<{ name: string; data: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return Promise.all(
    paths.toSorted().map(async (path) => ({
      name: path.slice(folder.length + 1).replaceAll('\\', '/'),
      data: await readFile(path),
    })),
  )
}

import { cp, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { ROOT, SERVER_BUNDLE } from '../scripts/prepare.mjs'

/** A build of the same sources whose chunks have other names, as after a change that reaches all of them. */
export interface Build {
  /** The bundle of its server. */
  readonly bundle: string
  remove(): Promise<void>
}

const renamed = (name: string): string => name.replace(/\.(?=\w+$)/, '-next.')

/** Copies the build and renames every chunk of it, also where it is named. */
export async function otherBuild(): Promise<Build> {
  const root = await mkdtemp(join(tmpdir(), 'kopilka-build-'))
  const web = join(root, 'web', 'dist')
  const server = join(root, 'server', 'dist')
  await cp(join(ROOT, 'web', 'dist'), web, { recursive: true, filter: (path) => !/\.(?:br|gz)$/.test(path) })
  await cp(dirname(SERVER_BUNDLE), server, { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const assets = join(web, 'assets')
  const names = await readdir(assets)
  const known = new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'g')
  const [, version = ''] =
    /name="version" content="([^"]+)"/.exec(await readFile(join(web, 'index.html'), 'utf8')) ?? []
  const change = async (file: string) => {
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replaceAll(known, renamed).replaceAll(version, `next-${version}`))
  }
  await Promise.all([join(web, 'index.html'), join(web, 'service-worker.js')].map(change))
  for (const name of names) {
    await change(join(assets, name))
    await rename(join(assets, name), join(assets, renamed(name)))
  }
  return { bundle: join(server, basename(SERVER_BUNDLE)), remove: () => rm(root, { recursive: true }) }
}

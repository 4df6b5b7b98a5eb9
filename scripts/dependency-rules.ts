import { posix } from 'node:path'
import { type Import, importsOf, type Sources } from './sources.ts'
import { isTest } from './test-files.mjs'

interface Workspace {
  /** Other workspaces, or folders in them, that it may import. */
  readonly sees: readonly string[]
  /** npm packages it is held to; absent: whatever its package.json lists. */
  readonly packages?: readonly string[]
  /** Rooms from the top down: a file may import its own room and every room further down. */
  readonly levels?: readonly (readonly string[])[]
  /** Rooms that may also import these neighbours of their own level. */
  readonly sideways?: Readonly<Record<string, readonly string[]>>
  /** Rooms (below) of which only these rooms may import more than types. */
  readonly typesOnlyExceptFor?: Readonly<Record<string, readonly string[]>>
  /** Packages a room must do without. */
  readonly without?: Readonly<Record<string, readonly string[]>>
}

/** Who may import whom: docs/architecture.md draws the same arrows (a test compares). Tests may join all the rooms of their workspace. */
export const DEPENDENCY_RULES: Readonly<Record<string, Workspace>> = {
  contract: { sees: [], packages: ['zod'] },
  text: { sees: [], packages: ['snowball-stemmers'] },
  server: {
    sees: ['contract', 'text'],
    levels: [
      ['testing'],
      ['main'],
      ['app'],
      ['items', 'tags', 'users', 'sessions', 'metadata'],
      ['search'],
      ['http', 'db', 'jobs'],
      ['errors', 'config', 'clock'],
    ],
    sideways: { items: ['tags'], users: ['sessions'], sessions: ['users'], jobs: ['db'], http: ['db'] },
    typesOnlyExceptFor: { config: ['main', 'testing'] },
  },
  web: {
    sees: ['contract', 'text'],
    levels: [
      ['main'],
      ['app'],
      ['home', 'items', 'tags', 'accounts', 'privacy'],
      ['navigation'],
      ['api', 'ui'],
      ['lib', 'messages'],
    ],
    sideways: { home: ['items'], tags: ['items'] },
    without: { ui: ['@tanstack/react-router', '@tanstack/react-query'] },
  },
  e2e: { sees: ['contract', 'scripts'] },
  corpora: { sees: ['contract', 'text', 'server', 'web', 'scripts'] },
  bench: { sees: ['contract', 'scripts'] },
  scripts: { sees: ['contract', 'server'] },
}

/** One sentence for each import that goes against the arrows: where it is, and what to do. */
export function wrongImports(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((found) => {
      const fault = faultOf(file, found)
      return fault ? [`${file}:${found.line} imports '${found.specifier}'. ${fault}`] : []
    }),
  )
}

function faultOf(file: string, found: Import): string | undefined {
  const from = placeOf(file)
  const workspace = DEPENDENCY_RULES[from.workspace]
  if (!workspace)
    return `'${from.workspace}' has no place in the table: add it to DEPENDENCY_RULES in scripts/arrows.ts.`
  const target = targetOf(file, found.specifier)
  if (target === undefined) return isTest(file) ? undefined : packageFault(from, workspace, found.specifier)
  const to = placeOf(target)
  if (to.workspace !== from.workspace) return workspaceFault(from.workspace, workspace, to.workspace)
  if (isTest(file) || !workspace.levels || !from.room) return undefined
  return isTest(target)
    ? 'A test is imported by nobody: move what others need beside it.'
    : roomFault(from.room, to.room, found, workspace)
}

function packageFault(from: Place, workspace: Workspace, specifier: string): string | undefined {
  const name = packageOf(specifier)
  if (workspace.packages && !workspace.packages.includes(name))
    return `${from.workspace} imports only ${workspace.packages.join(', ')}: do this part in server or web.`
  if (workspace.without?.[from.room]?.includes(name))
    return `${from.room} does without ${name}: let the page that uses it pass the value or the callback in.`
  return undefined
}

function workspaceFault(from: string, { sees }: Workspace, to: string): string | undefined {
  if (sees.includes(to)) return undefined
  const allowed = sees.length > 0 ? sees.join(' and ') : 'no other workspace'
  return `${from} sees only ${allowed}: what ${from} and ${to} share belongs in contract.`
}

function roomFault(from: string, to: string, found: Import, workspace: Workspace): string | undefined {
  const { levels = [], sideways = {}, typesOnlyExceptFor = {} } = workspace
  const heightOf = (room: string) => levels.findIndex((level) => level.includes(room))
  for (const room of [from, to])
    if (heightOf(room) < 0)
      return `The room '${room}' has no place in the table: add it to DEPENDENCY_RULES in scripts/arrows.ts.`
  if (from === to) return undefined
  const beside = sideways[from] ?? []
  const below = levels.slice(heightOf(from) + 1).flat()
  if (![...beside, ...below].includes(to))
    return `${from} may import only ${[...beside, ...below].join(', ') || 'itself'}: move the shared piece down, or have it passed in from above.`
  const readers = typesOnlyExceptFor[to]
  if (readers && !readers.includes(from) && !found.typeOnly)
    return `${from} may import only types of ${to} (import type): have the value passed in from above.`
  return undefined
}

interface Place {
  readonly workspace: string
  /** Empty outside src: what configures and builds a workspace. */
  readonly room: string
}

/** server/src/items/store.ts lies in workspace server, room items; server/src/main.ts in room main. */
function placeOf(path: string): Place {
  const [workspace = '', src, first = ''] = path.split('/')
  return { workspace, room: src === 'src' ? first.replace(/\.[a-z.]+$/, '') : '' }
}

/** The file or folder in the repository that a specifier names; undefined for npm packages and parts of Node. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const own = /^@kopilka\/(?<workspace>[a-z0-9]+)(?:\/(?<path>.*))?$/.exec(specifier)?.groups
  return own ? posix.join(own.workspace ?? '', 'src', own.path ?? '') : undefined
}

/** '@scope/name/part' and 'name/part' belong to the packages '@scope/name' and 'name'. */
const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

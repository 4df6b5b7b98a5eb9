import { posix } from 'node:path'
import { type Import, importsOf, type Sources } from './sources.ts'
import { isTest } from './test-files.mjs'

interface Workspace {
  /** Other workspaces that it may import. */
  readonly imports: readonly string[]
  /** The only npm packages it may import. Absent: whatever its package.json lists. */
  readonly packages?: readonly string[]
  /** Modules from the top down: a file may import its own module and those of every level further down. */
  readonly levels?: readonly (readonly string[])[]
  /** Modules of its own level that a module may also import. */
  readonly sideways?: Readonly<Record<string, readonly string[]>>
  /** Modules (keys) of which all but these modules may import types only. */
  readonly typesOnlyExceptFor?: Readonly<Record<string, readonly string[]>>
  /** Packages that a module must not import. */
  readonly without?: Readonly<Record<string, readonly string[]>>
}

/** Who may import whom. docs/architecture.md shows the same rules (a test compares). Tests may import every module of their workspace. */
export const DEPENDENCY_RULES: Readonly<Record<string, Workspace>> = {
  contract: { imports: [], packages: ['zod'] },
  text: { imports: [], packages: ['markdown-it', 'snowball-stemmers', 'turndown'] },
  server: {
    imports: ['contract', 'text'],
    levels: [
      ['testing'],
      ['main', 'writer', 'worker'],
      ['app'],
      ['commands'],
      ['accounts'],
      ['imports', 'exports', 'linkding', 'feed', 'changes'],
      ['operations'],
      ['items', 'tags', 'users', 'sessions', 'tokens', 'metadata', 'files'],
      ['search'],
      ['http', 'db', 'jobs', 'journal'],
      ['threads'],
      ['errors', 'config', 'clock', 'hash'],
    ],
    sideways: {
      items: ['tags', 'files'],
      files: ['metadata'],
      users: ['sessions'],
      tokens: ['sessions'],
      jobs: ['db'],
      http: ['db'],
      journal: ['db'],
    },
    typesOnlyExceptFor: { config: ['main', 'testing'] },
  },
  web: {
    imports: ['contract', 'text'],
    levels: [
      ['main'],
      ['app'],
      ['home', 'items', 'tags', 'accounts', 'privacy', 'trash', 'history', 'data', 'programs'],
      ['navigation', 'forms', 'selection', 'undo', 'exports', 'offline'],
      ['api', 'ui', 'pictures'],
      ['lib', 'messages'],
    ],
    sideways: {
      home: ['items'],
      tags: ['items'],
      history: ['items'],
      trash: ['items'],
      data: ['items', 'accounts'],
      selection: ['navigation'],
      exports: ['navigation'],
      ui: ['pictures'],
      pictures: ['api'],
    },
    without: { ui: ['@tanstack/react-router', '@tanstack/react-query'] },
  },
  extension: { imports: ['contract', 'text'] },
  e2e: { imports: ['contract', 'scripts'] },
  corpora: { imports: ['contract', 'text', 'server', 'web', 'scripts'] },
  bench: { imports: ['contract', 'text', 'web', 'scripts'] },
  scripts: { imports: ['contract', 'text', 'server', 'web', 'extension'] },
}

/** A message for each import that breaks the rules: where it is, and what to do. */
export function forbiddenImports(sources: Sources): string[] {
  return [...sources].flatMap(([file, text]) =>
    importsOf(text).flatMap((found) => {
      const violation = violationOf(file, found)
      return violation ? [`${file}:${found.line} imports '${found.specifier}'. ${violation}`] : []
    }),
  )
}

/** A message for each import cycle, types included. */
export function importCircles(sources: Sources): string[] {
  const importsByFile = new Map(
    [...sources.entries()].map(([file, text]) => [
      file,
      importsOf(text).flatMap((found) => {
        const target = targetOf(file, found.specifier)
        return target !== undefined && sources.has(target) ? [{ target, ...found }] : []
      }),
    ]),
  )
  const reachable = new Map([...sources.keys()].map((file) => [file, reachableFrom(file, importsByFile)]))
  const grouped = new Set<string>()
  return [...sources.keys()].flatMap((file) => {
    if (grouped.has(file) || !reachable.get(file)?.has(file)) return []
    const circle = [...sources.keys()].filter(
      (other) => reachable.get(file)?.has(other) && reachable.get(other)?.has(file),
    )
    for (const member of circle) grouped.add(member)
    const lines = circle.flatMap((member) =>
      (importsByFile.get(member) ?? [])
        .filter(({ target }) => circle.includes(target))
        .map(({ line, specifier }) => `${member}:${line} imports '${specifier}'`),
    )
    return [
      `A circle of ${circle.length} files: ${lines.join('; ')}. Move what they share into a file that imports none of them.`,
    ]
  })
}

function reachableFrom(
  start: string,
  importsByFile: ReadonlyMap<string, readonly { target: string }[]>,
): Set<string> {
  const reached = new Set<string>()
  const open = [start]
  for (let file = open.pop(); file !== undefined; file = open.pop())
    for (const { target } of importsByFile.get(file) ?? [])
      if (!reached.has(target)) {
        reached.add(target)
        open.push(target)
      }
  return reached
}

function violationOf(file: string, found: Import): string | undefined {
  const from = placeOf(file)
  const workspace = DEPENDENCY_RULES[from.workspace]
  if (!workspace)
    return `The workspace '${from.workspace}' is not in the table: add it to DEPENDENCY_RULES in scripts/dependency-rules.ts.`
  const target = targetOf(file, found.specifier)
  if (target === undefined)
    return isTest(file) ? undefined : packageViolation(from, workspace, found.specifier)
  const to = placeOf(target)
  if (to.workspace !== from.workspace) return workspaceViolation(from.workspace, workspace, to.workspace)
  if (isTest(file) || !workspace.levels || !from.module) return undefined
  return isTest(target)
    ? 'Nothing imports a test: move what others need into a file of its own.'
    : moduleViolation(from.module, to.module, found, workspace)
}

function packageViolation(from: Place, workspace: Workspace, specifier: string): string | undefined {
  const name = packageOf(specifier)
  if (workspace.packages && !workspace.packages.includes(name))
    return `${from.workspace} imports only ${workspace.packages.join(', ')}: do this part in server or web.`
  if (workspace.without?.[from.module]?.includes(name))
    return `${from.module} must not import ${name}: let the page that uses it pass the value or the callback in.`
  return undefined
}

function workspaceViolation(from: string, { imports }: Workspace, to: string): string | undefined {
  if (imports.includes(to)) return undefined
  const allowed = imports.length > 0 ? imports.join(' and ') : 'no other workspace'
  return `${from} imports only ${allowed}: what ${from} and ${to} share belongs in contract or text.`
}

function moduleViolation(from: string, to: string, found: Import, workspace: Workspace): string | undefined {
  const { levels = [], sideways = {}, typesOnlyExceptFor = {} } = workspace
  const levelOf = (module: string) => levels.findIndex((level) => level.includes(module))
  for (const module of [from, to])
    if (levelOf(module) < 0)
      return `The module '${module}' is not in the table: add it to DEPENDENCY_RULES in scripts/dependency-rules.ts.`
  if (from === to) return undefined
  const beside = sideways[from] ?? []
  const below = levels.slice(levelOf(from) + 1).flat()
  if (![...beside, ...below].includes(to))
    return `${from} may import only ${[...beside, ...below].join(', ') || 'itself'}: move the shared piece down, or have it passed in from above.`
  const importers = typesOnlyExceptFor[to]
  if (importers && !importers.includes(from) && !found.typeOnly)
    return `${from} may import only types of ${to} (import type): have the value passed in from above.`
  return undefined
}

interface Place {
  readonly workspace: string
  /** Empty outside src: what configures and builds a workspace. */
  readonly module: string
}

/** server/src/items/store.ts belongs to workspace server, module items; server/src/main.ts to module main. */
function placeOf(path: string): Place {
  const [workspace = '', src, first = ''] = path.split('/')
  return { workspace, module: src === 'src' ? first.replace(/\.[a-z.]+$/, '') : '' }
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

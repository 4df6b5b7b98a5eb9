import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEPENDENCY_RULES } from './dependency-rules.ts'
import { ROOT } from './prepare.mjs'
import { readSources } from './sources.ts'

const PATH = /(?<![\w./:@*-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|mjs|md)\b/g
const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*/g

/** The Markdown files of the repository by their paths. */
const pages = new Map(
  ['.', 'docs', 'docs/decisions', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [join(folder, name), readFileSync(join(ROOT, folder, name), 'utf8')] as const),
  ),
)
const sources = readSources(ROOT, Object.keys(DEPENDENCY_RULES))
const files = [...sources.keys(), ...pages.keys()]

/** A path may start at the repository, a workspace or a folder of one: `server/src/db/open.ts`, `db/open.ts`. */
const exists = (path: string): boolean => files.some((file) => file === path || file.endsWith(`/${path}`))

test('every file that documents and comments cite exists', () => {
  const texts = [
    ...pages,
    ...[...sources].map(([path, text]) => [path, (text.match(COMMENT) ?? []).join('\n')] as const),
  ]
  const cited = texts.flatMap(([path, text]) =>
    (text.match(PATH) ?? []).map((citation) => ({ path, citation })),
  )
  expect(cited.length).toBeGreaterThan(100)
  const missing = cited.filter(({ citation }) => !exists(citation))
  expect(missing.map(({ path, citation }) => `${path}: ${citation}`)).toEqual([])
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEPENDENCY_RULES } from './dependency-rules.ts'
import { ROOT } from './prepare.mjs'
import { importsOf, readSources } from './sources.ts'

const RECORDS = join(ROOT, 'docs', 'decisions')

/** The packages in a package.json, without our own workspaces and without type packages. */
function partsOf(folder: string): string[] {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  )
  return Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !/^@(?:kopilka|types)\//.test(name),
  )
}

test('every package has a line in docs/decisions that says why: in 019-the-parts.md, if it needs no record of its own', () => {
  const records = readdirSync(RECORDS).map((file) => readFileSync(join(RECORDS, file), 'utf8'))
  const unexplained = ['.', ...Object.keys(DEPENDENCY_RULES).filter((folder) => folder !== 'scripts')]
    .flatMap(partsOf)
    .filter((name) => !records.some((record) => record.includes(`\`${name}\``)))
  expect([...new Set(unexplained)]).toEqual([])
})

test('a record has at most 40 lines', () => {
  const long = readdirSync(RECORDS).filter(
    (file) => readFileSync(join(RECORDS, file), 'utf8').trim().split('\n').length > 40,
  )
  expect(long).toEqual([])
})

test('what the browser gets is a production dependency, so that `npm audit --omit=dev` sees it', () => {
  const sources = [...readSources(ROOT, ['web/src', 'extension/src', 'contract/src', 'text/src'])]
  const missing = sources.flatMap(([path, text]) => {
    if (/\.test\.tsx?$|\/testing\//.test(path)) return []
    const [folder = ''] = path.split('/')
    const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
    return importsOf(text)
      .filter(({ specifier, typeOnly }) => !typeOnly && /^@?[a-z]/.test(specifier))
      .map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '')
      .filter((name) => !(name in dependencies))
      .map((name) => `${path}: ${name}`)
  })
  expect(missing).toEqual([])
})

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'

/** Names of the commands declared in the source files of the server. */
const declared = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('testing/'))
  .flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    return [...text.matchAll(/ = (?:preparedC|c)ommand(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, name]) => name)
  })

it('lists every command in commands.ts, where the writer thread finds them', () => {
  expect(declared.length).toBeGreaterThan(5)
  expect(commands.map(({ name }) => name).sort()).toEqual([...new Set(declared)].sort())
  expect(declared).toHaveLength(new Set(declared).size)
})

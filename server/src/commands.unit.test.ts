import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { commands } from './commands.ts'

/** Names of the commands that the server's files declare. */
const declared = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('testing/'))
  .flatMap((file) => {
    const text = readFileSync(new URL(file, import.meta.url), 'utf8')
    return [...text.matchAll(/ = (?:preparedC|c)ommand(?:<[^(]*>)?\(\s*'([^']+)'/g)].map(([, name]) => name)
  })

it('lists every command in commands.ts: the writing thread knows no other', () => {
  expect(declared.length).toBeGreaterThan(5)
  expect(commands.map(({ name }) => name).sort()).toEqual([...new Set(declared)].sort())
  expect(declared).toHaveLength(new Set(declared).size)
})

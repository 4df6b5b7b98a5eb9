import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'

test.each([
  ['--only', 'sqllite'],
  ['--rounds', '0'],
  ['--rounds', 'many'],
  ['--seed', 'x'],
])('the rounds do not pass for %s %s, of which there is none', (...args) => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'faults.ts'), ...args])
  expect([status, String(stderr)]).toEqual([1, expect.stringContaining('npm run test:faults [-- --only')])
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'
import { settingsPages } from './settings-pages.ts'

for (const [path, text] of Object.entries(settingsPages())) {
  test(`${path} says what server/src/config.ts says: run «npm run settings» if this fails`, () => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text)
  })
}

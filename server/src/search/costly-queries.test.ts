import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

let app: TestApp
let account: Account
/** Sent to the database so far. */
let statements = 0
beforeAll(async () => {
  app = await createTestApp({
    onStatement: () => {
      statements += 1
    },
  })
  account = await newAccount(app)
  const content = `${'а б в г д е '.repeat(20_000)}конец`
  for (let at = 0; at < 3; at += 1) {
    await app.call(notes.create, { body: { title: `Записка ${at}`, content, tags: [] } }, account.auth)
  }
})
afterAll(() => app.close())

const found = async (text: string) => {
  const answer = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
  return answer.notes_count
}

describe('a query of nothing but phrases, over texts of 240,000 characters', () => {
  it.each(['"а"'.repeat(166), `конец ${'-"а а"'.repeat(82)}`])('is answered (%#)', async (text) => {
    expect(await found(text)).toBe(3)
  })

  it('holds up nobody else', async () => {
    const answered: string[] = []
    const asked = found('"б а"').then(() => answered.push('search'))
    const health = fetch(`${app.address}/healthz`).then(() => answered.push('health'))
    await Promise.all([asked, health])
    expect(answered).toEqual(['health', 'search'])
  })
})

describe('a query of 80 words that are nowhere', () => {
  it('asks the database a few dozen times', async () => {
    const text = Array.from({ length: 80 }, (_, at) => `жщ${'абвгд'[at % 5]}${'клмнопрс'[at % 8]}ъ`).join(' ')
    statements = 0
    expect(await found(text)).toBe(0)
    expect(statements).toBeGreaterThan(0)
    expect(statements).toBeLessThan(100)
  })
})

import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  const content = `${'а б в г д е '.repeat(41_000)}конец`
  for (let at = 0; at < 3; at += 1) {
    await app.call(notes.create, { body: { title: `Записка ${at}`, content, tags: [] } }, account.auth)
  }
})
afterAll(() => app.close())

const found = async (text: string) => {
  const answer = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
  return answer.notes_count
}

describe('a query of nothing but phrases, over texts of 500,000 characters', () => {
  it('is answered', async () => {
    expect(await found('"а"'.repeat(166))).toBe(3)
    expect(await found(`конец ${'-"а а"'.repeat(82)}`)).toBe(3)
  })

  it('holds up nobody else', async () => {
    const answered: string[] = []
    const asked = found('"б а"').then(() => answered.push('search'))
    const health = fetch(`${app.address}/healthz`).then(() => answered.push('health'))
    await Promise.all([asked, health])
    expect(answered).toEqual(['health', 'search'])
  })
})

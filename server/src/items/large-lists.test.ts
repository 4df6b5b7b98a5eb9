import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

/** Five of these bodies fit into a list of whole items, six do not. */
const CONTENT = `<p>${'слово '.repeat(40_000)}</p>`

let app: TestApp
let account: Account
let tag: string
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  for (let count = 1; count <= 7; count += 1) {
    const body = { title: `Длинная ${count}`, content: CONTENT, tags: ['большие'] }
    const note = await app.call(notes.create, { body }, account.auth)
    tag = note.tags[0]?.id ?? ''
  }
  const body = { title: 'Короткая', url: 'https://example.org/', description: 'слово', tags: ['большие'] }
  await app.call(links.create, { body }, account.auth)
}, 120_000)
afterAll(() => app.close())

describe('a list of whole items', () => {
  it('is truncated at the limit of bytes, and says so', async () => {
    const list = await app.call(notes.list, { query: {} }, account.auth)
    expect(list.results.map(({ title }) => title)).toEqual([7, 6, 5, 4, 3].map((at) => `Длинная ${at}`))
    expect([list.count, list.truncated]).toEqual([7, true])
    for (const { content } of list.results) expect(content.length).toBeGreaterThan(240_000)
    const rest = await app.call(notes.list, { query: { view: 'summary' } }, account.auth)
    expect(rest.results).toHaveLength(7)
  })

  it.each([
    ['latest', () => app.call(latest, { query: {} }, account.auth)],
    ['search', () => app.call(search, { query: { search: 'слово' } }, account.auth)],
    ['the items of a tag', () => app.call(tags.items, { params: { id: tag }, query: {} }, account.auth)],
  ])('does so in %s', async (_, ask) => {
    const { notes: found, urllinks, truncated } = await ask()
    expect([found.length, urllinks.length, truncated]).toEqual([5, 1, true])
  })

  it('does not mention truncation if it is complete', async () => {
    expect(await app.call(links.list, { query: {} }, account.auth)).not.toHaveProperty('truncated')
  })
})

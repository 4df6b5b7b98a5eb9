import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { describe, expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { withBodies } from './queries.ts'

/** Five of these bodies fit into a list of whole items, six do not. */
const CONTENT = `<p>${'слово '.repeat(40_000)}</p>`

let tag: string
it.beforeAll(async ({ app, owner }) => {
  for (let count = 1; count <= 7; count += 1) {
    const body = { title: `Длинная ${count}`, content: CONTENT, tags: ['большие'] }
    const note = await app.call(notes.create, { body }, owner.auth)
    tag = note.tags[0]?.id ?? ''
  }
  const body = { title: 'Короткая', url: 'https://example.org/', description: 'слово', tags: ['большие'] }
  await app.call(links.create, { body }, owner.auth)
}, 120_000)

describe('a list of whole items', () => {
  it('is truncated at the limit of bytes, and says so', async ({ app, owner }) => {
    const list = await app.call(notes.list, { query: {} }, owner.auth)
    expect(list.results.map(({ title }) => title)).toEqual([7, 6, 5, 4, 3].map((at) => `Длинная ${at}`))
    expect([list.count, list.truncated]).toEqual([7, true])
    for (const { content } of list.results) expect(content.length).toBeGreaterThan(240_000)
    const rest = await app.call(notes.list, { query: { view: 'summary' } }, owner.auth)
    expect(rest.results).toHaveLength(7)
  })

  it('is truncated in latest, search and the items of a tag as well', async ({ app, owner: { auth } }) => {
    for (const { notes: found, urllinks, truncated } of [
      await app.call(latest, { query: {} }, auth),
      await app.call(search, { query: { search: 'слово' } }, auth),
      await app.call(tags.items, { params: { id: tag }, query: {} }, auth),
    ])
      expect([found.length, urllinks.length, truncated]).toEqual([5, 1, true])
  })

  it('counts the names of tags as well', async ({ app, owner }) => {
    // Of four bytes each: ten thousand an item.
    const tags = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, name: '𝓧'.repeat(50) }))
    const times = { created_at: 0, updated_at: 0, revision: 1, pinned: 0 }
    const empty = { title: '', url: null, body: '', excerpt: '', bytes: 0 }
    const listed = Array.from({ length: 300 }, (_, at) => ({ ...empty, ...times, id: `${at}`, tags }))
    const { rows, truncated } = await withBodies(app.db, owner.id, listed)
    expect([rows.length, truncated]).toEqual([250, true])
  })

  it('does not mention truncation if it is complete', async ({ app, owner }) => {
    expect(await app.call(links.list, { query: {} }, owner.auth)).not.toHaveProperty('truncated')
  })
})

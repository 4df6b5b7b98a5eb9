import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

test('stored counts equal counted items after concurrent saves and deletions', async ({ app, account }) => {
  const { id: owner_id, auth } = account
  const names = ['работа', 'дом', 'книги', 'музыка']
  const some = (at: number) => names.filter((_, name) => (at >> name) % 2 === 1)
  const save = (at: number) => ({ title: `Заметка ${at}`, content: '<p>текст</p>', tags: some(at) })

  const made = await Promise.all(
    Array.from({ length: 16 }, (_, at) => app.call(notes.create, { body: save(at) }, auth)),
  )
  const ids = made.map(({ id }) => id)
  await Promise.all([
    ...ids.map((id, at) => app.call(notes.update, { params: { id }, body: save(15 - at) }, auth)),
    ...ids.map((id, at) => app.call(notes.update, { params: { id }, body: save((at * 7) % 16) }, auth)),
  ])
  const [book] = await app.call(tags.list, { query: { search: 'книги' } }, auth)
  await Promise.all([
    ...ids.slice(0, 5).map((id) => app.call(notes.remove, { params: { id } }, auth)),
    app.call(tags.remove, { params: { id: book?.id ?? '' } }, auth),
  ])

  const rows = await app.db
    .selectFrom('item_tags')
    .select('tag_id')
    .where('owner_id', '=', owner_id)
    .execute()
  const listed = await app.call(tags.list, { query: {} }, auth)
  expect(listed).toHaveLength(3)
  for (const { id, notes_count, urllinks_count } of listed) {
    const counted = rows.filter(({ tag_id }) => tag_id === id).length
    expect([notes_count, urllinks_count]).toEqual([counted, 0])
    expect((await app.call(notes.list, { query: { tag: id } }, auth)).count).toBe(counted)
  }
  const { count, results } = await app.call(notes.list, { query: {} }, auth)
  expect([count, results.length]).toEqual([11, 11])
})

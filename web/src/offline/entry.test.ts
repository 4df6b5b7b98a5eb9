import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect, test } from 'vitest'
import { WaitingConflict } from '../api/failure.ts'
import { type Entry, entriesFor, folded, givenUpWith, localEtag, withEntries } from './entry.ts'
import { kept } from './kept-item.ts'
import { type Copy, responseFromCopy } from './responses.ts'

const TAG = { id: '0190a000-0000-7000-8000-0000000000aa', name: 'Лес' }
const ID = '0190a000-0000-7000-8000-000000000001'

const { item, text } = kept({
  ...{ id: ID, title: 'Было', content: '<p>Старый текст</p>', tags: [TAG], pinned: false, etag: '"4"' },
  ...{ created_at: '2026-01-31T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' },
})
const COPY: Copy = {
  items: new Map([[ID, item]]),
  tags: new Map([[TAG.id, TAG.name]]),
  textsOf: async (ids) => new Map(ids.map((id) => [id, id === ID ? text : ''])),
}

const nothing = () => Promise.reject(new Error('no search was asked for'))
const noSearch = { search: nothing, similarTo: nothing }
const ask = async (copy: Copy, ...[endpoint, request]: [Parameters<typeof responseFromCopy>[1], object]) =>
  responseFromCopy(copy, endpoint, request, noSearch)

/** Makes changes one after the other; each sees those before it. */
function changed(...calls: [Parameters<typeof entriesFor>[1], Parameters<typeof entriesFor>[2]][]) {
  const entries: Entry[] = []
  for (const [endpoint, request] of calls)
    entries.push(...entriesFor(withEntries(COPY, entries), endpoint, request, {}))
  return { entries, copy: withEntries(COPY, entries) }
}

test('a change shows in lists, items and tags as the server would show it', async () => {
  const body = {
    title: 'Стало',
    content: '<p>Новый <b>текст</b></p>',
    add_tags: ['Новый', 'ЛЕС'],
    remove_tags: [],
  }
  const { copy, entries } = changed([notes.update, { params: { id: ID }, body }])
  const answer = await ask(copy, notes.list, { query: { view: 'summary' } })
  expect(answer?.value).toMatchObject({
    count: 1,
    results: [{ title: 'Стало', excerpt: 'Новый текст', tags: [{ name: 'Лес' }, { name: 'Новый' }] }],
  })
  const whole = await ask(copy, notes.read, { params: { id: ID } })
  expect(whole).toMatchObject({ value: { content: body.content }, etag: localEtag(entries[0]?.key ?? '') })
  expect((await ask(copy, tags.list, {}))?.value).toMatchObject([
    { name: 'Лес', notes_count: 1 },
    { name: 'Новый', notes_count: 1 },
  ])
  // The copy itself is as it was.
  expect((await ask(COPY, notes.read, { params: { id: ID } }))?.value).toMatchObject({ title: 'Было' })
})

test('a save by a form that has not shown a text which waits is a conflict; of tags and a pin that wait it need not know', () => {
  const waiting: Entry[] = []
  const save = (ifMatch: string): string | undefined => {
    const body = { title: 'Стало', content: '<p>x</p>' }
    const options = { ifMatch, waiting }
    const [entry] = entriesFor(
      withEntries(COPY, waiting),
      notes.update,
      { params: { id: ID }, body },
      options,
    )
    if (!entry || !('etag' in entry.change)) throw new Error('nothing waits')
    waiting.push(entry)
    return entry.change.etag
  }
  waiting.push(...entriesFor(COPY, bulk.change, { body: { ids: [ID], pinned: true } }, {}))
  const versions = () => waiting.map(({ key }) => localEtag(key))
  expect(save('"4"')).toBe(versions()[0])
  for (const unseen of ['"4"', versions()[0] ?? '']) expect(() => save(unseen)).toThrow(WaitingConflict)
  expect(save(versions()[1] ?? '')).toBe(versions()[1])
  // The copy had followed somebody else's text before it was pinned: this form has shown neither.
  waiting.splice(1)
  expect(save('"3"')).toBe('"3"')
})

test('what is added can be changed and deleted before the server knows of it', async () => {
  const { entries } = changed([
    links.create,
    { body: { title: 'Ссылка', url: 'https://example.org/', description: '<p>о</p>', tags: ['Лес'] } },
  ])
  const id = entries[0]?.target ?? ''
  const later = entriesFor(withEntries(COPY, entries), bulk.change, { body: { ids: [id], pinned: true } }, {})
  const copy = withEntries(COPY, [...entries, ...later])
  expect((await ask(copy, links.read, { params: { id } }))?.value).toMatchObject({
    pinned: true,
    tags: [TAG],
  })
  const removed = entriesFor(copy, links.remove, { params: { id } }, {})
  await expect(
    ask(withEntries(COPY, [...entries, ...later, ...removed]), links.read, { params: { id } }),
  ).rejects.toMatchObject({ status: 404 })
})

test('tags are renamed and deleted wherever they are', async () => {
  const renamed = changed([tags.update, { params: { id: TAG.id }, body: { name: 'Бор' } }])
  const item = await ask(renamed.copy, notes.read, { params: { id: ID } })
  expect(item?.value).toMatchObject({ tags: [{ id: TAG.id, name: 'Бор' }] })
  const { copy } = changed([tags.remove, { params: { id: TAG.id } }])
  expect((await ask(copy, notes.read, { params: { id: ID } }))?.value).toMatchObject({ tags: [] })
  expect((await ask(copy, notes.list, { query: { untagged: '1' } }))?.value).toMatchObject({ count: 1 })
})

test('a tag that was renamed since is meant by its id', async () => {
  const note = { title: 'Новая', content: '<p>Текст</p>', tags: ['лес', 'Сад'] }
  const { entries } = changed(
    [notes.create, { body: note }],
    [bulk.change, { body: { ids: [ID], remove_tags: ['ЛЕС'] } }],
  )
  const renamed = withEntries({ ...COPY, tags: new Map([[TAG.id, 'Роща']]) }, entries)
  const { value } = (await ask(renamed, notes.list, { query: { view: 'summary' } })) ?? {}
  expect(value).toMatchObject({
    results: [
      { title: 'Новая', tags: [{ name: 'Роща' }, { name: 'Сад' }] },
      { title: 'Было', tags: [] },
    ],
  })
})

test('what is not there cannot be changed', () => {
  const params = { id: TAG.id }
  for (const [call, body] of [
    [notes.update, { title: 'x', content: 'x' }],
    [notes.remove, undefined],
    [bulk.change, { ids: [TAG.id], pinned: true }],
  ] as const)
    expect(() => entriesFor(COPY, call, { params, body }, {})).toThrow(
      expect.objectContaining({ status: 404 }),
    )
})

test('what was sent meanwhile keeps its changes under the id of the server', async () => {
  const { entries } = changed([notes.create, { body: { title: 'Новая', content: '<p>а</p>' } }])
  const target = entries[0]?.target ?? ''
  const [later] = entriesFor(
    withEntries(COPY, entries),
    notes.update,
    { params: { id: target }, body: { title: 'Новая 2', content: '<p>б</p>' } },
    {},
  )
  if (!later) throw new Error('nothing was kept')
  // The creation has become the note of ID.
  const copy = withEntries(COPY, [later], new Map([[target, ID]]))
  expect((await ask(copy, notes.read, { params: { id: ID } }))?.value).toMatchObject({ title: 'Новая 2' })
})

test('the changes of one item become one for whoever keeps them', () => {
  const body = { title: 'Раз', content: '<p>1</p>', add_tags: ['а', 'б'], remove_tags: ['Лес'] }
  const { entries } = changed(
    [notes.update, { params: { id: ID }, body }],
    [bulk.change, { body: { ids: [ID], pinned: true, add_tags: ['в'], remove_tags: ['Б'] } }],
    [
      notes.update,
      { params: { id: ID }, body: { title: 'Два', content: '<p>2</p>', add_tags: ['лес'], remove_tags: [] } },
    ],
  )
  expect(folded(entries, '"9"')).toEqual({
    ...{ action: 'update', kind: 'note', etag: '"9"' },
    body: {
      ...{ title: 'Два', content: '<p>2</p>', pinned: true },
      ...{ add_tags: ['лес', 'а', 'в'], remove_tags: ['Б'] },
    },
  })
  const { entries: removed } = changed(
    [notes.update, { params: { id: ID }, body }],
    [notes.remove, { params: { id: ID } }],
  )
  expect(folded(removed, '"9"')).toEqual({ action: 'remove', kind: 'note', etag: '"9"' })
  const { entries: ofTag } = changed(
    [tags.update, { params: { id: TAG.id }, body: { name: 'Бор' } }],
    [tags.remove, { params: { id: TAG.id } }],
  )
  expect(folded(ofTag, undefined)).toEqual({ action: 'removeTag' })
})

test('with the only change that would create a tag go those of the tag', () => {
  const body = { title: 'Т', content: '<p>х</p>', tags: ['План', 'Лес'] }
  const { entries } = changed([notes.create, { body }], [notes.create, { body: { ...body, tags: ['Пруд'] } }])
  const [first, second] = entries
  const [plan] = Object.values(first?.newTags ?? {})
  const renamed = entriesFor(
    withEntries(COPY, entries),
    tags.update,
    { params: { id: plan ?? '' }, body: { name: 'Замысел' } },
    {},
  )
  const all = [...entries, ...renamed]
  expect(givenUpWith([first?.key ?? ''], all)).toEqual([first?.key, renamed[0]?.key])
  expect(givenUpWith([second?.key ?? ''], all)).toEqual([second?.key])
  const again = { ...second, key: 'again', newTags: first?.newTags ?? {} } as Entry
  expect(givenUpWith([first?.key ?? ''], [...all, again])).toEqual([first?.key])
})

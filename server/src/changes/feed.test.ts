import { bulk } from '@kopilka/contract/bulk.ts'
import { changes } from '@kopilka/contract/changes.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import { purgeOld } from '../operations/history.ts'
import { Copy, serverContent } from '../testing/copy.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import type { Account } from '../testing/new-account.ts'

const DAY = 24 * 60 * 60_000

const note = (title: string, names: string[] = []) => ({ title, content: `<p>${title}</p>`, tags: names })

async function createNotes(app: TestApp, { auth }: Account, count: number, names: string[] = []) {
  const made = []
  for (let at = 0; at < count; at += 1)
    made.push(await app.call(notes.create, { body: note(`Заметка ${at}`, names) }, auth))
  return made
}

/** A copy that has everything. */
async function copyOf(app: TestApp, account: Account): Promise<Copy> {
  const copy = new Copy()
  await copy.catchUp(app, account)
  return copy
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id).sort()

it('brings everything, then what changed, then nothing', async ({ app, account }) => {
  const { auth } = account
  const empty = await copyOf(app, account)
  expect(empty.content()).toEqual({ items: [], tags: [] })
  const [first] = await createNotes(app, account, 3, ['Лес'])
  const body = {
    ...note('Ссылка', ['Дом']),
    url: 'https://example.org/',
    description: 'описание',
    pinned: true,
  }
  const link = await app.call(links.create, { body }, auth)
  const page = await empty.advance(app, account)
  expect(page.urllinks).toEqual([{ ...link, etag: '"1"' }])
  expect(page.notes[0]).toEqual({ ...first, etag: '"1"' })
  expect(page.tags.map(({ name }) => name).sort()).toEqual(['Дом', 'Лес'])
  expect(page.has_more).toBe(false)
  expect(empty.content()).toEqual(await serverContent(app, account))
  expect((await copyOf(app, account)).content()).toEqual(empty.content())

  await app.call(notes.remove, { params: { id: first?.id ?? '' } }, auth)
  expect(await empty.advance(app, account)).toMatchObject({ notes: [], deleted_items: [first?.id] })
  await app.call(trash.remove, { params: { id: first?.id ?? '' } }, auth)
  await empty.advance(app, account)
  expect(empty.content()).toEqual(await serverContent(app, account))
  const again = await empty.advance(app, account)
  expect(again).toEqual({
    ...{ notes: [], urllinks: [], changed: [], tags: [], deleted_items: [], deleted_tags: [] },
    ...{ next: again.next, has_more: false },
  })
  expect(await empty.advance(app, account)).toEqual(again)
})

it('tells of a tag that is without items by the time somebody looks', async ({ app, account }) => {
  const copy = await copyOf(app, account)
  const [one] = await createNotes(app, account, 1, ['Мимо'])
  await app.call(notes.update, { params: { id: one?.id ?? '' }, body: note('Другая') }, account.auth)
  await copy.catchUp(app, account)
  expect(copy.content()).toEqual(await serverContent(app, account))
  expect([...copy.tags.values()]).toEqual(['Мимо'])
})

it('sends no item whole where a tag is renamed, merged or deleted, nor where that is undone', async ({
  app,
  account,
}) => {
  const { auth } = account
  await createNotes(app, account, 3, ['Лес'])
  const [last] = await createNotes(app, account, 1, ['Дом', 'лес'])
  const [wood, house] = ['Лес', 'Дом'].map((name) => last?.tags.find((tag) => tag.name === name)?.id ?? '')
  const all = idsOf((await app.call(notes.list, { query: {} }, auth)).results)
  const copy = await copyOf(app, account)
  const undo = async (operation: string | null) =>
    app.call(operations.undo, { params: { id: operation ?? '' } }, auth)
  const next = async () => {
    const page = await copy.advance(app, account)
    expect(page.notes).toEqual([])
    expect(copy.content()).toEqual(await serverContent(app, account))
    return page
  }

  const renamed = await app.request(tags.update, { params: { id: wood }, body: { name: 'Бор' } }, auth)
  expect(await next()).toMatchObject({ changed: [], tags: [{ id: wood, name: 'Бор' }] })
  await undo(renamed.headers.get('operation'))
  expect(await next()).toMatchObject({ changed: [], tags: [{ id: wood, name: 'Лес' }] })

  const removed = await app.request(tags.remove, { params: { id: wood } }, auth)
  expect(await next()).toMatchObject({ changed: [], deleted_tags: [wood] })
  await undo(removed.headers.get('operation'))
  const back = await next()
  expect(idsOf(back.changed)).toEqual(all)

  const merged = await app.request(tags.merge, { params: { id: wood }, body: { into: house } }, auth)
  const into = await next()
  expect(idsOf(into.changed)).toEqual(idsOf(back.changed).filter((id) => id !== last?.id))
  expect(into.deleted_tags).toEqual([wood])
  await undo(merged.headers.get('operation'))
  expect(idsOf((await next()).changed)).toEqual(all)
})

it('sends what changed of many items without their texts', async ({ app, account }) => {
  const made = await createNotes(app, account, 3)
  const copy = await copyOf(app, account)
  const body = { filter: {}, pinned: true, add_tags: ['Все'] }
  const { headers } = await app.request(bulk.change, { body }, account.auth)
  const page = await copy.advance(app, account)
  expect(page.notes).toEqual([])
  expect(idsOf(page.changed)).toEqual(idsOf(made))
  expect(page.changed[0]).toMatchObject({ pinned: true, etag: '"2"', tags: [{ name: 'Все' }] })
  expect(copy.content()).toEqual(await serverContent(app, account))
  await app.call(operations.undo, { params: { id: headers.get('operation') ?? '' } }, account.auth)
  await copy.advance(app, account)
  expect(copy.content()).toEqual(await serverContent(app, account))
})

it('copies while others write, and goes on at any page, also twice at the same one', async ({
  app,
  account,
}) => {
  const { auth } = account
  const made = await createNotes(app, account, 6, ['Лес', 'Дом'])
  const copy = new Copy()
  await copy.advance(app, account, 3)
  expect(copy.items.size).toBe(1)
  expect(copy.tags.size).toBe(2)
  // The last is copied already, the first not yet.
  await app.call(notes.remove, { params: { id: made[5]?.id ?? '' } }, auth)
  await app.call(notes.remove, { params: { id: made[0]?.id ?? '' } }, auth)
  await app.call(notes.update, { params: { id: made[1]?.id ?? '' }, body: note('Новая', ['Луг']) }, auth)
  await app.request(tags.update, { params: { id: made[0]?.tags[0]?.id }, body: { name: 'Хата' } }, auth)
  await createNotes(app, account, 2, ['Поле'])
  for (let hasMore = true; hasMore; ) {
    const before = copy.cursor
    await copy.advance(app, account, 2)
    // A page whose response was lost.
    copy.cursor = before
    hasMore = (await copy.advance(app, account, 2)).has_more
  }
  expect(copy.content()).toEqual(await serverContent(app, account))
})

it('sends pages of a megabyte, or of one item', async ({ app, account }) => {
  const content = 'я'.repeat(200_000)
  for (let at = 0; at < 5; at += 1)
    await app.call(notes.create, { body: { title: 'Длинная', content } }, account.auth)
  const copy = new Copy()
  const counts = []
  for (let hasMore = true; hasMore; ) {
    const page = await copy.advance(app, account)
    counts.push(page.notes.length)
    hasMore = page.has_more
  }
  expect(counts).toEqual([2, 2, 1, 0])
  const follower = new Copy()
  follower.cursor = '0.0.-'
  for (const expected of [2, 2, 1]) expect((await follower.advance(app, account)).notes.length).toBe(expected)
  expect(follower.content()).toEqual(copy.content())
})

/** Makes all changes up to now so many days older. */
const age = (app: TestApp, { id }: Account, days: number) =>
  app.db
    .updateTable('changes')
    .set(({ eb }) => ({ at: eb('at', '-', days * DAY) }))
    .where('owner_id', '=', id)
    .execute()

async function purge(app: TestApp, { id: owner_id }: Account, days = 0): Promise<void> {
  await purgeOld(app.db, { owner_id, now: app.now() + days * DAY })
}

const follow = (app: TestApp, { auth }: Account, since: string, language = 'ru') =>
  app.request(changes.follow, { query: { since } }, { ...auth, headers: { 'accept-language': language } })

const GONE = {
  ru: 'Изменения с того времени уже не хранятся. Получите все записи заново: тот же запрос без since.',
  en: 'The changes since then are not kept any more. Fetch all items anew: the same request without since.',
}

it('sends pages of a megabyte also of items with many tags whose texts stayed', async ({ app, account }) => {
  const { auth } = account
  const MANY = 300
  for (let made = 0; made < MANY; made += 20)
    await Promise.all([1, 2].map(() => createNotes(app, account, 10)))
  const names = Array.from({ length: 50 }, (_, at) => `Категория ${at}`)
  await app.call(bulk.change, { body: { filter: {}, add_tags: names } }, auth)
  const copy = await copyOf(app, account)
  const catchUp = async () => {
    for (;;) {
      const page = await copy.advance(app, account, 1000)
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_100_000)
      if (!page.has_more) return
    }
  }

  await app.call(bulk.change, { body: { filter: {}, pinned: true } }, auth)
  await catchUp()
  const items = [...copy.items.values()]
  expect(items.filter(({ pinned, tags }) => pinned && tags.length === names.length)).toHaveLength(MANY)

  const [from, into] = ['Категория 0', 'Другая']
  const all = await app.call(tags.list, { query: {} }, auth)
  const idOf = (name: string) => all.find((tag) => tag.name === name)?.id ?? ''
  const [one] = items
  await app.call(notes.update, { params: { id: one?.id ?? '' }, body: note('x', [into]) }, auth)
  const target = (await app.call(tags.list, { query: { search: into } }, auth))[0]?.id ?? ''
  await app.call(tags.merge, { params: { id: idOf(from) }, body: { into: target } }, auth)
  await catchUp()
  expect([...copy.items.values()].filter(({ tags }) => tags.includes(target))).toHaveLength(MANY)
}, 120_000)

it('responds 410 once a change since then is purged, and only then', async ({ app, account }) => {
  const { auth } = account
  const first = await copyOf(app, account)
  const [one] = await createNotes(app, account, 1)
  const params = { id: one?.id ?? '' }
  await age(app, account, 60)
  await app.call(notes.update, { params, body: note('Новая') }, auth)
  await age(app, account, 40)
  await purge(app, account)
  // The first change of the note is gone, but it was changed again.
  expect((await follow(app, account, first.cursor ?? '')).body).toMatchObject({ notes: [{ title: 'Новая' }] })
  const second = await copyOf(app, account)
  await age(app, account, 60)
  await purge(app, account)
  for (const [language, detail] of Object.entries(GONE)) {
    const reply = await follow(app, account, first.cursor ?? '', language)
    expect([reply.status, reply.body]).toEqual([410, { detail }])
  }
  // That change is what its cursor was recognised by.
  expect((await follow(app, account, second.cursor ?? '')).status).toBe(410)
  const third = await copyOf(app, account)
  expect(third.content()).toEqual(await serverContent(app, account))
  expect((await follow(app, account, third.cursor ?? '')).status).toBe(200)
  await app.call(notes.update, { params, body: note('Новейшая') }, auth)
  await third.catchUp(app, account)
  expect(third.content()).toEqual(await serverContent(app, account))
})

it('responds 410 once it is not kept any more which items a tag was taken from', async ({ app, account }) => {
  const [one] = await createNotes(app, account, 2, ['Лес', 'Дом'])
  const copy = await copyOf(app, account)
  const [wood, house] = one?.tags.map(({ id }) => id) ?? []
  await app.request(tags.merge, { params: { id: wood }, body: { into: house } }, account.auth)
  const later = await copyOf(app, account)
  await purge(app, account, 31)
  expect((await follow(app, account, copy.cursor ?? '')).status).toBe(410)
  expect((await follow(app, account, later.cursor ?? '')).status).toBe(200)
})

it('responds 410 after a restore from a backup, also once there are as many changes again', async ({
  app,
  account,
}) => {
  await createNotes(app, account, 2)
  const before = await copyOf(app, account)
  await createNotes(app, account, 2)
  const lost = await copyOf(app, account)
  const since = `${before.cursor?.split('.')[0]}.${lost.cursor?.split('.').slice(1).join('.')}`
  // What a backup from before has.
  const of = (table: 'items' | 'changes') => app.db.deleteFrom(table).where('owner_id', '=', account.id)
  await of('changes').where('seq', '>', 2).execute()
  const restored = app.db.updateTable('change_counts').set({ last_seq: 2 })
  await restored.where('owner_id', '=', account.id).execute()
  expect((await follow(app, account, before.cursor ?? '')).status).toBe(200)
  expect((await follow(app, account, lost.cursor ?? '')).status).toBe(410)
  await createNotes(app, account, 3)
  expect((await follow(app, account, lost.cursor ?? '')).status).toBe(410)
  // It had seen items that are newer than the backup, though it had followed only up to a change before.
  expect((await follow(app, account, since)).status).toBe(410)
})

it('refuses nonsense in a sentence', async ({ app, account }) => {
  const { auth } = account
  const hostile = [
    '',
    '0',
    '-1',
    '1.2',
    '1.2.3.x',
    '0.0.-.t1',
    '1e3.0.-',
    '0.0.-;drop table items',
    '٣.0.-',
    ' 0.0.-',
    '0.0.-\n',
    `${'9'.repeat(16)}.0.-`,
  ]
  for (const since of hostile) {
    const { status, body } = await app.request(changes.follow, { query: { since } }, auth)
    expect([since, status, body.since]).toEqual([
      since,
      400,
      ['Здесь нужно значение next из прежнего ответа'],
    ])
  }
  const nines = '9'.repeat(15)
  for (const since of [`${nines}.${nines}.-`, `${nines}.0.-`, `0.${nines}.-.i`, '5.3.-'])
    expect((await app.request(changes.follow, { query: { since } }, auth)).status, since).toBe(410)
  for (const limit of ['0', '-1', '1.5', 'x', ''])
    expect((await app.request(changes.follow, { query: { limit } }, auth)).body.limit).toEqual([
      'Нужно целое число от 1',
    ])
  await createNotes(app, account, 2)
  const page = await app.call(changes.follow, { query: { limit: '9'.repeat(30) } }, auth)
  expect(page.notes.length).toBe(2)
})

it('is open to a token that may read, and to no token of a feed', async ({ app, account }) => {
  await createNotes(app, account, 1)
  for (const [scope, status] of [
    ['read', 200],
    ['feed', 403],
  ] as const) {
    const { token } = await app.call(tokens.create, { body: { name: 'Телефон', scope } }, account.auth)
    expect((await app.request(changes.follow, {}, { token })).status).toBe(status)
  }
})

import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import { newOperation } from '../journal/journal.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { deleteItems } from './bulk.ts'
import { clearFound } from './purge.ts'

const DAY = 24 * 60 * 60_000

interface Context {
  app: TestApp
  account: Account
}

const create = ({ app, account }: Context, title: string, more: { content?: string; tags?: string[] } = {}) =>
  app.call(notes.create, { body: { title, content: `<p>${title}</p>`, ...more } }, account.auth)

/** The id of the operation that deleting the item was. */
async function remove({ app, account }: Context, id: string): Promise<string> {
  const reply = await app.request(notes.remove, { params: { id } }, account.auth)
  expect([reply.status, reply.body]).toEqual([204, { text: '' }])
  return reply.headers.get('operation') ?? ''
}

const undo = ({ app, account }: Context, id: string) =>
  app.call(operations.undo, { params: { id } }, account.auth)
const read = ({ app, account }: Context, id: string) => app.call(notes.read, { params: { id } }, account.auth)
const listed = ({ app, account }: Context) => app.call(notes.list, { query: {} }, account.auth)
const found = async ({ app, account }: Context, text: string) =>
  (await app.call(search, { query: { search: text, exact: '1' } }, account.auth)).notes.map(
    ({ title }) => title,
  )
const trashed = ({ app, account }: Context, query: { search?: string; page?: string } = {}) =>
  app.call(trash.list, { query }, account.auth)
const history = ({ app, account }: Context) => app.call(operations.list, { query: {} }, account.auth)

describe('undoing a deletion', () => {
  it('puts the item back as it was: text, tags and their spelling, dates, search', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const note = await create(context, 'Заметка о ежах', {
      content: '<p>Текст про <b>колючки</b></p>',
      tags: ['Лес', 'ёж'],
    })
    const operation = await remove(context, note.id)
    expect(await listed(context)).toEqual({ count: 0, results: [] })
    expect(await found(context, 'колючек')).toEqual([])
    expect(await undo(context, operation)).toEqual({ restored: 1, skipped: [], skipped_count: 0 })
    expect(await read(context, note.id)).toEqual(note)
    expect(await found(context, 'колючек')).toEqual(['Заметка о ежах'])
    expect(await found(context, 'tag:лес')).toEqual(['Заметка о ежах'])
    expect((await app.call(tags.list, { query: {} }, account.auth)).map((tag) => tag.notes_count)).toEqual([
      1, 1,
    ])
    expect((await trashed(context)).count).toBe(0)
  })

  it('works once, for 30 days, and for its owner alone', async ({ app, account }) => {
    const context = { app, account }
    const first = await remove(context, (await create(context, 'Первая')).id)
    const second = await remove(context, (await create(context, 'Вторая')).id)
    const stranger = { app, account: await newAccount(app) }
    const undoing = (of: Context, id: string) =>
      app.request(operations.undo, { params: { id } }, of.account.auth)
    expect((await undoing(stranger, first)).status).toBe(404)
    expect((await undoing(context, first)).status).toBe(200)
    const again = await undoing(context, first)
    expect([again.status, again.body]).toEqual([409, { detail: 'Это действие уже отменили.' }])
    const { count, results } = await history(context)
    expect(count).toBe(2)
    expect(
      results.map(({ id, action, items, undone_at }) => [id, action, items, undone_at !== null]),
    ).toEqual([
      [second, 'delete_items', 1, false],
      [first, 'delete_items', 1, true],
    ])
    app.advance(31 * DAY)
    const late = await newSession(context)
    expect((await undoing(late, second)).status).toBe(404)
    expect(await history(late)).toEqual({ count: 0, results: [] })
  })

  it('leaves what was changed since and names it', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'Изменённая')
    const operation = await remove(context, note.id)
    await app.call(trash.restore, { body: { ids: [note.id] } }, account.auth)
    expect(await undo(context, operation)).toEqual({
      restored: 0,
      skipped: [{ kind: 'note', id: note.id, title: 'Изменённая', reason: 'changed' }],
      skipped_count: 1,
    })
  })
})

async function newSession({ app, account }: Context): Promise<Context> {
  const { accounts } = await import('@kopilka/contract/accounts.ts')
  const { email, password } = account
  const session = await app.call(accounts.login, { body: { email, password } })
  return { app, account: { ...account, session, auth: { token: session.access_token } } }
}

describe('the trash', () => {
  it('lists deleted items, the last deleted first, and finds them by any form of their words', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const note = await create(context, 'Старая заметка', { tags: ['Дом'] })
    const body = {
      title: 'Ссылка',
      url: 'https://example.org/путь',
      description: 'про 2025 год и «тихий лес»',
    }
    const link = await app.call(links.create, { body }, account.auth)
    await remove(context, note.id)
    app.advance(1000)
    await app.call(links.remove, { params: { id: link.id } }, account.auth)
    const { count, results } = await trashed(context)
    expect(count).toBe(2)
    expect(results.map(({ deleted_at: _, ...item }) => item)).toEqual([
      {
        ...{ kind: 'urllink', id: link.id, title: 'Ссылка', url: 'https://example.org/путь' },
        ...{ excerpt: 'про 2025 год и «тихий лес»', tags: [], created_at: link.created_at },
      },
      {
        ...{ kind: 'note', id: note.id, title: 'Старая заметка', excerpt: 'Старая заметка', tags: note.tags },
        created_at: note.created_at,
      },
    ])
    const titles = async (text: string) =>
      (await trashed(context, { search: text })).results.map(({ title }) => title)
    expect(await titles('заметками')).toEqual(['Старая заметка'])
    expect(await titles('замет')).toEqual(['Старая заметка'])
    expect(await titles('2025')).toEqual(['Ссылка'])
    expect(await titles('"тихий лес"')).toEqual(['Ссылка'])
    expect(await titles('"лес тихий"')).toEqual([])
    expect(await titles('tag:дом')).toEqual(['Старая заметка'])
    expect(await titles('site:example.org')).toEqual(['Ссылка'])
    expect(await titles('-год')).toEqual(['Старая заметка'])
    expect(await titles('отсутствует')).toEqual([])
  })

  it('marks what a search has found, also far into a text', async ({ app, account }) => {
    const context = { app, account }
    const content = `<p>${'Начало текста. '.repeat(20)}Потом читаем заметки и книги.</p>`
    const { id } = await create(context, 'С заметками', { content, tags: ['Заметка', 'суп'] })
    const sign = await create(context, 'Вопрос ??')
    for (const one of [id, sign.id]) await remove(context, one)
    const [item] = (await trashed(context, { search: 'заметка' })).results
    const { excerpt = '', highlights } = item ?? {}
    const marked = (text: string, ranges: readonly (readonly [number, number])[] = []) =>
      ranges.map(([start, end]) => text.slice(start, end))
    expect(marked('С заметками', highlights?.title)).toEqual(['заметками'])
    expect(excerpt).toMatch(/^\.\.\..*читаем заметки и книги\.$/)
    expect(marked(excerpt, highlights?.excerpt)).toEqual(['заметки'])
    expect(highlights?.tags).toEqual([{ name: 'Заметка', ranges: [[0, 7]] }])
    const [signed] = (await trashed(context, { search: '??' })).results
    expect(marked('Вопрос ??', signed?.highlights?.title)).toEqual(['??'])
    expect((await trashed(context)).results.some((one) => 'highlights' in one)).toBe(false)
  })

  it('restores by ids or by a search, as an operation that can be undone', async ({ app, account }) => {
    const context = { app, account }
    const items = [
      await create(context, 'Раз', { tags: ['т'] }),
      await create(context, 'Два'),
      await create(context, 'Раз и два'),
    ]
    for (const { id } of items) await remove(context, id)
    const before = await trashed(context)
    const reply = await app.request(trash.restore, { body: { filter: { search: 'раз' } } }, account.auth)
    expect([reply.status, reply.body]).toEqual([200, { restored: 2 }])
    expect((await listed(context)).results.map(({ title }) => title)).toEqual(['Раз и два', 'Раз'])
    expect(await undo(context, reply.headers.get('operation') ?? '')).toEqual({
      restored: 2,
      skipped: [],
      skipped_count: 0,
    })
    expect((await listed(context)).count).toBe(0)
    expect((await trashed(context)).results.toSorted(byTitle)).toEqual(before.results.toSorted(byTitle))
    expect(await app.call(trash.restore, { body: { filter: {} } }, account.auth)).toEqual({ restored: 3 })
    expect((await listed(context)).count).toBe(3)
  })

  it('gives back a pin, and tags by the names that they have by now', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'Закреплённая', { tags: ['дом'] })
    await create(context, 'Новая')
    const body = { title: 'Закреплённая', content: 'x', add_tags: [], pinned: true }
    await app.call(notes.update, { params: { id: note.id }, body }, account.auth)
    await remove(context, note.id)
    const [tag] = note.tags
    const renaming = { params: { id: tag?.id ?? '' }, body: { name: 'дача' } }
    await app.call(tags.update, renaming, account.auth)
    await app.call(trash.restore, { body: { ids: [note.id] } }, account.auth)
    const { pinned, tags: named } = await read(context, note.id)
    expect([pinned, named]).toEqual([true, [{ ...tag, name: 'дача' }]])
    expect((await listed(context)).results.map(({ title }) => title)).toEqual(['Закреплённая', 'Новая'])
    expect(await found(context, 'tag:дача')).toEqual(['Закреплённая'])
  })

  it('restores nothing where an id is not in it', async ({ app, account }) => {
    const context = { app, account }
    const [kept, gone] = [await create(context, 'Есть'), await create(context, 'Нет')]
    await remove(context, gone.id)
    for (const id of [kept.id, 'malformed']) {
      const reply = await app.request(trash.restore, { body: { ids: [gone.id, id] } }, account.auth)
      expect(reply.status).toBe(404)
    }
    expect((await trashed(context)).count).toBe(1)
    for (const body of [{}, { ids: [gone.id], filter: {} }])
      expect((await app.request(trash.restore, { body }, account.auth)).status).toBe(400)
  })

  it('gives the whole of an item: a note with its content, a link with its description', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const content = `<p>${'Длинный <b>текст</b>. '.repeat(50)}</p>`
    const note = await create(context, 'Заметка', { content, tags: ['дом'] })
    const body = { title: 'Ссылка', url: 'https://example.org/', description: '<p>О чём она</p>' }
    const link = await app.call(links.create, { body }, account.auth)
    await remove(context, note.id)
    app.advance(1000)
    await app.call(links.remove, { params: { id: link.id } }, account.auth)
    const [listedLink, listedNote] = (await trashed(context)).results
    const whole = (id: string) => app.call(trash.read, { params: { id } }, account.auth)
    expect(await whole(note.id)).toEqual({ ...listedNote, content: note.content })
    expect(await whole(link.id)).toEqual({ ...listedLink, description: link.description })
  })

  it.for([
    [30, { kept_days: 30 }],
    [0, {}],
  ] as const)(
    'tells after how many days an item is deleted for ever: TRASH_DAYS=%s',
    async ([TRASH_DAYS, told], { startApp }) => {
      const app = await startApp({ settings: { TRASH_DAYS: String(TRASH_DAYS) } })
      const context = { app, account: await newAccount(app) }
      await remove(context, (await create(context, 'Щи')).id)
      for (const query of [{}, { search: 'щи' }]) {
        const { count, results: _, as_of: __, ...rest } = await trashed(context, query)
        expect([count, rest]).toEqual([1, told])
      }
    },
  )

  it('deletes one item or all of them for ever', async ({ app, account }) => {
    const context = { app, account }
    const items = [await create(context, 'Раз'), await create(context, 'Два'), await create(context, 'Три')]
    const deleted: string[] = []
    for (const { id } of items) deleted.push(await remove(context, id))
    const params = { id: items[0]?.id ?? '' }
    await app.call(trash.remove, { params }, account.auth)
    for (const call of [trash.remove, trash.read])
      expect((await app.request(call, { params }, account.auth)).status).toBe(404)
    expect((await trashed(context)).results.map(({ title }) => title)).toEqual(['Три', 'Два'])
    expect(await undo(context, deleted[0] ?? '')).toEqual({
      restored: 0,
      skipped: [{ kind: 'note', id: items[0]?.id, title: '', reason: 'changed' }],
      skipped_count: 1,
    })
    await app.call(trash.clear, { query: {} }, account.auth)
    expect((await trashed(context)).count).toBe(0)
  })

  it('deletes for ever what a search finds, and nothing where it has nothing to find', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    for (const title of ['Раз', 'Два', 'Раз и два', 'Три'])
      await remove(context, (await create(context, title)).id)
    const removeFound = (filter?: { search?: string }) =>
      app.request(trash.removeFound, { body: { filter } }, account.auth)
    const required = ['Обязательное поле']
    for (const search of ['', ' ', '\u200B\u2060', '\u0000']) {
      const { status, body } = await removeFound({ search })
      expect([search, status, body.search]).toEqual([search, 400, required])
    }
    for (const filter of [undefined, {}]) {
      const { status, body } = await removeFound(filter)
      expect([status, body.filter]).toEqual([400, required])
    }
    expect((await trashed(context)).count).toBe(4)
    expect((await removeFound({ search: 'раз' })).status).toBe(204)
    expect((await removeFound({ search: 'отсутствует' })).status).toBe(204)
    expect((await trashed(context)).results.map(({ title }) => title)).toEqual(['Три', 'Два'])
  })

  const LAST_CALLS = ['clear', 'removeFound'] as const
  /** Deletes for ever everything, or all that a search for "суп" finds. */
  const forEver = ({ app, account }: Context, last: (typeof LAST_CALLS)[number], as_of?: string) =>
    last === 'clear'
      ? app.request(trash.clear, { query: as_of === undefined ? {} : { as_of } }, account.auth)
      : app.request(trash.removeFound, { body: { filter: { search: 'суп', as_of } } }, account.auth)

  it.for(LAST_CALLS)(
    'deletes for ever what was there when a list of it was read, and no more: %s',
    async (last, { app, account }) => {
      const context = { app, account }
      const titles = async () => (await trashed(context)).results.map(({ title }) => title).sort()
      const ids: string[] = []
      for (const at of [1, 2, 3, 4, 5]) ids.push((await create(context, `Суп ${at}`)).id)
      const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids
      for (const id of [first, second, third]) await remove(context, id)
      app.advance(1000)
      const restoring = await app.request(trash.restore, { body: { ids: [first] } }, account.auth)
      await app.call(trash.restore, { body: { ids: [second] } }, account.auth)
      // The last change before the list, and the first after it, of the same millisecond.
      await remove(context, fourth)
      const { count, as_of } = await trashed(context, { search: 'суп' })
      expect([count, (await trashed(context)).as_of]).toEqual([2, as_of])
      await remove(context, fifth)
      await remove(context, second)
      // Goes back to the time of its first deletion.
      await undo(context, restoring.headers.get('operation') ?? '')
      expect(await titles()).toEqual(['Суп 1', 'Суп 2', 'Суп 3', 'Суп 4', 'Суп 5'])
      expect((await forEver(context, last, as_of)).status).toBe(204)
      expect(await titles()).toEqual(['Суп 1', 'Суп 2', 'Суп 5'])
      expect((await forEver(context, last, as_of)).status).toBe(204)
      expect(await titles()).toEqual(['Суп 1', 'Суп 2', 'Суп 5'])
      expect((await forEver(context, last)).status).toBe(204)
      expect(await titles()).toEqual([])
    },
  )

  it.for(LAST_CALLS)(
    'deletes nothing for ever with a bound that is none, or misspelt: %s',
    async (last, { app, account }) => {
      const context = { app, account }
      await remove(context, (await create(context, 'Суп')).id)
      for (const as_of of ['', '-1', '1.5', '2026-01-31T09:30:00.000Z', '9'.repeat(16)]) {
        const { status, body } = await forEver(context, last, as_of)
        const field = last === 'clear' ? 'as_of' : 'filter'
        const refusal = ['Здесь нужно значение as_of из списка корзины']
        expect([as_of, status, body[field]]).toEqual([as_of, 400, refusal])
      }
      const misspelt =
        last === 'clear'
          ? await app.send('DELETE', '/api/v1/trash/?as_off=0', undefined, account.auth)
          : await app.request(
              trash.removeFound,
              { body: { filter: { search: 'суп', as_off: '0' } } },
              account.auth,
            )
      expect(misspelt.status).toBe(400)
      expect((await trashed(context)).count).toBe(1)
    },
  )

  it('deletes for ever in several steps what was there when a list of it was read', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    for (let at = 0; at < 110; at += 1) await create(context, `Суп ${at}`)
    await app.call(bulk.change, { body: { filter: {}, delete: true } }, account.auth)
    const { count, as_of } = await trashed(context)
    expect(count).toBe(110)
    await remove(context, (await create(context, 'Уха')).id)
    await app.call(trash.clear, { query: { as_of } }, account.auth)
    expect((await trashed(context)).results.map(({ title }) => title)).toEqual(['Уха'])
  })

  it('keeps of what a search found an item that was restored and deleted again since', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const ids = [(await create(context, 'Раз')).id, (await create(context, 'Два')).id]
    for (const id of ids) await remove(context, id)
    const author = { owner_id: account.id, session_id: null, now: app.now() }
    app.advance(1000)
    await app.call(trash.restore, { body: { ids: ids.slice(0, 1) } }, account.auth)
    await remove(context, ids[0] ?? '')
    await clearFound(app.db, author, ids)
    expect((await trashed(context)).results.map(({ title }) => title)).toEqual(['Раз'])
  })
})

const byTitle = (one: { title: string }, other: { title: string }) => (one.title < other.title ? -1 : 1)

it('lists operations of one millisecond by their order', async ({ app, account }) => {
  const context = { app, account }
  const now = app.now()
  const ids: string[] = []
  for (let at = 0; at < 6; at += 1) {
    const note = await create(context, `Заметка ${at}`)
    const operation = newOperation({ owner_id: account.id, session_id: null }, 'delete_items', now)
    await app.db.write(deleteItems, { selected: { ids: [note.id] }, all: true, operation })
    ids.unshift(operation.id)
  }
  expect((await history(context)).results.map(({ id }) => id)).toEqual(ids)
})

describe('the history', () => {
  it('names the one item or tag that an operation changed, and nothing that was deleted for ever', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const one = await create(context, 'Щи', { tags: ['суп'] })
    const other = await create(context, 'Уха')
    await remove(context, one.id)
    await app.call(trash.restore, { body: { ids: [one.id] } }, account.auth)
    const params = { id: one.tags[0]?.id ?? '' }
    await app.call(tags.update, { params, body: { name: 'супы' } }, account.auth)
    await app.call(tags.remove, { params }, account.auth)
    const pin = (ids: string[]) => app.call(bulk.change, { body: { ids, pinned: true } }, account.auth)
    await pin([one.id])
    await app.call(bulk.change, { body: { filter: {}, pinned: false, add_tags: ['обед'] } }, account.auth)
    const named = async () =>
      (await history(context)).results.map(({ action, title }) => [action, title]).reverse()
    expect(await named()).toEqual([
      ['delete_items', 'Щи'],
      ['restore_items', 'Щи'],
      ['rename_tag', 'суп'],
      ['delete_tag', 'супы'],
      ['change_items', 'Щи'],
      ['change_items', undefined],
    ])
    await app.call(
      notes.update,
      { params: { id: one.id }, body: { title: 'Борщ', content: 'x', add_tags: [] } },
      account.auth,
    )
    // As lists call it now.
    expect((await named()).filter(([, title]) => title === 'Борщ')).toEqual([
      ['delete_items', 'Борщ'],
      ['restore_items', 'Борщ'],
      ['change_items', 'Борщ'],
    ])
    await remove(context, one.id)
    await app.call(trash.clear, { query: {} }, account.auth)
    await remove(context, other.id)
    expect(await named()).toEqual([
      ['delete_items', undefined],
      ['restore_items', undefined],
      ['rename_tag', 'суп'],
      ['delete_tag', 'супы'],
      ['change_items', undefined],
      ['change_items', undefined],
      ['delete_items', undefined],
      ['delete_items', 'Уха'],
    ])
  })
})

describe('undoing changes of tags', () => {
  it('puts a deleted tag back on its items, with its spelling', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'С тегом', { tags: ['РАБОТА', 'дом'] })
    const other = await create(context, 'Изменённая', { tags: ['работа'] })
    const id = note.tags.find(({ name }) => name === 'РАБОТА')?.id ?? ''
    const reply = await app.request(tags.remove, { params: { id } }, account.auth)
    expect(reply.status).toBe(204)
    await app.call(
      notes.update,
      { params: { id: other.id }, body: { title: 'Новая', content: 'x', tags: [] } },
      account.auth,
    )
    expect(await undo(context, reply.headers.get('operation') ?? '')).toEqual({
      restored: 1,
      skipped: [{ kind: 'note', id: other.id, title: 'Новая', reason: 'changed' }],
      skipped_count: 1,
    })
    expect(await read(context, note.id)).toEqual(note)
    expect(await app.call(tags.read, { params: { id } }, account.auth)).toEqual({
      ...{ id, name: 'РАБОТА', notes_count: 1, urllinks_count: 0 },
    })
    expect(await found(context, 'tag:работа')).toEqual(['С тегом'])
  })

  it('names items that were deleted since', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'Удалённая', { tags: ['тег'] })
    const { headers } = await app.request(tags.remove, { params: { id: note.tags[0]?.id } }, account.auth)
    await remove(context, note.id)
    expect(await undo(context, headers.get('operation') ?? '')).toEqual({
      restored: 1,
      skipped: [{ kind: 'note', id: note.id, title: 'Удалённая', reason: 'changed' }],
      skipped_count: 1,
    })
  })

  it('puts the old name back, unless another tag has taken it', async ({ app, account }) => {
    const context = { app, account }
    const { tags: named } = await create(context, 'С тегом', { tags: ['Старое'] })
    const id = named[0]?.id ?? ''
    const rename = async (name: string) =>
      (await app.request(tags.update, { params: { id }, body: { name } }, account.auth)).headers.get(
        'operation',
      )
    expect(await rename('Старое')).toBeNull()
    const [first, second] = [await rename('Новое'), await rename('Третье')]
    expect((await undo(context, second ?? '')).restored).toBe(1)
    expect((await undo(context, first ?? '')).restored).toBe(1)
    expect((await app.call(tags.read, { params: { id } }, account.auth)).name).toBe('Старое')
    const third = await rename('Четвёртое')
    await create(context, 'Другая', { tags: ['старое'] })
    expect(await undo(context, third ?? '')).toEqual({
      restored: 0,
      skipped: [{ kind: 'tag', id, title: 'Четвёртое', reason: 'changed' }],
      skipped_count: 1,
    })
  })
})

describe('versions', () => {
  const update = ({ app, account }: Context, id: string, title: string, more: object = {}) =>
    app.call(
      notes.update,
      { params: { id }, body: { title, content: `<p>${title}</p>`, ...more } },
      account.auth,
    )
  const versions = ({ app, account }: Context, id: string) =>
    app.call(notes.versions, { params: { id } }, account.auth)

  it('keeps what each save replaced, one for the saves of a session within five minutes', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const other = await newSession(context)
    const note = await create(context, 'Первая', { tags: ['тег'] })
    await update(context, note.id, 'Вторая')
    await update(context, note.id, 'Третья')
    await update(other, note.id, 'Четвёртая')
    app.advance(6 * 60_000)
    const last = await update(other, note.id, 'Пятая', { tags: [] })
    expect(last.title).toBe('Пятая')
    const { count, results } = await versions(context, note.id)
    expect(count).toBe(3)
    expect(results.map(({ revision, title, excerpt, tags }) => [revision, title, excerpt, tags])).toEqual([
      [4, 'Четвёртая', 'Четвёртая', ['тег']],
      [3, 'Третья', 'Третья', ['тег']],
      [1, 'Первая', 'Первая', ['тег']],
    ])
    expect(results[2]?.saved_at).toBe(note.created_at)
    const version = await app.call(notes.version, { params: { id: note.id, revision: '1' } }, account.auth)
    expect(version).toEqual({ ...results[2], content: '<p>Первая</p>' })
    for (const revision of ['2', '5', '0', 'x'])
      expect(
        (await app.request(notes.version, { params: { id: note.id, revision } }, account.auth)).status,
      ).toBe(404)
  })

  it('restores one as a new revision, which can be undone', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'Первая про ежей', { tags: ['старый'] })
    await update(context, note.id, 'Вторая про лис', { tags: ['новый'] })
    const now = await read(context, note.id)
    const params = { id: note.id, revision: '1' }
    const refused = await app.request(
      notes.restoreVersion,
      { params },
      { ...account.auth, headers: { 'if-match': '"1"' } },
    )
    expect(refused.status).toBe(412)
    const reply = await app.request(notes.restoreVersion, { params }, account.auth)
    expect([reply.status, reply.headers.get('etag')]).toEqual([200, '"3"'])
    expect(reply.body).toEqual({ ...note, updated_at: reply.body.updated_at })
    expect((await versions(context, note.id)).results.map(({ revision }) => revision)).toEqual([2, 1])
    expect(await undo(context, reply.headers.get('operation') ?? '')).toEqual({
      restored: 1,
      skipped: [],
      skipped_count: 0,
    })
    expect(await read(context, note.id)).toEqual(now)
    // What it replaced is the present again, and no earlier version of itself.
    expect((await versions(context, note.id)).results.map(({ revision }) => revision)).toEqual([1])
    const replaced = { params: { id: note.id, revision: '2' } }
    expect((await app.request(notes.version, replaced, account.auth)).status).toBe(404)
    expect(await found(context, 'лиса')).toEqual(['Вторая про лис'])
    expect(await found(context, 'ежи')).toEqual([])
    expect(await found(context, 'tag:новый')).toEqual(['Вторая про лис'])
  })

  it('names no operation where the item is as that version already, whatever its revision', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const note = await create(context, 'Первая')
    await update(context, note.id, 'Вторая')
    const params = { id: note.id, revision: '1' }
    const restore = () =>
      app.request(notes.restoreVersion, { params }, { ...account.auth, headers: { 'if-match': '"2"' } })
    const first = await restore()
    expect([first.status, first.headers.has('operation')]).toEqual([200, true])
    const again = await restore()
    expect([again.status, again.headers.get('operation'), again.headers.get('etag')]).toEqual([
      200,
      null,
      '"3"',
    ])
    expect((await history(context)).count).toBe(1)
  })

  it('have the names that their tags have by now: restored, they bring no old name back', async ({
    app,
    account,
  }) => {
    const context = { app, account }
    const note = await create(context, 'Первая', { tags: ['дом', 'сад', 'лес'] })
    await update(context, note.id, 'Вторая', { tags: [] })
    const idOf = (name: string) => note.tags.find((tag) => tag.name === name)?.id ?? ''
    const rename = (id: string, name: string) =>
      app.call(tags.update, { params: { id }, body: { name } }, account.auth)
    await rename(idOf('дом'), 'усадьба')
    await app.call(tags.merge, { params: { id: idOf('сад') }, body: { into: idOf('лес') } }, account.auth)
    // A deleted tag has the name that it had, and another one may have it by now.
    await rename(idOf('лес'), 'САД')
    const version = await app.call(notes.version, { params: { id: note.id, revision: '1' } }, account.auth)
    expect(version.tags).toEqual(['усадьба', 'САД'])
    const [listed] = (await versions(context, note.id)).results
    expect(listed?.tags).toEqual(version.tags)
    const params = { id: note.id, revision: '1' }
    const restored = await app.request(notes.restoreVersion, { params }, account.auth)
    const names = async () =>
      (await app.call(tags.list, { query: {} }, account.auth)).map(({ name, notes_count }) => [
        name,
        notes_count,
      ])
    expect(await names()).toEqual([
      ['САД', 1],
      ['усадьба', 1],
    ])
    expect(await undo(context, restored.headers.get('operation') ?? '')).toEqual({
      restored: 1,
      skipped: [],
      skipped_count: 0,
    })
    expect(await names()).toEqual([
      ['САД', 0],
      ['усадьба', 0],
    ])
  })

  it('leave the trash with their item, and go with it for ever', async ({ app, account }) => {
    const context = { app, account }
    const note = await create(context, 'Первая')
    await update(context, note.id, 'Вторая')
    await undo(context, await remove(context, note.id))
    expect((await versions(context, note.id)).count).toBe(1)
    await remove(context, note.id)
    await app.call(trash.remove, { params: { id: note.id } }, account.auth)
    const left = await app.db
      .selectFrom('changes')
      .selectAll()
      .orderBy('seq')
      .where('owner_id', '=', account.id)
      .execute()
    expect(left.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4, 5, 6])
    expect(
      left.flatMap(({ before, body, document }) => [before, body, document]).filter((text) => text !== null),
    ).toEqual([])
  })
})

it('undoes a restoration: the trash has the items in the order that it had', async ({ app, account }) => {
  const ids: string[] = []
  for (const title of ['А', 'Б', 'В', 'Г']) {
    const { id } = await app.call(notes.create, { body: { title, content: 'x' } }, account.auth)
    ids.push(id)
  }
  await app.call(bulk.change, { body: { ids, delete: true } }, account.auth)
  const titles = async () =>
    (await app.call(trash.list, { query: {} }, account.auth)).results.map(({ title }) => title)
  const before = await titles()
  for (const some of [ids, ids.toReversed()]) {
    const restored = await app.request(trash.restore, { body: { ids: some } }, account.auth)
    const params = { id: restored.headers.get('operation') ?? '' }
    expect(await app.call(operations.undo, { params }, account.auth)).toMatchObject({ restored: 4 })
    expect(await titles()).toEqual(before)
  }
})

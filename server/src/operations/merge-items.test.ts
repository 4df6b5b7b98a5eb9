import { bulk } from '@kopilka/contract/bulk.ts'
import { MAX_MERGED } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const save = (app: TestApp, { auth }: Account, description: string, names: string[] = []) =>
  app.call(
    links.create,
    { body: { url: 'https://example.org', title: description, description, tags: names } },
    auth,
  )

const merge = (app: TestApp, { auth }: Account, keep: string, ids: string[]) =>
  app.request(bulk.merge, { body: { keep, merge: ids } }, auth)

const read = (app: TestApp, { auth }: Account, id: string) => app.call(links.read, { params: { id } }, auth)

it('joins tags and texts, and keeps the oldest date and a pin', async ({ app, account }) => {
  const oldest = await save(app, account, 'первый', ['Работа', 'раз'])
  app.advance(1000)
  const keep = await save(app, account, 'второй', ['работа', 'два'])
  const same = await save(app, account, 'второй')
  await app.call(bulk.change, { body: { ids: [same.id], pinned: true } }, account.auth)
  const reply = await merge(app, account, keep.id, [oldest.id, same.id])
  expect([reply.status, reply.body]).toEqual([200, { merged: 2 }])
  const merged = await read(app, account, keep.id)
  expect(merged).toMatchObject({
    title: 'второй',
    url: keep.url,
    pinned: true,
    created_at: oldest.created_at,
  })
  expect(merged.description.replace(/<\/?p>/g, ' ').trim()).toMatch(/^второй\s*первый$/)
  expect(merged.tags.map(({ name }) => name)).toEqual(['два', 'Работа', 'раз'])
  const found = await app.call(search, { query: { search: 'первый второй' } }, account.auth)
  expect(found.urllinks.map(({ id }) => id)).toEqual([keep.id])
  const { results } = await app.call(trash.list, { query: {} }, account.auth)
  expect(results.map(({ id }) => id).sort()).toEqual([oldest.id, same.id].sort())
  const counts = await app.call(tags.list, { query: {} }, account.auth)
  expect(counts.map(({ name, urllinks_count }) => [name, urllinks_count])).toEqual([
    ['два', 1],
    ['Работа', 1],
    ['раз', 1],
  ])
})

it('joins no words of texts that stand in no element', async ({ app, account }) => {
  const texts = ['Один <b>жирный</b>', 'второе', 'котёл', '<p>x</p>кот', 'кот<ul><li>y</li></ul>', '<p>z</p>']
  const [keep, ...others] = await Promise.all(texts.map((text) => save(app, account, text)))
  const ids = others.map(({ id }) => id)
  expect((await merge(app, account, keep?.id ?? '', ids)).status).toBe(200)
  expect((await read(app, account, keep?.id ?? '')).description).toBe(
    '<p>Один <b>жирный</b></p><p>второе</p><p>котёл</p><p>x</p>кот<div>кот<ul><li>y</li></ul></div><p>z</p>',
  )
  const query = { search: 'жирный второе котел кот', exact: '1' } as const
  expect((await app.call(search, { query }, account.auth)).urllinks_count).toBe(1)
})

it('finds the kept item where its date of now puts it, also after the undo', async ({ app, account }) => {
  const saved = []
  for (const title of ['слово раз', 'слово два', 'слово три']) {
    saved.push(await save(app, account, title))
    app.advance(1000)
  }
  const [oldest = '', between = '', keep = ''] = saved.map(({ id }) => id)
  const found = async () => {
    const { urllinks } = await app.call(search, { query: { search: 'слово' } }, account.auth)
    return urllinks.map(({ id }) => id)
  }
  expect(await found()).toEqual([keep, between, oldest])
  const { headers } = await merge(app, account, keep, [oldest])
  expect(await found()).toEqual([between, keep])
  await app.call(operations.undo, { params: { id: headers.get('operation') ?? '' } }, account.auth)
  expect(await found()).toEqual([keep, between, oldest])
})

it('is undone as one operation, except for what has changed since', async ({ app, account }) => {
  const all = [await save(app, account, 'один', ['a']), await save(app, account, 'два', ['b'])]
  const [keep, other] = all.map(({ id }) => id)
  const before = await Promise.all(all.map(({ id }) => read(app, account, id)))
  const undo = async (operation: string | null) =>
    app.call(operations.undo, { params: { id: operation ?? '' } }, account.auth)
  const mergeBoth = async () =>
    (await merge(app, account, keep ?? '', [other ?? ''])).headers.get('operation')

  const first = await mergeBoth()
  const [listed] = (await app.call(operations.list, { query: {} }, account.auth)).results
  expect(listed).toMatchObject({ id: first, action: 'merge_items', items: 2 })
  expect(await undo(first)).toEqual({ restored: 2, skipped: [], skipped_count: 0 })
  expect(await Promise.all(all.map(({ id }) => read(app, account, id)))).toEqual(before)

  const second = await mergeBoth()
  const { url, title } = await read(app, account, keep ?? '')
  const body = { url, title, description: 'новый' }
  await app.call(links.update, { params: { id: keep ?? '' }, body }, account.auth)
  const undone = await undo(second)
  expect([undone.restored, undone.skipped.map(({ id }) => id)]).toEqual([1, [keep]])
  expect((await read(app, account, keep ?? '')).description).toContain('новый')
  expect((await read(app, account, other ?? '')).description).toContain('два')
})

it('changes nothing where it cannot be done, and says why', async ({ app, account }) => {
  const link = await save(app, account, 'один')
  const { id } = await save(app, account, 'два')
  const note = await app.call(notes.create, { body: { title: 'x', content: 'x' } }, account.auth)
  const theirs = await save(app, await newAccount(app), 'чужая')
  const many = async (from: number) =>
    save(
      app,
      account,
      `теги ${from}`,
      Array.from({ length: 30 }, (_, at) => `тег ${from + at}`),
    )
  const [tagged, more] = [await many(0), await many(25)]
  const long = `<p>${'длинный '.repeat(32_000)}</p>`
  const [one, two] = [await save(app, account, 'длинный'), await save(app, account, 'длинный 2')]
  for (const [index, item] of [one, two].entries()) {
    const body = { url: item.url, title: item.title, description: `${long}${index}` }
    await app.call(links.update, { params: { id: item.id }, body }, account.auth)
  }
  const before = (await app.call(links.list, { query: { view: 'summary' } }, account.auth)).results
  for (const [keep, ids, status, detail] of [
    [link.id, [link.id], 400, /с ней самой/],
    ['x', ['y'], 404, /./],
    [link.id, [note.id], 400, /одного вида/],
    [link.id, [theirs.id], 404, /Одной из записей нет/],
    [theirs.id, [link.id], 404, /Одной из записей нет/],
    [link.id, ['нет'], 404, /Одной из записей нет/],
    [tagged.id, [more.id], 400, /больше 50/],
    [one.id, [two.id], 400, /длиннее/],
    [id, [], 400, /исправьте ошибки/],
    [id, Array.from({ length: MAX_MERGED + 1 }, (_, at) => `${at}`), 400, /исправьте ошибки/],
  ] as const) {
    const reply = await merge(app, account, keep, [...ids])
    expect([reply.status, reply.body.detail]).toEqual([status, expect.stringMatching(detail)])
  }
  expect((await app.call(links.list, { query: { view: 'summary' } }, account.auth)).results).toEqual(before)
})

it('of two at a time one is done', async ({ app, account }) => {
  const [keep, other] = [await save(app, account, 'один'), await save(app, account, 'два')]
  const replies = await Promise.all([
    merge(app, account, keep.id, [other.id]),
    merge(app, account, other.id, [keep.id]),
  ])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
  expect((await app.call(links.list, { query: {} }, account.auth)).count).toBe(1)
})

import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const MISSING = '01a1fa45-9743-7383-8dfc-4ee65ccd69d0'

const note = (app: TestApp, { auth }: Account, title: string, names: string[] = [], content = 'текст') =>
  app.call(notes.create, { body: { title, content, tags: names } }, auth)
const link = (app: TestApp, { auth }: Account, title: string, names: string[] = []) =>
  app.call(
    links.create,
    { body: { title, url: 'https://example.org/', description: 'текст', tags: names } },
    auth,
  )

/** All that an account shows. */
async function stateOf(app: TestApp, { auth }: Account) {
  const found = (query: string) => app.call(search, { query: { search: query, exact: '1' } }, auth)
  return {
    notes: await app.call(notes.list, { query: { sort: 'title' } }, auth),
    links: await app.call(links.list, { query: { sort: 'title' } }, auth),
    tags: await app.call(tags.list, { query: {} }, auth),
    found: [await found('tag:дом'), await found('tag:сад'), await found('сад'), await found('текст')],
  }
}

const change = (app: TestApp, { auth }: Account, body: object) => app.request(bulk.change, { body }, auth)
const undo = (app: TestApp, { auth }: Account, id: string | null) =>
  app.call(operations.undo, { params: { id: id ?? '' } }, auth)
const titlesOf = (list: { results: { title: string }[] }) => list.results.map(({ title }) => title)

describe('a change of many items', () => {
  it('gives and takes tags, pins, says how many it changed, and is undone', async ({ app, account }) => {
    const one = await note(app, account, 'Один', ['Дом'])
    const two = await note(app, account, 'Два', ['сад'])
    const three = await link(app, account, 'Три', ['дом', 'сад'])
    const before = await stateOf(app, account)
    app.advance(1000)
    const ids = [one.id, two.id, three.id, one.id]
    const reply = await change(app, account, { ids, add_tags: ['САД', 'Лес'], remove_tags: ['дом', 'нет'] })
    expect([reply.status, reply.body]).toEqual([200, { changed: 3 }])
    const after = await stateOf(app, account)
    expect(after.notes.results.map((item) => item.tags.map(({ name }) => name))).toEqual([
      ['Лес', 'сад'],
      ['Лес', 'сад'],
    ])
    expect(
      after.tags.map(({ name, notes_count, urllinks_count }) => [name, notes_count, urllinks_count]),
    ).toEqual([
      ['Дом', 0, 0],
      ['Лес', 2, 1],
      ['сад', 2, 1],
    ])
    expect(after.found.map(({ notes_count, urllinks_count }) => notes_count + urllinks_count)).toEqual([
      0, 3, 3, 3,
    ])

    const pinned = await change(app, account, { ids: [one.id, two.id], pinned: true })
    expect(pinned.body).toEqual({ changed: 2 })
    expect((await change(app, account, { ids: [one.id, three.id], pinned: true })).body).toEqual({
      changed: 1,
    })
    const same = await change(app, account, { ids, pinned: true, add_tags: ['лес'], remove_tags: ['дом'] })
    expect([same.body, same.headers.get('operation')]).toEqual([{ changed: 0 }, null])

    expect((await undo(app, account, pinned.headers.get('operation'))).restored).toBe(2)
    const three_ = await app.call(links.read, { params: { id: three.id } }, account.auth)
    expect(three_.pinned).toBe(true)
    const listed = await app.call(operations.list, { query: {} }, account.auth)
    expect(listed.results.map(({ action, items }) => [action, items])).toEqual([
      ['change_items', 1],
      ['change_items', 2],
      ['change_items', 3],
    ])
    await undo(app, account, listed.results[0]?.id ?? '')
    expect(await undo(app, account, reply.headers.get('operation'))).toEqual({
      restored: 3,
      skipped: [],
      skipped_count: 0,
    })
    const { tags: left, ...restored } = await stateOf(app, account)
    const { tags: _, ...expected } = before
    expect(restored).toEqual(expected)
    expect(left.filter(({ notes_count, urllinks_count }) => notes_count + urllinks_count > 0)).toEqual(
      before.tags,
    )
  })

  it('deletes into the trash, and is undone', async ({ app, account }) => {
    const one = await note(app, account, 'Один', ['дом'])
    const two = await link(app, account, 'Два', ['дом', 'сад'])
    await note(app, account, 'Три', ['дом'])
    const before = await stateOf(app, account)
    const reply = await change(app, account, { ids: [one.id, two.id], delete: true })
    expect(reply.body).toEqual({ changed: 2 })
    const after = await stateOf(app, account)
    expect([titlesOf(after.notes), titlesOf(after.links)]).toEqual([['Три'], []])
    expect(
      after.tags.map(({ name, notes_count, urllinks_count }) => [name, notes_count + urllinks_count]),
    ).toEqual([
      ['дом', 1],
      ['сад', 0],
    ])
    const trashed = await app.call(trash.list, { query: {} }, account.auth)
    expect(titlesOf(trashed).sort()).toEqual(['Два', 'Один'])
    await undo(app, account, reply.headers.get('operation'))
    expect(await stateOf(app, account)).toEqual(before)
  })

  it('takes the conditions of the lists for a filter', async ({ app, account }) => {
    const { tags: named } = await note(app, account, 'Книга о доме', ['дом'])
    await note(app, account, 'Книга о саде')
    await link(app, account, 'Книга о лесе', ['дом'])
    await link(app, account, 'Тетрадь')
    const tag = named[0]?.id ?? ''
    const cases: [object, number][] = [
      [{}, 4],
      [{ kind: 'note' }, 2],
      [{ kind: 'urllink' }, 2],
      [{ tag }, 2],
      [{ untagged: true }, 2],
      [{ untagged: false }, 4],
      [{ tag, untagged: true }, 0],
      [{ search: 'книги' }, 3],
      [{ search: 'книги', kind: 'urllink' }, 1],
      [{ search: 'книги', tag }, 2],
      [{ search: 'книги', untagged: true }, 1],
      [{ search: 'rybub' }, 3],
      [{ search: 'rybub', exact: true }, 0],
      [{ search: 'книги о слонопотаме' }, 0],
      [{ search: ' ' }, 4],
    ]
    for (const [filter, changed] of cases) {
      const reply = await change(app, account, { filter, pinned: true })
      expect([filter, reply.body]).toEqual([filter, { changed }])
      if (changed > 0) await undo(app, account, reply.headers.get('operation'))
    }
    const strange = await change(app, await newAccount(app), { filter: { tag }, pinned: true })
    expect([strange.status, strange.body.detail]).toEqual([
      404,
      'Категория не найдена. Возможно, её уже удалили.',
    ])
  })

  it("changes nothing where one id is missing, malformed or another user's, or one item would have too many tags", async ({
    app,
    account,
  }) => {
    const mine = await note(app, account, 'Моя', ['дом'])
    const other = await newAccount(app)
    const theirs = await note(app, other, 'Чужая')
    const full = await note(
      app,
      account,
      'Полная',
      Array.from({ length: 50 }, (_, at) => `тег ${at}`),
    )
    const before = [await stateOf(app, account), await stateOf(app, other)]
    for (const id of [theirs.id, MISSING, 'malformed', '', 'x'.repeat(2000)])
      for (const body of [{ delete: true }, { pinned: true }, { add_tags: ['новый'] }]) {
        const reply = await change(app, account, { ids: [mine.id, id], ...body })
        expect([reply.status, reply.headers.get('operation')]).toEqual([404, null])
      }
    const reply = await change(app, account, { ids: [mine.id, full.id], add_tags: ['новый'], pinned: true })
    expect([reply.status, reply.body.add_tags]).toEqual([400, ['Не больше 50 тегов']])
    expect([await stateOf(app, account), await stateOf(app, other)]).toEqual(before)
  })

  it.for([
    [{ pinned: true }, 'Назовите либо ids, либо filter.'],
    [{ ids: [MISSING], filter: {}, pinned: true }, 'Назовите либо ids, либо filter.'],
    [{ filter: {} }, 'Нужно либо delete, либо хотя бы одно из add_tags, remove_tags и pinned.'],
    [
      { filter: {}, delete: true, pinned: false },
      'Нужно либо delete, либо хотя бы одно из add_tags, remove_tags и pinned.',
    ],
    [{ ids: [], pinned: true }, 'Пожалуйста, исправьте ошибки в форме.'],
    [{ filter: { kind: 'tag' }, pinned: true }, 'Пожалуйста, исправьте ошибки в форме.'],
    // Misspelt: without this condition the filter would find everything.
    [{ filter: { serach: 'zzzz' }, delete: true }, 'Пожалуйста, исправьте ошибки в форме.'],
  ] as const)('refuses %j', async ([body, detail], { app, account }) => {
    const reply = await change(app, account, body)
    expect([reply.status, reply.body.detail]).toEqual([400, detail])
  })

  it('leaves what was changed since, and names it, where it is undone', async ({ app, account }) => {
    const one = await note(app, account, 'Один')
    const two = await note(app, account, 'Два')
    const reply = await change(app, account, { ids: [one.id, two.id], add_tags: ['дом'] })
    const body = { title: 'Новое', content: 'текст' }
    await app.call(notes.update, { params: { id: one.id }, body }, account.auth)
    expect(await undo(app, account, reply.headers.get('operation'))).toEqual({
      restored: 1,
      skipped: [{ kind: 'note', id: one.id, title: 'Новое', reason: 'changed' }],
      skipped_count: 1,
    })
    const { results } = await app.call(notes.list, { query: { sort: 'title' } }, account.auth)
    expect(results.map(({ title, tags }) => [title, tags.length])).toEqual([
      ['Два', 0],
      ['Новое', 1],
    ])
  })

  it('counts right beside other changes of the same items and tags', async ({ app, account }) => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, at) => note(app, account, `${at}`, ['дом'])),
    )
    const ids = made.map(({ id }) => id)
    const some = (rest: number) => ids.filter((_, at) => at % 3 !== rest).toReversed()
    const replies = await Promise.all([
      change(app, account, { ids, add_tags: ['сад', 'лес'] }),
      change(app, account, { ids: some(0), add_tags: ['лес'], remove_tags: ['дом', 'сад'] }),
      change(app, account, { ids: some(1), add_tags: ['луг', 'сад'], remove_tags: ['лес'] }),
      change(app, account, { filter: {}, pinned: true }),
      ...ids.map((id) =>
        app.request(
          notes.update,
          { params: { id }, body: { title: 'я', content: 'т', add_tags: ['луг'] } },
          account.auth,
        ),
      ),
    ])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    for (const { id, notes_count } of await app.call(tags.list, { query: {} }, account.auth)) {
      const rows = await app.db
        .selectFrom('item_tags')
        .select('item_id')
        .where('owner_id', '=', account.id)
        .where('tag_id', '=', id)
        .execute()
      expect(rows).toHaveLength(notes_count)
    }
    const { results } = await app.call(notes.list, { query: {} }, account.auth)
    expect(results.every(({ pinned }) => pinned)).toBe(true)
  })
})

describe('a merge of tags', () => {
  it('gives the items the other tag, once, and is undone', async ({ app, account }) => {
    const both = await note(app, account, 'Обе', ['Дом', 'сад'])
    await note(app, account, 'Первая', ['дом'])
    await link(app, account, 'Вторая', ['дом'])
    await link(app, account, 'Третья', ['сад'])
    const [home, garden] = both.tags
    const before = await stateOf(app, account)
    const request = { params: { id: home?.id ?? '' }, body: { into: garden?.id ?? '' } }
    const reply = await app.request(tags.merge, request, account.auth)
    expect([reply.status, reply.body]).toEqual([
      200,
      { id: garden?.id, name: 'сад', notes_count: 2, urllinks_count: 2 },
    ])
    const after = await stateOf(app, account)
    expect(after.tags).toEqual([reply.body])
    expect(after.found.map(({ notes_count, urllinks_count }) => [notes_count, urllinks_count])).toEqual([
      [0, 0],
      [2, 2],
      [2, 2],
      [2, 2],
    ])
    expect((await app.request(tags.merge, request, account.auth)).status).toBe(404)
    expect((await undo(app, account, reply.headers.get('operation'))).skipped).toEqual([])
    expect(await stateOf(app, account)).toEqual(before)
  })

  it("is refused with itself, and with a tag that is missing or another user's", async ({ app, account }) => {
    const { tags: named } = await note(app, account, 'Моя', ['дом'])
    const { tags: theirs } = await note(app, await newAccount(app), 'Чужая', ['сад'])
    const id = named[0]?.id ?? ''
    const merge = async (id: string, into: unknown) =>
      (await app.request(tags.merge, { params: { id }, body: { into } as never }, account.auth)).status
    expect(await merge(id, id)).toBe(400)
    for (const other of [theirs[0]?.id ?? '', MISSING, 'malformed', '%00'])
      expect([await merge(id, other), await merge(other, id)]).toEqual([404, 404])
    expect(await merge(id, 1)).toBe(400)
  })
})

it('puts everything back, whatever is changed and in whatever order that is undone', {
  timeout: 120_000,
}, async ({ app, account }) => {
  const names = ['дом', 'сад', 'лес', 'луг']
  const some = fc.subarray(names)
  const step = fc.oneof(
    fc.record({ add_tags: some, remove_tags: some }),
    fc.record({ pinned: fc.boolean() }),
    fc.constant({ delete: true }),
    fc.record({ merge: fc.tuple(fc.nat(), fc.nat()) }),
  )
  const steps = fc.sample(fc.record({ step, which: fc.array(fc.nat({ max: 11 }), { minLength: 1 }) }), {
    numRuns: 40,
    seed: 11,
  })
  // Each tag has an item that nothing changes: a tag without items would stay after the undo that created it.
  for (const name of names) await note(app, account, `Носитель ${name}`, [name])
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0
        ? note(app, account, `${at}`, names.slice(at % 4))
        : link(app, account, `${at}`, names.slice(0, at % 4)),
    ),
  )
  const ids = made.map(({ id }) => id)
  const before = await stateOf(app, account)
  const done: string[] = []
  for (const { step, which } of steps) {
    app.advance(1000)
    const listed = await app.call(tags.list, { query: {} }, account.auth)
    const reply = await ('merge' in step
      ? app.request(
          tags.merge,
          {
            params: { id: listed[step.merge[0] % listed.length]?.id ?? '' },
            body: { into: listed[step.merge[1] % listed.length]?.id ?? '' },
          },
          account.auth,
        )
      : change(app, account, { ids: which.flatMap((at) => ids[at] ?? []), ...step }))
    const operation = reply.headers.get('operation')
    if (operation !== null) done.push(operation)
  }
  expect(done.length).toBeGreaterThan(10)
  for (const operation of done.toReversed()) expect((await undo(app, account, operation)).skipped).toEqual([])
  expect(await stateOf(app, account)).toEqual(before)
})

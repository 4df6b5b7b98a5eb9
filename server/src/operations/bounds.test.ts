import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import type { Reply } from '../testing/client.ts'
import { createNotes } from '../testing/create-notes.ts'
import { recountHistory } from '../testing/faults/integrity.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { STEP } from './running.ts'

/** The statement that finds all notes of an owner. */
const LISTING = /^select "id" from "items" where "owner_id" = \S+ and "kind" = \S+$/

describe('changes of many items', () => {
  test('are two at a time for an owner, only these find their items; twenty wait, others are refused at once, and other owners go on', async ({
    startApp,
  }) => {
    const said: string[] = []
    const app = await startApp({ onStatement: (sql) => said.push(sql) })
    const account = await newAccount(app)
    await createNotes(app, account, { count: STEP + 1, tags: [] })
    const other = await newAccount(app)
    const theirs = await app.call(notes.create, { body: { title: 'Чужая', content: 'текст' } }, other.auth)
    const listings = () => said.filter((sql) => LISTING.test(sql)).length

    const changes: Promise<Reply>[] = []
    const statuses: number[] = []
    await app.db.transaction().execute(async (trx) => {
      // Writes of the owner wait for this one.
      await sql`update items set revision = revision where owner_id = ${account.id}`.execute(trx)
      for (let at = 0; at < 60; at += 1) {
        const body = { filter: { kind: 'note' }, pinned: at % 2 === 0 } as const
        const change = app.request(bulk.change, { body }, account.auth)
        changes.push(change)
        void change.then(({ status }) => statuses.push(status))
      }
      // Once so many are refused all the others have begun or wait.
      await expect.poll(() => statuses.length).toBe(60 - 2 - 20)
      await expect.poll(listings).toBe(2)
      expect(new Set(statuses)).toEqual(new Set([429]))
    })
    const reply = await app.request(bulk.change, { body: { ids: [theirs.id], pinned: true } }, other.auth)
    expect([reply.status, reply.body]).toEqual([200, { changed: 1 }])
    const replies = await Promise.all(changes)
    const done = replies.filter(({ status }) => status === 200)
    expect([done.length, listings()]).toEqual([22, 22])
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

/** More than a search once looked through. */
const MANY = 20_500

describe('a search of the trash', () => {
  test('finds words of texts whose terms are read one by one', async ({ app, account: { auth } }) => {
    const words = Array.from({ length: 5_000 }, (_, at) => `слово${at.toString(36)}ж`)
    for (const [title, content] of [
      ['Короткая', 'слово1ж'],
      ['Длинная', words.join(' ')],
      ['Вторая длинная', `${words.join(' ')} ${words.join('ы ')}`],
      ['Другая', 'ничего'],
    ] as const) {
      const { id } = await app.call(notes.create, { body: { title, content: `<p>${content}</p>` } }, auth)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const found = async (search: string) =>
      (await app.call(trash.list, { query: { search } }, auth)).results.map(({ title }) => title)
    expect(await found('слово1ж')).toEqual(['Вторая длинная', 'Длинная', 'Короткая'])
    expect(await found(`${words.at(-1)}`)).toEqual(['Вторая длинная', 'Длинная'])
    expect(await found(`"${words.slice(-3).join(' ')}"`)).toEqual(['Вторая длинная', 'Длинная'])
  })

  test('finds words of texts that an older analyser has read', async ({ app, account: { auth } }) => {
    const { id } = await app.call(notes.create, { body: { title: 'Список', content: '<p>иголка</p>' } }, auth)
    await app.call(notes.remove, { params: { id } }, auth)
    await sql`update changes set document = replace(document, '"analyser":', '"analyser":1')`.execute(app.db)
    const { count } = await app.call(trash.list, { query: { search: 'иголки' } }, auth)
    expect(count).toBe(1)
  })

  test('looks through all of it', { timeout: 60_000 }, async ({ app, account: { auth, id: owner_id } }) => {
    for (const [title, content] of [
      ['Первая', '<p>иголка</p>'],
      ['Другая', '<p>сено</p>'],
    ] as const) {
      const { id } = await app.call(notes.create, { body: { title, content } }, auth)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    await sql`insert into changes (owner_id, seq, kind, entity_id, at, is_reverted, "before", body, document)
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${sql.lit(MANY)})
      select owner_id, seq + number, kind, substr(entity_id, 1, 24) || (100000000000 + number), at, is_reverted, "before", 'x', document
      from changes, numbers where owner_id = ${owner_id} and body = '<p>сено</p>'`.execute(app.db)
    await sql`insert into trash (owner_id, item_id, seq, deleted_at)
      select owner_id, entity_id, seq, at from changes where owner_id = ${owner_id} and body = 'x'`.execute(
      app.db,
    )
    await recountHistory(app.db)
    // PostgreSQL does so itself within a minute; without it each piece takes a quarter of a second.
    await sql`analyze`.execute(app.db)
    const found = async (search: string) => app.call(trash.list, { query: { search } }, auth)
    const { count, results } = await found('иголка')
    expect([count, results.map(({ title }) => title)]).toEqual([1, ['Первая']])
    expect((await found('сено')).count).toBe(MANY + 1)
  })

  test('lists any page by an index', async ({ app, account: { auth } }) => {
    for (let count = 0; count < 17; count += 1) {
      const { id } = await app.call(notes.create, { body: { title: `${count}`, content: 'x' } }, auth)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const { count, results } = await app.call(trash.list, { query: { page: '2' } }, auth)
    expect([count, results.map(({ title }) => title)]).toEqual([17, ['1', '0']])
  })
})

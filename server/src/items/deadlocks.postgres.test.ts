import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { waitingForLock } from '../testing/waiting-for-lock.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { contentOf } from './item.ts'
import { createItemStore } from './store.ts'

const it = test.extend('deadlocks', ({ app }) => async () => {
  // A backend reports its statistics when it ends, if not before. Waits for the end of each.
  const { rows: ended } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid, 10000) as ended
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    and pid <> pg_backend_pid()`.execute(app.db)
  expect(ended.filter((backend) => !backend.ended)).toEqual([])
  const { rows } = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
    where datname = current_database()`.execute(app.db)
  return rows[0]?.count
})

it('concurrent saves of one owner do not deadlock, whether they create tags or not', async ({
  app,
  account,
  deadlocks,
}) => {
  const before = await deadlocks()
  const save = (at: number) => {
    const tags = at % 2 === 0 ? [`метка ${at}`] : []
    return app.request(
      notes.create,
      { body: { title: `Заметка ${at}`, content: 'текст', tags } },
      account.auth,
    )
  }
  const statuses = new Set<number>()
  for (let round = 0; round < 10; round += 1) {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => save(round * 8 + at)))
    for (const { status } of replies) statuses.add(status)
  }
  expect([...statuses]).toEqual([201])
  expect(await deadlocks()).toBe(before)
})

it('concurrent saves of many items of one owner do not deadlock, whatever the order of their words and tags', async ({
  app,
  account,
  deadlocks,
}) => {
  const before = await deadlocks()
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  const words = Array.from(
    { length: 40 },
    (_, at) => `слово${String.fromCharCode(0x430 + (at % 32))}${at < 32 ? 'а' : 'б'}`,
  )
  await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      store.createMany(
        (at % 2 === 0 ? words : words.toReversed()).map((word) => ({
          owner_id: account.id,
          kind: at % 3 === 0 ? 'link' : 'note',
          draft: {
            ...contentOf({ title: word, body: word, url: at % 3 === 0 ? 'https://example.org/' : null }),
            tags: [word],
          },
        })),
      ),
    ),
  )
  await pool.close()
  expect(await deadlocks()).toBe(before)
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from items
    where owner_id = ${account.id}`.execute(app.db)
  expect(rows[0]?.count).toBe(240)
})

it('a merge of tags locks the items that it changes before the tags, whatever others take from the tag meanwhile', async ({
  app,
  account,
  deadlocks,
}) => {
  const create = (title: string, names: string[]) =>
    app.call(notes.create, { body: { title, content: 'текст', tags: names } }, account.auth)
  const [first] = await Promise.all(
    Array.from({ length: 120 }, (_, at) => create(`Заметка ${at}`, at === 0 ? ['икс', 'игрек'] : ['икс'])),
  )
  const idOf = (name: string) => first?.tags.find((tag) => tag.name === name)?.id ?? ''
  const [id, into] = [idOf('икс'), idOf('игрек')]
  const before = await deadlocks()
  const lockTag = sql`select id from tags where owner_id = ${account.id} and id = ${id} for update`
  const merging = await app.db.transaction().execute(async (other) => {
    // Has some items and waits for the tag of another transaction, which takes that from them.
    const merging = await app.db.transaction().execute(async (taking) => {
      await lockTag.execute(taking)
      const merging = app.request(tags.merge, { params: { id }, body: { into } }, account.auth)
      await waitingForLock(app, '%from "tags"%for update')
      const { rows } = await sql<{ id: string }>`select id from items where owner_id = ${account.id}
        for update skip locked`.execute(other)
      const free = rows.map((row) => row.id)
      expect(free.length).toBeGreaterThan(0)
      expect(free.length).toBeLessThan(120)
      await taking.deleteFrom('item_tags').where('tag_id', '=', id).where('item_id', 'not in', free).execute()
      return { merging }
    })
    await waitingForLock(app, '%from "items"%for update')
    await lockTag.execute(other)
    return merging
  })
  expect((await merging.merging).status).toBe(200)
  expect(await deadlocks()).toBe(before)
})

test('saves lock what others of the owner wait for in one order, though their statements are sent together', async ({
  startApp,
}) => {
  const locking: string[] = []
  const app = await startApp({
    onStatement: (sql) => {
      const [, table, lock] = /^\s*insert into "?(\w+)"?|(pg_advisory_xact_lock_shared)/.exec(sql) ?? []
      if (table ?? lock) locking.push(table ?? lock ?? '')
    },
  })
  const { auth } = await newAccount(app)
  const save = (title: string) =>
    app.call(notes.create, { body: { title, content: title, tags: ['лес'] } }, auth)
  await save('Первая')
  locking.length = 0
  await save('Вторая')
  expect(locking).toEqual([
    ...['items', 'tags', 'item_tags', 'search_words', 'pg_advisory_xact_lock_shared', 'search_forms'],
    ...['item_counts', 'usage', 'change_counts', 'changes'],
  ])
})

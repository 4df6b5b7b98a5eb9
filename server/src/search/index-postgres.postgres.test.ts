import type { Condition } from '@kopilka/text/search/condition.ts'
import { allOf, anyOf } from '@kopilka/text/search/conditions.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Database, openDb } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { rowsRead } from '../testing/query-plan.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { postgresIndex } from './index-postgres.ts'

const OWNER = '01a2b3c4-0000-7000-8000-000000000001'
const TIME = Date.UTC(2026, 0, 31)
/** So many that reading all is slower than using the index. */
const ITEMS = 1000

interface Asked {
  sql: string
  parameters: readonly unknown[]
}

let database: TestDatabase
let db: Database
let asked: Asked[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  db = await openDb(database.settings, ({ sql, parameters }) => {
    asked.push({ sql, parameters })
  })
  await addOwner(db)
  await transact(db, async (trx) => {
    for (let at = 0; at < ITEMS; at += 1) await put(trx, at, ['*', '=слово', `=номер${at}`])
    for (let at = ITEMS; at < ITEMS + 3; at += 1)
      await put(trx, at, ['*', ...Array.from({ length: 60_000 }, (_, word) => `=длинное${word}`)])
  })
  await sql`analyze search_words`.execute(db)
}, 120_000)
afterAll(async () => {
  await db.destroy()
  await database.remove()
})

const addOwner = (db: Database, owner_id = OWNER) =>
  sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values (${owner_id}, ${owner_id}, ${owner_id}, 'Анна', 'Каренина', '', ${TIME})`.execute(db)

const idOf = (at: number): string => `01a2b3c4-0000-7000-8000-${at.toString().padStart(12, '0')}`

async function put(
  trx: Parameters<typeof postgresIndex.upsert>[0],
  at: number,
  terms: string[],
  { owner_id = OWNER, forms = '' } = {},
) {
  const item = { owner_id, id: idOf(at), kind: 'note', created_at: TIME + at } as const
  await trx
    .insertInto('items')
    .values({
      ...item,
      title: '',
      body: '',
      excerpt: '',
      url: null,
      revision: 1,
      updated_at: TIME,
      pinned: 0,
      title_key: '',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const document = { terms: terms.join(' '), forms, stems: forms }
  await postgresIndex.upsert(trx, owner_id, [{ item, document, tagIds: [] }])
}

const find = async (condition: Condition, limit = 10) =>
  (await postgresIndex.newest(db, OWNER, condition, { limit })).map(({ id }) => id)

/** The plan of each statement that `ask` sends about the words of items. */
async function plansOf(ask: () => Promise<unknown>): Promise<string[]> {
  asked = []
  await ask()
  return db.transaction().execute(async (trx) => {
    const plans: string[] = []
    for (const { sql: text, parameters } of asked.filter((one) => one.sql.includes('@@'))) {
      const explain = { ...sql`select 1`.compile(trx), sql: `explain (format json) ${text}`, parameters }
      plans.push(JSON.stringify((await trx.executeQuery(explain)).rows))
    }
    return plans
  })
}

it('leaves statistics of all tables that lists and searches read', async () => {
  const tables = [
    'items',
    'tags',
    'item_tags',
    'changes',
    'trash',
    'duplicates',
    'search_words',
    'search_forms',
  ]
  await transact(db, (trx) => postgresIndex.maintain(trx))
  // PostgreSQL says -1 of a table that was never analysed.
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relname = any(${tables}) and relkind in ('r', 'p') and reltuples >= 0
  `.execute(db)
  expect(rows.map(({ relname }) => relname).toSorted()).toEqual(tables.toSorted())
})

it('uses the index of terms in each of its statements', async () => {
  const one: Condition = { term: '=номер7' }
  const prefix: Condition = { term: '=номер7', prefix: true }
  const plans = await plansOf(async () => {
    await postgresIndex.countAndFirst(db, OWNER, { all: [one, { these: prefix, but: { term: '=иное' } }] }, 5)
    await postgresIndex.newest(db, OWNER, prefix, { limit: 5 })
    await postgresIndex.conditionsMet(db, OWNER, [one, prefix])
    await postgresIndex.countUpTo(db, OWNER, [one, prefix], 10)
  })
  const indexes = plans.map((plan) => /search_words_(?:whole|parted)/.exec(plan)?.[0])
  expect(indexes.toSorted()).toEqual([
    ...Array(4).fill('search_words_parted'),
    ...Array(4).fill('search_words_whole'),
  ])
})

it.each([600, 2000])('uses it for a question of many words among %i items', async (count) => {
  const database = await createTestDatabase()
  const asked: Asked[] = []
  const db = await openDb(database.settings, ({ sql, parameters }) => {
    asked.push({ sql, parameters })
  })
  onTestFinished(async () => {
    await db.destroy()
    await database.remove()
  })
  await addOwner(db)
  await transact(db, async (trx) => {
    for (let at = 0; at < count; at += 1) {
      const words = Array.from({ length: 150 }, (_, word) => `=слово${(at * 7 + word * 13) % 3000}`)
      await put(trx, at, ['*', ...words])
    }
  })
  await sql`analyze search_words`.execute(db)
  asked.length = 0
  const words = Array.from({ length: 16 }, (_, word) =>
    anyOf(['=', '/', '@'].map((place) => ({ term: `${place}слово${word * 17}` }))),
  )
  await postgresIndex.countAndFirst(db, OWNER, allOf(words), 5)
  const [{ sql: text, parameters } = { sql: '', parameters: [] }] = asked.filter((one) =>
    one.sql.includes('@@'),
  )
  const explain = { ...sql`select 1`.compile(db), sql: `explain (format json) ${text}`, parameters }
  const plan = JSON.stringify((await db.executeQuery(explain)).rows)
  expect(plan).toContain('"Index Name":"search_words_whole"')
  expect(plan).not.toMatch(/search_words_key|Seq Scan/)
})

it('looks forms up by their key, also of an owner whom the statistics do not know', async () => {
  const NEW = '01a2b3c4-0000-7000-8000-000000000002'
  const [FORMS, REMOVED] = [2_000, 100]
  const database = await createTestDatabase()
  const asked: Asked[] = []
  const db = await openDb(database.settings, ({ sql, parameters }) => {
    asked.push({ sql, parameters })
  })
  onTestFinished(async () => {
    await db.destroy()
    await database.remove()
  })
  await sql`alter table search_forms set (autovacuum_enabled = false)`.execute(db)
  const forms = Array.from({ length: FORMS }, (_, at) => `слово${at}`).toSorted()
  const document = { terms: '*', forms: forms.join(' '), stems: forms.join(' ') }
  await addOwner(db)
  await transact(db, (trx) => put(trx, 0, ['*'], document))
  await sql`analyze search_forms`.execute(db)
  await addOwner(db, NEW)
  await transact(db, (trx) => put(trx, 1, ['*'], { ...document, owner_id: NEW }))
  asked.length = 0
  await transact(db, async (trx) => {
    expect(await postgresIndex.documentsOf(trx, NEW, [idOf(1)])).toEqual(new Map([[idOf(1), document]]))
    // The item has them all: none is removed, here or below.
    await postgresIndex.removeUnusedForms(trx, NEW, forms.slice(0, REMOVED))
  })
  const figures = []
  for (const statement of asked.filter((one) => one.sql.includes('search_forms')))
    figures.push(await rowsRead(db, statement, 'search_forms'))
  expect(figures.map(({ read }) => read)).toEqual([FORMS, REMOVED])
  for (const { inVain } of figures) expect(inVain).toBeLessThan(REMOVED ** 2)
})

it('keeps the owner in the row, so that no match needs another look-up', async () => {
  const terms = ['*', ...Array.from({ length: 500 }, (_, at) => `=слово${at}`)]
  const isApart = async () => {
    await transact(db, (trx) => put(trx, 3, terms))
    // The words are asked for as well, because an index knows the owner, and has it in the row.
    const { rows } = await sql<{
      apart: boolean
    }>`select pg_column_toast_chunk_id(owner_id) is not null as apart, words
      from search_words where item_id = ${idOf(3)}`.execute(db)
    return rows[0]?.apart
  }
  expect(await isApart()).toBe(false)
  await sql`delete from search_words where item_id = ${idOf(3)}`.execute(db)
  await sql`alter table search_words alter column owner_id set storage extended`.execute(db)
  expect(await isApart()).toBe(true)
  await sql`alter table search_words alter column owner_id set storage plain`.execute(db)
  expect(await isApart()).toBe(false)
})

it('keeps PostgreSQL from planning with statistics over all owners', async () => {
  const { rows } =
    await sql`select tablename from pg_stats where tablename like 'search\\_words\\_%'`.execute(db)
  expect(rows).toEqual([])
})

it.each([`o'neil`, `'':*`, 'a|b', '!a', 'a&b', 'a\\', `a\\'`, 'a+b', '1<->2'])(
  'takes %j for what it is',
  async (word) => {
    await transact(db, (trx) => put(trx, 2, ['*', `=x${word}`, `@x${word}`]))
    for (const term of [`=x${word}`, `@x${word}`]) {
      expect(await find({ term })).toEqual([idOf(2)])
      expect(await find({ term, prefix: true })).toEqual([idOf(2)])
      expect(await find({ term: `${term}x` })).toEqual([])
    }
  },
)

it.each([300, 2_000, 60_000])('finds an item by any of its %i words, in whatever script', async (count) => {
  const words = Array.from({ length: count }, (_, at) => `=ﷲ한𝒳${at}`)
  await transact(db, (trx) => put(trx, 3, ['*', ...words]))
  const [first = '', middle = '', last = ''] = [0, count / 2, count - 1].map((at) => words[at])
  for (const term of [first, middle, last]) expect(await find({ term })).toEqual([idOf(3)])
  expect(await find({ all: [{ term: first }, { term: last }] })).toEqual([idOf(3)])
  expect(await find({ all: [{ term: first }, { term: '=слово' }] })).toEqual([])
})

it('lets a batch of items and a save that share words wait for each other in one order', async () => {
  const held = Promise.withResolvers<void>()
  const entry = (at: number, forms: string) => {
    const item = { id: idOf(at), kind: 'note', created_at: TIME } as const
    return { item, document: { terms: '*', forms, stems: forms }, tagIds: [] }
  }
  const waiting = async (count: number) => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]?.count === count
  }
  const save = (entries: ReturnType<typeof entry>[]) =>
    db.transaction().execute((trx) => postgresIndex.upsert(trx, OWNER, entries))
  const begun = Promise.withResolvers<void>()
  const first = db.transaction().execute(async (trx) => {
    await postgresIndex.upsert(trx, OWNER, [entry(1, 'море')])
    begun.resolve()
    await held.promise
  })
  await begun.promise
  // It has the first of its words, and waits for the second.
  const second = save([entry(2, 'арбуз море яблоко')])
  await expect.poll(() => waiting(1)).toBe(true)
  const batch = save([entry(3, 'яблоко'), entry(4, 'арбуз')])
  await expect.poll(() => waiting(2)).toBe(true)
  held.resolve()
  expect(await Promise.allSettled([first, second, batch])).toMatchObject(
    [1, 2, 3].map(() => ({ status: 'fulfilled' })),
  )
})

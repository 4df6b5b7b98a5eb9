import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { StatementLog } from '../db/dialect.ts'
import { openDb } from '../db/open.ts'
import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { feedOf } from '../feed/atom.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { countUntagged, listSummaries } from './queries.ts'
import { duplicatesOf, linksTo } from './same-links.ts'

const ITEMS = 10_000
const INDEXES = { created: 'items_newest', updated: 'items_changed', title: 'items_by_title' } as const

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  for (const kind of ITEM_KINDS) await fill(kind)
  await sql`analyze items`.execute(app.db)
  // Index entries alone suffice only where PostgreSQL knows the rows to be visible to all.
  if (app.db.fullText === 'tsvector') await sql`vacuum items`.execute(app.db)
}, 120_000)
afterAll(() => app.close())

async function fill(kind: ItemKind): Promise<void> {
  for (let from = 0; from < ITEMS; from += 500)
    await app.db
      .insertInto('items')
      .values(
        Array.from({ length: 500 }, (_, index) => {
          const at = from + index
          const id = `01a2b3c4-0000-7000-${kind === 'note' ? '8000' : '9000'}-${at.toString().padStart(12, '0')}`
          const times = { created_at: at, updated_at: (at * 7919) % ITEMS }
          const texts = {
            title: '',
            title_key: `${(at * 104_729) % ITEMS}`,
            // As wide as items are: PostgreSQL would rather read narrow rows than an index.
            body: 'текст '.repeat(50),
            excerpt: 'текст '.repeat(16),
            url: null,
            identity_key: createHash('sha256').update(id).digest('hex'),
          }
          return {
            ...{
              owner_id: account.id,
              id,
              kind,
              revision: 1,
              pinned: Number(at % 1000 === 0),
            },
            ...times,
            ...texts,
          }
        }),
      )
      .execute()
}

/** How the database runs the only statement that `ask` sends. */
async function planOf(ask: (db: Awaited<ReturnType<typeof openDb>>) => Promise<unknown>): Promise<string> {
  const asked: Parameters<StatementLog>[0][] = []
  const db = await openDb(readConfig({ ...app.database.settings }), (statement) => asked.push(statement))
  await ask(db)
  await db.destroy()
  const [{ sql: text, parameters } = { sql: '', parameters: [] }] = asked.filter((one) =>
    one.sql.includes('"items"'),
  )
  const plan = (trx: Db, explain: string) =>
    trx.executeQuery({ ...sql`select 1`.compile(trx), sql: `${explain} ${text}`, parameters })
  const { rows } = await app.db.transaction().execute(async (trx) => {
    if (app.db.fullText === 'fts5') return plan(trx, 'explain query plan')
    return plan(trx, 'explain')
  })
  return rows.map((row) => JSON.stringify(row)).join('\n')
}

describe.each(Object.entries(INDEXES))('a list in the order %s', (sort, index) => {
  it.each([
    ['all', 0],
    ['all', 9_000],
    ['untagged', 0],
    ['untagged', 9_000],
  ])('of %s items from %i reads the ids of its page from an index in that order', async (which, offset) => {
    const piece = {
      owner_id: account.id,
      kind: 'note',
      limit: 15,
      offset,
      untagged: which === 'untagged',
    } as const
    const plan = await planOf((db) => listSummaries(db, { ...piece, sort: sort as keyof typeof INDEXES }))
    expect(plan).toMatch(new RegExp(`(?:COVERING INDEX|Index Only Scan(?: Backward)? using) ${index}`))
    expect(plan).not.toMatch(/SCAN items|Seq Scan on items/)
  })
})

it('counts items without tags from indexes alone', async () => {
  const plan = await planOf((db) => countUntagged(db, { owner_id: account.id, kind: 'note' }))
  expect(plan).toMatch(/COVERING INDEX items_|Index Only Scan using items_/)
  expect(plan).not.toMatch(/SCAN items|Seq Scan on items/)
})

it('finds the links to a page by one look-up in an index, and reads no more than the newest of many', async () => {
  const url = 'https://example.org/'
  const plan = await planOf((db) => linksTo(db, { owner_id: account.id, url, limit: 6 }))
  expect(plan).toMatch(/COVERING INDEX items_identity|Index Only Scan(?: Backward)? using items_identity/)
  expect(plan).not.toMatch(/SCAN items|Seq Scan on items/)
})

it('finds the newest links of a feed in an index in their order', async () => {
  const plan = await planOf((db) => feedOf(db, { owner_id: account.id, tag: undefined, page: '' }))
  expect(plan).toMatch(/COVERING INDEX items_newest|Index Only Scan Backward using items_newest/)
  expect(plan).not.toMatch(/SCAN items|Seq Scan on items/)
})

it('reads a page of duplicates, and the newest links to each, from indexes in their order', async () => {
  // Of an empty table PostgreSQL would rather sort the rows.
  const pages = Array.from({ length: 5000 }, (_, at) => ({
    owner_id: account.id,
    identity_key: `${at}`,
    copies: 2,
    newest_id: `01a2b3c4-0000-7000-8000-${((at * 7919) % 5000).toString().padStart(12, '0')}`,
  }))
  for (let from = 0; from < pages.length; from += 500)
    await app.db
      .insertInto('duplicates')
      .values(pages.slice(from, from + 500))
      .execute()
  await sql`analyze duplicates`.execute(app.db)
  const plan = await planOf((db) => duplicatesOf(db, { owner_id: account.id, limit: 15, offset: 0 }))
  expect(plan).toMatch(/INDEX duplicates_newest|Index Scan Backward using duplicates_newest/)
  expect(plan).toMatch(/COVERING INDEX items_identity|Index Only Scan Backward using items_identity/)
  expect(plan).not.toMatch(/SCAN (?:items|duplicates)|Seq Scan/)
  await app.db.deleteFrom('duplicates').where('owner_id', '=', account.id).execute()
})

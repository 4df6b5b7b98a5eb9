import { createHash } from 'node:crypto'
import type { Sort } from '@kopilka/contract/items.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import type { StatementLog } from '../db/dialect.ts'
import { openDb } from '../db/open.ts'
import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { feedOf } from '../feed/atom.ts'
import { findExistingItems, trashedBefore } from '../imports/existing-items.ts'
import { type TrashPage, trashedItems } from '../operations/trash.ts'
import { createTagStore } from '../tags/store.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { countIds, type IdPieces, idsInPiece } from './id-pieces.ts'
import { createItemLists } from './lists.ts'
import { countUntagged, listSummaries } from './queries.ts'
import { duplicatesOf, linksTo } from './same-links.ts'

const ITEMS = 10_000
const INDEXES = { created: 'items_newest', updated: 'items_changed', title: 'items_by_title' } as const

const said: string[] = []
let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp({ onStatement: (sql) => said.push(sql) })
  account = await newAccount(app)
  for (const kind of ITEM_KINDS) await fill(kind)
  await fillTrash()
  for (const table of ['items', 'changes', 'trash']) await sql`analyze ${sql.table(table)}`.execute(app.db)
  // Index entries alone suffice only where PostgreSQL knows the rows to be visible to all.
  if (app.db.fullText === 'tsvector') await sql`vacuum items`.execute(app.db)
}, 120_000)
afterAll(() => app.close())

const idOf = (kind: ItemKind, at: number): string =>
  `01a2b3c4-0000-7000-${kind === 'note' ? '8000' : '9000'}-${at.toString().padStart(12, '0')}`
const keyOf = (id: string): string => createHash('sha256').update(id).digest('hex')

async function fill(kind: ItemKind): Promise<void> {
  await app.db.insertInto('item_counts').values({ owner_id: account.id, kind, count: ITEMS }).execute()
  for (let from = 0; from < ITEMS; from += 500)
    await app.db
      .insertInto('items')
      .values(
        Array.from({ length: 500 }, (_, index) => {
          const at = from + index
          const id = idOf(kind, at)
          const times = { created_at: at, updated_at: (at * 7919) % ITEMS }
          const texts = {
            title: '',
            title_key: `${(at * 104_729) % ITEMS}`,
            // As wide as items are: PostgreSQL would rather read narrow rows than an index.
            body: 'текст '.repeat(50),
            excerpt: 'текст '.repeat(16),
            url: null,
            identity_key: keyOf(id),
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

const BEFORE = JSON.stringify({ title: 'x', excerpt: 'x', url: null, tags: [], created_at: 1 })

/** Items of the trash that were all deleted at one time. */
const TRASHED = 11_000

async function fillTrash(): Promise<void> {
  const change = { kind: 'note' as const, revision: null, at: 1, session_id: null, operation_id: null }
  const kept = { is_reverted: 0, version: null, before: BEFORE, body: 'текст '.repeat(100), document: null }
  for (let from = 0; from < TRASHED; from += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => ({ owner_id: account.id, seq: from + at + 1 }))
    await app.db
      .insertInto('changes')
      .values(rows.map((row) => ({ ...change, ...kept, ...row, entity_id: `${row.seq}` })))
      .execute()
    await app.db
      .insertInto('trash')
      .values(
        rows.map((row) => ({ ...row, item_id: `${row.seq}`, deleted_at: 1, identity_key: `${row.seq}` })),
      )
      .execute()
  }
}

/** How the database runs the first statement on a table that `ask` sends. */
async function planOf(
  ask: (db: Awaited<ReturnType<typeof openDb>>) => Promise<unknown>,
  of: TestApp = app,
  table = 'items',
): Promise<string> {
  const asked: Parameters<StatementLog>[0][] = []
  const db = await openDb(readConfig({ ...of.database.settings }), (statement) => asked.push(statement))
  await ask(db)
  await db.destroy()
  const [{ sql: text, parameters } = { sql: '', parameters: [] }] = asked.filter((one) =>
    one.sql.includes(`"${table}"`),
  )
  const plan = (trx: Db, explain: string) =>
    trx.executeQuery({ ...sql`select 1`.compile(trx), sql: `${explain} ${text}`, parameters })
  const { rows } = await of.db.transaction().execute(async (trx) => {
    if (of.db.fullText === 'fts5') return plan(trx, 'explain query plan')
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

/** A tag that so many of the notes have. */
async function tagOf(notes: number): Promise<string> {
  const owner_id = account.id
  const id = `01a2b3c4-0000-7000-a000-${notes.toString().padStart(12, '0')}`
  const name = `метка ${notes}`
  const counts = { notes_count: notes, urllinks_count: 0 }
  await app.db
    .insertInto('tags')
    .values({ owner_id, id, name, name_key: name, ...counts })
    .execute()
  await sql`insert into item_tags (owner_id, item_id, tag_id, kind)
    select owner_id, id, ${id}, kind from items where owner_id = ${owner_id} and kind = 'note' and created_at < ${notes}`.execute(
    app.db,
  )
  await sql`analyze item_tags`.execute(app.db)
  return id
}

it('finds the items of a tag in the index of tags, and those of one that thousands have in another thread', async () => {
  const [few, many] = [await tagOf(20), await tagOf(6_000)]
  const piece = { owner_id: account.id, kind: 'note', limit: 15, offset: 0 } as const
  const plan = await planOf((db) => listSummaries(db, { ...piece, tag_id: few }))
  expect(plan).toMatch(/INDEX item_tags_by_tag|Index (?:Only )?Scan(?: Backward)? using item_tags_by_tag/)
  expect(plan).not.toMatch(/SCAN item|Seq Scan on item/)
  const pool = createWorkerPool(app.database.settings)
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore({ db: app.db, clock: app.now }), pool })
  const asked = { owner_id: account.id, kinds: ['note'], limit: 15, offset: 15 } as const
  const titled = async (tag_id: string, sort: Sort) => {
    const { items, count } = await lists.summaries({ ...asked, tag_id, sort })
    return [items.note.map(({ id }) => Number(id.slice(-12))), await count('note'), pool.done()]
  }
  expect(await titled(few, 'created')).toEqual([[5, 4, 3, 2, 1], 20, 0])
  const [newest, count, tasks] = await titled(many, 'created')
  // Six of them are pinned.
  expect([newest, count, tasks]).toEqual([Array.from({ length: 15 }, (_, at) => 5_990 - at), 6_000, 1])
  expect(await titled(many, 'title')).toEqual([expect.any(Array), 6_000, 2])
  const untagged = await lists.summaries({ ...asked, tag_id: many, untagged: true })
  expect([untagged.items.note, await untagged.count('note'), pool.done()]).toEqual([[], 0, 2])
})

/** The lists of the account over a database and threads whose statements `sent` has. */
async function watchedLists() {
  const sent: string[] = []
  const log: StatementLog = ({ sql }) => void sent.push(sql)
  const db = await openDb(readConfig({ ...app.database.settings }), log)
  const pool = createWorkerPool(app.database.settings, log)
  onTestFinished(async () => {
    await pool.close()
    await db.destroy()
  })
  const lists = createItemLists({ db, tags: createTagStore({ db, clock: app.now }), pool })
  return { db, pool, lists, sent }
}

const HAS_OFFSET = /\boffset\b/

it('finds a page far down in a list in another thread, and asks for none past its end', async () => {
  const { pool, lists, sent } = await watchedLists()
  const wanted = { owner_id: account.id, kinds: ['note'], limit: 15 } as const
  const pageAt = async (offset: number) => {
    sent.length = 0
    const { items, count } = await lists.summaries({ ...wanted, offset })
    return [items.note.map(({ id }) => Number(id.slice(-12))), await count('note'), pool.done()]
  }
  // The ten that are pinned come first.
  const from = (newest: number) => Array.from({ length: 15 }, (_, at) => newest - at)
  expect(await pageAt(4_010)).toEqual([from(5_995), ITEMS, 0])
  expect(await pageAt(9_010)).toEqual([from(990), ITEMS, 1])
  for (const offset of [ITEMS, 15_000_000_000]) {
    expect(await pageAt(offset)).toEqual([[], ITEMS, 1])
    expect(sent.filter((sql) => HAS_OFFSET.test(sql))).toEqual([])
  }
  const { items, count } = await lists.summaries({ ...wanted, kinds: ['note', 'link'], offset: 9_010 })
  expect([items.note.length, items.link.length, await count('link'), pool.done()]).toEqual([15, 15, ITEMS, 3])
  const unpinned = await lists.wholes({ ...wanted, untagged: true, offset: 15_000_000 }, async () => {})
  expect(unpinned.items.note).toEqual([])
})

it('counts a large trash and lists its pages in another thread, and asks for none past its end', async () => {
  const { db, pool, sent } = await watchedLists()
  const piece = { owner_id: account.id, limit: 15, offset: 9_000 }
  expect(await trashedItems(db, piece, 5_000)).toBeUndefined()
  expect(sent.filter((sql) => HAS_OFFSET.test(sql))).toEqual([])
  const { count, results } = await pool.run<TrashPage>('trashedItems', piece)
  expect([count, results.map(({ id }) => Number(id))]).toEqual([
    TRASHED,
    Array.from({ length: 15 }, (_, at) => TRASHED - 9_000 - at),
  ])
  const ids = await pool.run<IdPieces>('allTrashed', account.id)
  expect([countIds(ids), new Set(ids.flatMap(idsInPiece)).size]).toEqual([TRASHED, TRASHED])
  said.length = 0
  const last = await app.call(trash.list, { query: { page: '1000000000' } }, account.auth)
  expect(last).toEqual({ count: TRASHED, results: [], as_of: expect.any(String), kept_days: 30 })
  // Once on the event loop, as far as a few, and once in a thread.
  expect(said.filter((sql) => /^select count.* from "trash"/.test(sql))).toHaveLength(2)
  expect(said.filter((sql) => HAS_OFFSET.test(sql))).toEqual([])
})

it('counts many operations and lists their pages in another thread, and asks for none past their end', async () => {
  const [many, few] = [await newAccount(app), await newAccount(app)]
  const operation = { action: 'delete_items' as const, items: 1, first_seq: 1, last_seq: 1 }
  const fillOperations = async (owner_id: string, count: number) => {
    for (let from = 0; from < count; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => ({
        ...{ ...operation, owner_id, id: idOf('note', from + at), at: app.now() },
        ...{ undone_at: null, work: null },
      }))
      await app.db.insertInto('operations').values(rows).execute()
    }
  }
  await fillOperations(many.id, 5_500)
  await fillOperations(few.id, 5_000)
  for (const [{ auth }, count, counts] of [
    [many, 5_500, 2],
    [few, 5_000, 1],
  ] as const) {
    said.length = 0
    const first = await app.call(operations.list, { query: {} }, auth)
    expect([first.count, first.results.length]).toEqual([count, 15])
    expect(said.filter((sql) => /^select count.* from "operations"/.test(sql))).toHaveLength(counts)
    said.length = 0
    const last = await app.call(operations.list, { query: { page: '1000000000' } }, auth)
    expect(last).toEqual({ count, results: [] })
    expect(said.filter((sql) => HAS_OFFSET.test(sql))).toEqual([])
  }
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

/** PostgreSQL would rather read all of a small table than look for many rows of it. */
const FEW = 20

const found = (format: string) => ({ owner_id: account.id, format, operation_id: 'x' })

it.each(['netscape', 'kopilka'])(
  'finds what an import of the format %s has already by one look-up of each key, however many copies there are',
  async (format) => {
    const keys = Array.from({ length: 200 }, (_, at) => keyOf(idOf('note', at)))
    const kept = (db: Db, most = 200) =>
      findExistingItems(
        db,
        found(format),
        keys.slice(0, most).map((identity_key) => ({ identity_key, url: null })),
      )
    expect((await kept(app.db)).size).toBe(200)
    const plan = await planOf(kept)
    expect(plan).toMatch(
      /INDEX items_identity \(owner_id=\? AND identity_key=\?\)|Limit[\s\S]*Index Only Scan using items_identity/,
    )
    expect(plan).not.toMatch(/changes|GROUP BY|Aggregate|TEMP B-TREE|Sort/)
    if (format === 'kopilka')
      expect(await planOf((db) => kept(db, FEW), app, 'changes')).toMatch(
        /INDEX changes_by_entity \(owner_id=\? AND entity_id=\?\)|Scan (?:using|on) changes_by_entity/,
      )
    if (app.db.fullText !== 'fts5') return
    // The first import comes before SQLite has counted any rows, and chooses its plans by rules alone.
    const fresh = await createTestApp()
    onTestFinished(() => fresh.close())
    expect(await planOf(kept, fresh)).toMatch(/INDEX items_identity \(owner_id=\? AND identity_key=\?\)/)
  },
)

it('finds what the trash has already by one look-up of each key, however many items were deleted at one time', async () => {
  const entries = Array.from({ length: 200 }, (_, at) => ({ identity_key: `${at + 1}`, deletedAt: 1 }))
  const trashed = (db: Db, most = 200) => trashedBefore(db, found('kopilka'), entries.slice(0, most), 2)
  const INDEX = /INDEX trash_identity \(owner_id=\? AND identity_key=\? AND deleted_at>\? AND deleted_at<\?\)/
  const plan = await planOf(trashed, app, 'trash')
  expect(plan).toMatch(app.db.fullText === 'fts5' ? INDEX : /Limit[\s\S]*Index Scan using trash_identity/)
  expect(plan).not.toMatch(/trash_by_time|changes|TEMP B-TREE|Sort|Seq Scan on trash/)
  expect(await planOf((db) => trashed(db, FEW), app, 'changes')).toMatch(
    /\(owner_id=\? AND seq=\?\)|Scan (?:using|on) changes_key/,
  )
  if (app.db.fullText !== 'fts5') return
  const fresh = await createTestApp()
  onTestFinished(() => fresh.close())
  expect(await planOf(trashed, fresh, 'trash')).toMatch(INDEX)
})

it('finds the newest links of a feed in an index in their order', async () => {
  const asked = { owner_id: account.id, tag: undefined, page: '', known: '', isHead: false }
  const plan = await planOf((db) => feedOf(db, asked))
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

// `node bench/src/journal-cost.ts [ROUNDS]`: what the journal adds to a save, on SQLite. See bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { sampleItems } from '../../scripts/samples/sample-items.ts'
import { dialectFor, openDb } from '../../server/src/db/open.ts'
import type { Tables } from '../../server/src/db/schema.ts'
import { SqliteConnection } from '../../server/src/db/sqlite-connection.ts'
import { noteMapping } from '../../server/src/items/item.ts'
import { createItem, deleteItem, updateItem } from '../../server/src/items/store.ts'
import { newOperation } from '../../server/src/journal/journal.ts'

const ROUNDS = Number(process.argv[2] ?? 300)
/** Notes that are there before, so that the tables and indexes have a usual size. */
const NOTES = 3000
const OWNER = uuidv7()
const MINUTES = 60_000
const quotas = { items: 1e9, tags: 1e9, text_bytes: 1e15 }

/** What writes into the journal: a connection without it answers these itself. Reading whether a save makes a version stays. */
const JOURNAL = /^insert into "(?:changes|operations|trash|change_counts)"/

const folder = mkdtempSync(join(tmpdir(), 'kopilka-journal-'))
let isJournalled = true
const { all } = SqliteConnection.prototype
SqliteConnection.prototype.all = function <Row>(sql: string, parameters: readonly unknown[]): Row[] {
  if (isJournalled || !JOURNAL.test(sql)) return all.call(this, sql, parameters) as Row[]
  return (sql.includes('change_counts') ? [{ last_seq: 1 }] : []) as Row[]
}

async function openWithNotes(name: string) {
  const settings = { DATA_DIR: join(folder, name), DATABASE_URL: '' }
  await (await openDb(settings)).destroy()
  const db = new Kysely<Tables>({ dialect: dialectFor(settings).connectForMigrations() })
  const [email, email_key] = ['bench@example.org', 'bench@example.org']
  const names = { first_name: 'Анна', last_name: 'К.', password_hash: '', created_at: 0 }
  await db
    .insertInto('users')
    .values({ owner_id: OWNER, email, email_key, ...names })
    .execute()
  return db
}

const drafts = [...sampleItems({ count: 2 * NOTES, seed: 1, until: Date.now() })].flatMap((item) =>
  item.kind === 'note' ? [noteMapping.toDraft(item.save)] : [],
)
const draftAt = (at: number) => drafts[at % drafts.length] ?? drafts[0]

type Db = Awaited<ReturnType<typeof openWithNotes>>

/** A measured save: milliseconds of its transaction, as the writer thread runs it, with its wait for the disk. */
async function timed(db: Db, run: (trx: Parameters<typeof createItem.run>[0]) => Promise<unknown>) {
  const start = performance.now()
  await db.transaction().execute(run)
  return performance.now() - start
}

const keyOf = (id: string) => ({ owner_id: OWNER, kind: 'note' as const, id })

async function create(db: Db, id: string, at: number, now: number): Promise<number> {
  const draft = draftAt(at)
  if (!draft) throw new RangeError('There are no samples.')
  const made = {
    key: keyOf(id),
    session_id: 'bench',
    created_at: now,
    now,
    idempotencyKey: undefined,
    quotas,
  }
  const prepared = await createItem.prepare({ ...made, item: { draft } })
  return timed(db, (trx) => createItem.run(trx, prepared))
}

async function change(db: Db, id: string, at: number, now: number): Promise<number> {
  const draft = draftAt(at)
  if (!draft) throw new RangeError('There are no samples.')
  const made = { key: keyOf(id), item: { draft }, revisions: undefined, session_id: 'bench', now, quotas }
  const prepared = await updateItem.prepare(made)
  return timed(db, (trx) => updateItem.run(trx, prepared))
}

const remove = (db: Db, id: string, now: number): Promise<number> => {
  const operation = newOperation({ owner_id: OWNER, session_id: 'bench' }, 'delete_items', now)
  return timed(db, (trx) => deleteItem.run(trx, { key: keyOf(id), revisions: undefined, operation }))
}

const medianOf = (times: number[]): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0

const SAVES = ['create', 'change', 'change, first in five minutes', 'delete'] as const

try {
  const dbs = { with: await openWithNotes('with'), without: await openWithNotes('without') }
  const times = { with: SAVES.map((): number[] => []), without: SAVES.map((): number[] => []) }
  const start = Date.now() - 1000 * MINUTES
  for (let at = 0; at < NOTES + ROUNDS; at += 1) {
    const [id, now] = [uuidv7({ msecs: start + at }), start + at]
    const sides = ['with', 'without'] as const
    for (const side of at % 2 ? sides : sides.toReversed()) {
      isJournalled = side === 'with'
      const db = dbs[side]
      const taken = [
        await create(db, id, at, now),
        ...(at < NOTES
          ? []
          : [
              // The first change makes a version, the second does not.
              ...[
                await change(db, id, at + 1, now + 10 * MINUTES),
                await change(db, id, at + 2, now + 11 * MINUTES),
              ].reverse(),
              await remove(db, id, now + 12 * MINUTES),
            ]),
      ]
      if (at >= NOTES)
        for (const [save, milliseconds] of taken.entries()) times[side][save]?.push(milliseconds)
    }
  }
  for (const [save, name] of SAVES.entries()) {
    const [one, other] = [medianOf(times.with[save] ?? []), medianOf(times.without[save] ?? [])]
    console.log(
      `${name.padEnd(32)} with ${one.toFixed(3)} ms, without ${other.toFixed(3)} ms: ${(one / other).toFixed(2)}`,
    )
  }
  for (const db of Object.values(dbs)) await db.destroy()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

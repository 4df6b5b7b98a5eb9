import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

const FOLDER = `${API_PREFIX}/files/`
const ADDRESS = new RegExp(`${FOLDER}([\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12})/`, 'g')

/** The ids of the pictures that HTML names, sorted. */
export const fileIdsIn = (html: string): string[] =>
  html.includes(FOLDER) ? [...new Set(Array.from(html.matchAll(ADDRESS), ([, id = '']) => id))].sort() : []

interface Named {
  owner_id: string
  item_id: string
  ids: readonly string[]
}

/** In the order of ids: of two saves one waits for the other, and a purge for either. */
const lockFiles = statement((db, value: Value<Named>) =>
  db
    .selectFrom('files')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('id')
    .forUpdate(),
)

const insertNamed = statement(
  (_, value: Value<{ owner_id: string; item_id: string; rows: readonly { id: string }[] }>) =>
    sql<never>`insert into file_items (owner_id, file_id, item_id)
      select ${value('owner_id')}, id, ${value('item_id')} from ${value.rows('rows', 'named', ['id'])}
      where true on conflict (owner_id, file_id, item_id) do nothing`,
)

const markUsed = statement((db, value: Value<Named>) =>
  db
    .updateTable('files')
    .set({ unused_since: null })
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .where('unused_since', 'is not', null),
)

/**
 * Notes which pictures a text names, in the transaction that saves it as that of an item or of its earlier version: they are
 * not purged as long as either exists.
 */
export async function nameFiles(
  trx: Trx,
  { owner_id, id: item_id }: { owner_id: string; id: string },
  html: string,
): Promise<void> {
  const ids = fileIdsIn(html)
  if (ids.length === 0) return
  await lockFiles(trx, { owner_id, item_id, ids })
  await insertNamed(trx, { owner_id, item_id, rows: ids.map((id) => ({ id })) })
  await markUsed(trx, { owner_id, item_id, ids })
}

/** Keeps a picture for an import that has read it, until that is run, cancelled or too old. */
export const nameForImport = command(
  'files.name-for-import',
  async (
    trx,
    { owner_id, id, file_id }: { owner_id: string; id: string; file_id: string },
  ): Promise<void> => {
    await insertNamed(trx, { owner_id, item_id: id, rows: [{ id: file_id }] })
  },
)

const openImport = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('imports')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('state', 'in', ['reading', 'ready', 'running']),
)

const deleteNamed = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db.deleteFrom('file_items').where('owner_id', '=', value('owner_id')).where('item_id', '=', value('id')),
)

/** Forgets what an item named that is deleted for ever. */
export async function forgetNamed(trx: Trx, key: { owner_id: string; id: string }): Promise<void> {
  await deleteNamed(trx, key)
}

/** Pictures that are looked for at once. */
const PAGE = 200

const filesAfter = statement((db, value: Value<{ owner_id: string; after: string; limit: number }>) =>
  db
    .selectFrom('files')
    .select(['id', 'unused_since'])
    .where('owner_id', '=', value('owner_id'))
    .where('is_complete', '=', 1)
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(value('limit')),
)

const itemsNaming = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('file_items')
    .select(['item_id', 'file_id'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('file_id', 'ids')),
)

const bodyOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('items')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

const changesOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('changes')
    .select('seq')
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('body', 'is not', null)
    .orderBy('seq', 'desc'),
)

const changedBody = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

export interface UseOfFiles {
  /** Pictures that nothing names, as they are stored: since when that has been known, if it has. */
  readonly unused: { id: string; unused_since: number | null }[]
  /** Pictures that something names, though they are said to be unused. */
  readonly used: string[]
  /** After which id there may be more. */
  readonly next: string | undefined
}

/** Looks whether the next pictures of an owner are named by an item, the trash, a version or an operation. Runs in a worker thread. */
export async function useOfFiles(
  db: Db,
  { owner_id, after }: { owner_id: string; after: string },
): Promise<UseOfFiles> {
  const files = await filesAfter(db, { owner_id, after, limit: PAGE })
  const ids = files.map(({ id }) => id)
  const byItem = Map.groupBy(await itemsNaming(db, { owner_id, ids }), ({ item_id }) => item_id)
  const named = new Set<string>()
  for (const [id, rows] of byItem) {
    const missing = new Set(rows.map(({ file_id }) => file_id).filter((file_id) => !named.has(file_id)))
    if (missing.size === 0) continue
    if ((await openImport(db, { owner_id, id })).length > 0) {
      for (const file_id of missing) named.add(file_id)
      continue
    }
    for await (const body of bodiesOf(db, { owner_id, id })) {
      for (const file_id of fileIdsIn(body)) if (missing.delete(file_id)) named.add(file_id)
      if (missing.size === 0) break
    }
  }
  return {
    unused: files.filter(({ id }) => !named.has(id)),
    used: files.filter(({ id, unused_since }) => named.has(id) && unused_since !== null).map(({ id }) => id),
    next: files.length === PAGE ? ids.at(-1) : undefined,
  }
}

/** The text of an item, then those that the journal keeps of it, one after the other: each may have megabytes. */
async function* bodiesOf(db: Db, key: { owner_id: string; id: string }): AsyncGenerator<string> {
  const [item] = await bodyOf(db, key)
  if (item) yield item.body
  for (const { seq } of await changesOf(db, key)) {
    const [change] = await changedBody(db, { owner_id: key.owner_id, seq })
    if (change?.body) yield change.body
  }
}

import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
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

/** Most pictures that the owner does not have and of which it is kept that an item names them: they may be sent later. */
const MOST_UNKNOWN = 100

const unknownOf = statement(
  (_, value: Value<Pick<Named, 'owner_id' | 'item_id'>>) => sql<{ file_id: string }>`select file_id
    from file_items where owner_id = ${value('owner_id')} and item_id = ${value('item_id')}
    and not exists (select id from files where files.owner_id = file_items.owner_id and files.id = file_items.file_id)`,
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
  const known = await lockFiles(trx, { owner_id, item_id, ids })
  const rows = [...known]
  if (known.length < ids.length) {
    const own = new Set(known.map(({ id }) => id))
    const noted = new Set((await unknownOf(trx, { owner_id, item_id })).map(({ file_id }) => file_id))
    const room = Math.max(0, MOST_UNKNOWN - noted.size)
    for (const id of ids.filter((one) => !own.has(one) && !noted.has(one)).slice(0, room)) rows.push({ id })
  }
  if (rows.length > 0) await insertNamed(trx, { owner_id, item_id, rows })
  if (known.length > 0) await markUsed(trx, { owner_id, item_id, ids: known.map(({ id }) => id) })
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

/** Rows that one step deletes. */
const STEP = 200

const deleteNamed = deleteFirst<{ owner_id: string; id: string; limit: number }>({
  ...{ table: 'file_items', key: 'file_id', order: 'file_id' },
  where: (value) => sql`item_id = ${value('id')}`,
})

/** Forgets some of what an item named that is deleted for ever. Resolves to whether there may be more. */
export const forgetSomeNamed = async (trx: Trx, key: { owner_id: string; id: string }): Promise<boolean> =>
  (await deleteNamed(trx, { ...key, limit: STEP })).length === STEP

export const forgetNamed = command('files.forget-named', forgetSomeNamed)

/** Pictures that are looked for at once. */
const PAGE = 200
/** Items that are read at once of those that have named a picture. */
const ITEMS = 500
/** Texts after which a page ends, with the picture that is looked for: a text may have half a megabyte. */
const MOST_READ = 500

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

const itemsNaming = statement(
  (db, value: Value<{ owner_id: string; id: string; after: string; limit: number }>) =>
    db
      .selectFrom('file_items')
      .select('item_id')
      .where('owner_id', '=', value('owner_id'))
      .where('file_id', '=', value('id'))
      .where('item_id', '>', value('after'))
      .orderBy('item_id')
      .limit(value('limit')),
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
  const page = await filesAfter(db, { owner_id, after, limit: PAGE })
  const wanted = new Set(page.map(({ id }) => id))
  /** Of the page, what any text names that was read. */
  const named = new Set<string>()
  /** Items of which all texts were read. */
  const read = new Set<string>()
  let texts = 0

  async function isNamedBy(item_id: string, file_id: string): Promise<boolean> {
    if (read.has(item_id)) return false
    if ((await openImport(db, { owner_id, id: item_id })).length > 0) return true
    for await (const body of bodiesOf(db, { owner_id, id: item_id })) {
      texts += 1
      for (const id of fileIdsIn(body)) if (wanted.has(id)) named.add(id)
      if (named.has(file_id)) return true
    }
    read.add(item_id)
    return false
  }

  async function isNamed(file_id: string): Promise<boolean> {
    if (named.has(file_id)) return true
    for (let last: string | undefined = ''; last !== undefined; ) {
      const items: { item_id: string }[] = await itemsNaming(db, {
        ...{ owner_id, id: file_id, after: last, limit: ITEMS },
      })
      for (const { item_id } of items) if (await isNamedBy(item_id, file_id)) return true
      last = items.length === ITEMS ? items.at(-1)?.item_id : undefined
    }
    return false
  }

  const use: Pick<UseOfFiles, 'unused' | 'used'> = { unused: [], used: [] }
  for (const [index, file] of page.entries()) {
    if (!(await isNamed(file.id))) use.unused.push(file)
    else if (file.unused_since !== null) use.used.push(file.id)
    const isLast = index === page.length - 1
    if (isLast ? page.length === PAGE : texts >= MOST_READ) return { ...use, next: file.id }
  }
  return { ...use, next: undefined }
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

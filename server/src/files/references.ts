import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

const FOLDER = `${API_PREFIX}/files/`
const ADDRESS = new RegExp(`${FOLDER}([\\da-f]{8}-(?:[\\da-f]{4}-){3}[\\da-f]{12})/`, 'g')

/** Whether HTML may name pictures of its owner. */
export const namesFiles = (html: string): boolean => html.includes(FOLDER)

/** The ids of the pictures that HTML names, sorted. */
export const fileIdsIn = (html: string): string[] =>
  namesFiles(html) ? [...new Set(Array.from(html.matchAll(ADDRESS), ([, id = '']) => id))].sort() : []

/** Clean HTML with other addresses of its images. */
export const replaceImageAddresses = (html: string, replace: (address: string) => string): string =>
  html.replace(
    /(<img\b[^>]*?\ssrc=")([^"]*)(?=")/g,
    (_, before: string, address: string) => before + replace(address),
  )

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
const MAX_UNKNOWN = 100

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
    const room = Math.max(0, MAX_UNKNOWN - noted.size)
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

/** Deletes some of the file references of an item that is deleted for ever. Resolves to whether there may be more. */
export const deleteSomeReferences = async (
  trx: Trx,
  key: { owner_id: string; id: string },
): Promise<boolean> => (await deleteNamed(trx, { ...key, limit: STEP })).length === STEP

export const deleteReferences = command('files.delete-references', deleteSomeReferences)

/** Pictures that are looked for at once. */
const PAGE = 200
/** Rows of one read of the items that have named a picture, and of the changes of an item. */
const ROWS = 500
/** Texts, and characters of them, after which a step ends, be it within a picture or an item: searches wait for the thread. */
const MAX_READ = { texts: 500, characters: 5_000_000 }

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

const changesOf = statement(
  (db, value: Value<{ owner_id: string; id: string; before: number; limit: number }>) =>
    db
      .selectFrom('changes')
      .select('seq')
      .where('owner_id', '=', value('owner_id'))
      .where('entity_id', '=', value('id'))
      .where('seq', '<', value('before'))
      .where('body', 'is not', null)
      .orderBy('seq', 'desc')
      .limit(value('limit')),
)

const changedBody = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

/** Where a look at the pictures of an owner goes on. */
export interface UseCursor {
  /** The picture of which all was read, or none. */
  readonly after: string
  /** Of the picture that follows it, what was read without finding it. */
  readonly within?: Within | undefined
}

interface Within {
  readonly file_id: string
  /** The item that is read. */
  readonly item_id: string
  /** Its text was read, and its changes down to this one. */
  readonly seq: number
}

export interface UseOfFiles {
  /** Pictures that nothing names, as they are stored: since when that has been known, if it has. */
  readonly unused: { id: string; unused_since: number | null }[]
  /** Pictures that something names, though they are said to be unused. */
  readonly used: string[]
  /** Where there may be more. */
  readonly next: UseCursor | undefined
}

/** Before a picture is known to be named or not, its step has read enough. */
class EndOfStep extends Error {
  readonly within: Within

  constructor(within: Within) {
    super()
    this.within = within
  }
}

/**
 * Looks whether the next pictures of an owner are named by an item, the trash, a version or an operation. Runs in a worker thread.
 * What is saved meanwhile, by whatever server, sets `unused_since` (purge.ts): nothing that is remembered here outlives a step.
 */
export async function useOfFiles(
  db: Db,
  { owner_id, after, within, most = MAX_READ }: UseCursor & { owner_id: string; most?: typeof MAX_READ },
): Promise<UseOfFiles> {
  const page = await filesAfter(db, { owner_id, after, limit: PAGE })
  const wanted = new Set(page.map(({ id }) => id))
  /** Of the page, what any text names that was read. */
  const named = new Set<string>()
  /** Items of which all texts were read. */
  const read = new Set<string>()
  let [texts, characters] = [0, 0]
  const isEnough = (): boolean => texts >= most.texts || characters >= most.characters

  /** `from`: as in {@link UseCursor}. */
  async function isNamedBy(item_id: string, file_id: string, from: number | undefined): Promise<boolean> {
    if (read.has(item_id)) return false
    if ((await openImport(db, { owner_id, id: item_id })).length > 0) return true
    for await (const { seq, body } of bodiesOf(db, { owner_id, id: item_id }, from)) {
      texts += 1
      characters += body.length
      for (const id of fileIdsIn(body)) if (wanted.has(id)) named.add(id)
      if (named.has(file_id)) return true
      if (isEnough()) throw new EndOfStep({ file_id, item_id, seq })
    }
    if (from === undefined) read.add(item_id)
    return false
  }

  async function isNamed(file_id: string): Promise<boolean> {
    if (named.has(file_id)) return true
    const begun = within?.file_id === file_id ? within : undefined
    if (begun && (await isNamedBy(begun.item_id, file_id, begun.seq))) return true
    for (let last: string | undefined = begun?.item_id ?? ''; last !== undefined; ) {
      const items: { item_id: string }[] = await itemsNaming(db, {
        ...{ owner_id, id: file_id, after: last, limit: ROWS },
      })
      for (const { item_id } of items) if (await isNamedBy(item_id, file_id, undefined)) return true
      last = items.length === ROWS ? items.at(-1)?.item_id : undefined
    }
    return false
  }

  const use: Pick<UseOfFiles, 'unused' | 'used'> = { unused: [], used: [] }
  let done = after
  for (const file of page) {
    try {
      if (!(await isNamed(file.id))) use.unused.push(file)
      else if (file.unused_since !== null) use.used.push(file.id)
    } catch (error) {
      if (error instanceof EndOfStep) return { ...use, next: { after: done, within: error.within } }
      throw error
    }
    done = file.id
    if (isEnough()) return { ...use, next: { after: done } }
  }
  return { ...use, next: page.length === PAGE ? { after: done } : undefined }
}

/** Above every number of the journal. */
const PRESENT = Number.MAX_SAFE_INTEGER

/**
 * The text of an item, then those that the journal keeps of it, the newest first, one after the other: each may have megabytes.
 * `before`: only those of the journal before this number.
 */
async function* bodiesOf(
  db: Db,
  key: { owner_id: string; id: string },
  before?: number,
): AsyncGenerator<{ seq: number; body: string }> {
  const [item] = before === undefined ? await bodyOf(db, key) : []
  if (item) yield { seq: PRESENT, body: item.body }
  for (let last: number | undefined = before ?? PRESENT; last !== undefined; ) {
    const changes: { seq: number }[] = await changesOf(db, { ...key, before: last, limit: ROWS })
    for (const { seq } of changes) {
      const [change] = await changedBody(db, { owner_id: key.owner_id, seq })
      if (change?.body) yield { seq, body: change.body }
    }
    last = changes.length === ROWS ? changes.at(-1)?.seq : undefined
  }
}

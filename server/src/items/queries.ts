import type { Sort } from '@kopilka/contract/items.ts'
import { MAX_LIST_BYTES } from '@kopilka/contract/limits.ts'
import { type Compilable, sql } from 'kysely'
import { inOrder } from '../db/item-orders.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { readTags, tagLines } from '../tags/lines.ts'
import { inParts, yieldToEventLoop } from '../threads/yield-to-event-loop.ts'
import { type ItemRow, SUMMARY, type SummaryRow, WHOLE } from './item.ts'

/** Rows with their tags that are read in one iteration of the event loop: with fifty tags each some 6 ms. */
const ROWS = 20

/** Bytes of bodies that are read in one iteration of the event loop, some 2 ms; one body is never parted. */
const PIECE = 250_000

/** Longest body in bytes that lists read with the row. */
const SHORT_BODY = PIECE / ROWS

/** Columns of lists of whole items, without long bodies. Neither database loads a body to compute its length. */
const LISTED = [
  ...WHOLE.filter((column) => column !== 'body'),
  sql<number>`octet_length(body)`.as('bytes'),
  sql<string | null>`case when octet_length(body) <= ${sql.lit(SHORT_BODY)} then body end`.as('body'),
] as const

/** One item of an owner. */
export interface ItemKey {
  owner_id: string
  kind: ItemKind
  id: string
}

/** A range of a list of one kind. */
interface Piece {
  owner_id: string
  kind: ItemKind
  /** Only of items that have this tag. */
  tag_id?: string | undefined
  limit: number
  offset: number
}

/** A list of one kind, whatever its order. */
export type Listed = Omit<Piece, 'limit' | 'offset'> & Pick<Order, 'untagged'>

/** Which list a range is of. */
interface Order {
  sort?: Sort | undefined
  /** Only items without any tag. */
  untagged?: boolean | undefined
}

const oneWhole = statement((db, value: Value<ItemKey>) =>
  db
    .selectFrom('items')
    .select(WHOLE)
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('kind', '=', value('kind')),
)

interface Shape {
  sort: Sort
  tagged: boolean
  untagged: boolean
}

type PieceValue = Value<Required<Piece>>

/** The items of a list, in no order. */
const listed = (db: Db, value: PieceValue, { tagged, untagged }: Omit<Shape, 'sort'>) =>
  db
    .selectFrom('items')
    .where('owner_id', '=', value('owner_id'))
    .where('kind', '=', value('kind'))
    .$if(tagged, (items) =>
      items.where('id', 'in', (tagged) =>
        tagged
          .selectFrom('item_tags')
          .select('item_id')
          .where('owner_id', '=', value('owner_id'))
          .where('tag_id', '=', value('tag_id'))
          .where('kind', '=', value('kind')),
      ),
    )
    .$if(untagged, (items) =>
      items.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('item_tags')
              .select('tag_id')
              .where('item_tags.owner_id', '=', value('owner_id'))
              .whereRef('item_tags.item_id', '=', 'items.id'),
          ),
        ),
      ),
    )

/** The items of a range. Their ids come from an index alone, however deep the page: rows are read only for the page. */
function pieceOf(db: Db, value: PieceValue, { sort, ...shape }: Shape) {
  const pinnedFirst = listed(db, value, shape).select('id').orderBy('pinned', 'desc')
  const ids = inOrder(pinnedFirst, sort).limit(value('limit')).offset(value('offset'))
  const items = db
    .selectFrom('items')
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where('id', 'in', ids)
    .orderBy('pinned', 'desc')
  return inOrder(items, sort)
}

/** One statement for each shape of a list, each written on its first use. */
function byShape<Row>(write: (db: Db, value: PieceValue, shape: Shape) => Compilable<Row>) {
  const statements = new Map<string, (db: Db, piece: Required<Piece>) => Promise<Row[]>>()
  return (db: Db, { sort = 'created', untagged = false, tag_id = '', ...piece }: Piece & Order) => {
    const shape = { sort, untagged, tagged: tag_id !== '' }
    const key = JSON.stringify(shape)
    const run = statements.get(key) ?? statement((db, value: PieceValue) => write(db, value, shape))
    statements.set(key, run)
    return run(db, { ...piece, tag_id })
  }
}

const wholes = byShape((db, value, shape) => pieceOf(db, value, shape).select(LISTED))
const summaries = byShape((db, value, shape) => pieceOf(db, value, shape).select(SUMMARY))

const untagged = statement((db, value: PieceValue) =>
  listed(db, value, { tagged: false, untagged: true }).select(({ fn }) => fn.countAll<number>().as('count')),
)

const ids = byShape((db, value, shape) => listed(db, value, shape).select('id'))

/** The ids of all items of a list. */
export const idsListed = async (db: Db, list: Listed): Promise<string[]> =>
  (await ids(db, { ...list, limit: 0, offset: 0 })).map(({ id }) => id)

const pageIds = byShape((db, value, { sort, ...shape }) =>
  inOrder(listed(db, value, shape).select('id').orderBy('pinned', 'desc'), sort)
    .limit(value('limit'))
    .offset(value('offset')),
)

/**
 * The ids of a range of a list, and how many items have no tag where the list is of these. Looks at all that have the tag, or at
 * all of the kind as far as the range.
 */
export async function pageIdsOf(db: Db, piece: Piece & Order): Promise<{ ids: string[]; count: number }> {
  const rows = await pageIds(db, piece)
  return { ids: rows.map(({ id }) => id), count: piece.untagged ? await countUntagged(db, piece) : 0 }
}

/** How many items of the kind have no tag. */
export async function countUntagged(db: Db, kind: Pick<Piece, 'owner_id' | 'kind'>): Promise<number> {
  const [row] = await untagged(db, { ...kind, tag_id: '', limit: 0, offset: 0 })
  return row?.count ?? 0
}

/** Items of an owner by their ids. */
interface Named {
  owner_id: string
  ids: readonly string[]
}

const named = (db: Db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('items.id', 'ids'))

const namedWholes = statement((db, value: Value<Named>) => named(db, value).select([...LISTED, 'kind']))
const namedBodies = statement((db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select(['id', 'body'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('items.id', 'ids')),
)
const namedSummaries = statement((db, value: Value<Named>) => named(db, value).select(SUMMARY))

const withTags = <Row extends { tags: string | null }>(row: Row) => ({ ...row, tags: readTags(row.tags) })

const existing = statement((db, value: Value<ItemKey>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('kind', '=', value('kind')),
)

/** Whether the owner has the item. */
export const hasItem = async (db: Db, key: ItemKey): Promise<boolean> => (await existing(db, key)).length > 0

/** One whole item; undefined if the owner has none such. */
export async function findItem(db: Db, key: ItemKey): Promise<ItemRow | undefined> {
  const [row] = await oneWhole(db, key)
  return row && withTags(row)
}

/** A whole item whose body is null if it is long. `bytes`: length of the body. */
export type ListedRow = Omit<ItemRow, 'body'> & { body: string | null; bytes: number }

/** The first items of a list, as many as {@link MAX_LIST_BYTES} allows. */
interface WholeItems<Row> {
  rows: (Omit<Row, 'bytes'> & { body: string })[]
  /** Whether the list has more. */
  truncated: boolean
}

/** The ids of rows, in groups whose bodies are as long as a piece. */
function idsByPiece(rows: readonly { id: string; bytes: number }[]): string[][] {
  const pieces: string[][] = []
  let total = PIECE
  for (const { id, bytes } of rows) {
    if (total >= PIECE) {
      pieces.push([])
      total = 0
    }
    pieces.at(-1)?.push(id)
    total += bytes
  }
  return pieces
}

/** Bytes of what a list shows of an item besides its body. A name of fifty tags has up to two hundred bytes. */
const shortBytesOf = ({ title, url, tags }: Pick<ListedRow, 'title' | 'url' | 'tags'>): number =>
  [title, url ?? '', ...tags.map(({ name }) => name)].reduce((sum, text) => sum + Buffer.byteLength(text), 0)

/** Reads the missing long bodies, and truncates the list at the limit; the first item is always included. */
export async function withBodies<Row extends ListedRow>(
  db: Db,
  owner_id: string,
  listed: readonly Row[],
): Promise<WholeItems<Row>> {
  let total = 0
  const end = listed.findIndex((row, index) => {
    total += row.bytes + shortBytesOf(row)
    return index > 0 && total > MAX_LIST_BYTES
  })
  const kept = end < 0 ? listed : listed.slice(0, end)
  const bodies = new Map<string, string>()
  for (const ids of idsByPiece(kept.filter(({ body }) => body === null))) {
    await yieldToEventLoop()
    for (const { id, body } of await namedBodies(db, { owner_id, ids })) bodies.set(id, body)
  }
  // An item may have been deleted before its body was read.
  const rows = kept.flatMap(({ bytes: _, ...row }) => {
    const body = row.body ?? bodies.get(row.id)
    return body === undefined ? [] : { ...row, body }
  })
  return { rows, truncated: end >= 0 }
}

/** The rows of a range of a list: of a long one first its ids, then some rows at a time. */
async function rowsOf<Row extends { id: string; tags: string | null }>(
  db: Db,
  piece: Piece & Order,
  read: {
    piece: (db: Db, piece: Piece & Order) => Promise<Row[]>
    named: (db: Db, items: Named) => Promise<Row[]>
  },
) {
  if (piece.limit <= ROWS) return (await read.piece(db, piece)).map(withTags)
  const ids = (await pageIds(db, piece)).map(({ id }) => id)
  const rows = await namedRows(db, { owner_id: piece.owner_id, ids }, read.named)
  const byId = new Map(rows.map((row) => [row.id, row]))
  // An item may have been deleted since its id was read.
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The rows of these items, in any order. */
const namedRows = async <Row extends { tags: string | null }>(
  db: Db,
  { owner_id, ids }: Named,
  read: (db: Db, items: Named) => Promise<Row[]>,
) =>
  (await inParts(ids, ROWS, async (some) => (await read(db, { owner_id, ids: some })).map(withTags))).flat()

/** Whole items of a list for {@link withBodies}. */
export const listWholes = (db: Db, piece: Piece & Order): Promise<ListedRow[]> =>
  rowsOf(db, piece, { piece: wholes, named: namedWholes })

/** The items of a list without bodies. */
export const listSummaries = (db: Db, piece: Piece & Order): Promise<SummaryRow[]> =>
  rowsOf(db, piece, { piece: summaries, named: namedSummaries })

/** These items for {@link withBodies}, in any order. */
export const wholesOf = (db: Db, items: Named): Promise<(ListedRow & { kind: ItemKind })[]> =>
  namedRows(db, items, namedWholes)

/** These items without bodies, in any order. */
export const summariesOf = (db: Db, items: Named): Promise<SummaryRow[]> =>
  namedRows(db, items, namedSummaries)

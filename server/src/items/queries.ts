import { MAX_LIST_BYTES } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { readTags, tagLines } from '../tags/lines.ts'
import { type ItemRow, SUMMARY, type SummaryRow, WHOLE } from './item.ts'

/** Longest body in bytes that lists read with the row: a hundred of them fit into a response. */
const SHORT_BODY = MAX_LIST_BYTES / 100

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

/** A range of a list, newest first. */
interface Piece {
  owner_id: string
  kind: ItemKind
  limit: number
  offset: number
}

/** A range of a list of the items with a tag. */
type TaggedPiece = Piece & { tag_id: string }
type AnyPiece = Piece & { tag_id?: string | undefined }

const oneWhole = statement((db, value: Value<ItemKey>) =>
  db
    .selectFrom('items')
    .select(WHOLE)
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('kind', '=', value('kind')),
)

/** The ids of a range, from an index alone however deep the page: rows are read only for the page. */
const newestIds = (db: Db, value: Value<Piece>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('kind', '=', value('kind'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(value('limit'))
    .offset(value('offset'))

const newestTaggedIds = (db: Db, value: Value<TaggedPiece>) =>
  newestIds(db, value).where('id', 'in', (tagged) =>
    tagged
      .selectFrom('item_tags')
      .select('item_id')
      .where('owner_id', '=', value('owner_id'))
      .where('tag_id', '=', value('tag_id'))
      .where('kind', '=', value('kind')),
  )

const itemsWith = (db: Db, value: Value<Piece>, ids: ReturnType<typeof newestIds>) =>
  db
    .selectFrom('items')
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

const wholes = statement((db, value: Value<Piece>) =>
  itemsWith(db, value, newestIds(db, value)).select(LISTED),
)
const summaries = statement((db, value: Value<Piece>) =>
  itemsWith(db, value, newestIds(db, value)).select(SUMMARY),
)
const taggedWholes = statement((db, value: Value<TaggedPiece>) =>
  itemsWith(db, value, newestTaggedIds(db, value)).select(LISTED),
)
const taggedSummaries = statement((db, value: Value<TaggedPiece>) =>
  itemsWith(db, value, newestTaggedIds(db, value)).select(SUMMARY),
)

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

const namedWholes = statement((db, value: Value<Named>) => named(db, value).select(LISTED))
const namedBodies = statement((db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select(['id', 'body'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('items.id', 'ids')),
)
const namedSummaries = statement((db, value: Value<Named>) => named(db, value).select(SUMMARY))

const withTags = <Row extends { tags: string | null }>(row: Row) => ({ ...row, tags: readTags(row.tags) })

/** One whole item; undefined if the owner has none such. */
export async function findItem(db: Db, key: ItemKey): Promise<ItemRow | undefined> {
  const [row] = await oneWhole(db, key)
  return row && withTags(row)
}

/** A whole item whose body is null if it is long. `bytes`: length of the body. */
export type ListedRow = Omit<ItemRow, 'body'> & { body: string | null; bytes: number }

/** The first items of a list, as many as {@link MAX_LIST_BYTES} allows. */
interface WholeItems {
  rows: ItemRow[]
  /** Whether the list has more. */
  truncated: boolean
}

/** Reads the missing long bodies, and truncates the list at the limit; the first item is always included. */
export async function withBodies(
  db: Db,
  owner_id: string,
  listed: readonly ListedRow[],
): Promise<WholeItems> {
  let total = 0
  const end = listed.findIndex(({ bytes }, index) => {
    total += bytes
    return index > 0 && total > MAX_LIST_BYTES
  })
  const kept = end < 0 ? listed : listed.slice(0, end)
  const ids = kept.filter(({ body }) => body === null).map(({ id }) => id)
  const long = ids.length > 0 ? await namedBodies(db, { owner_id, ids }) : []
  const bodies = new Map(long.map(({ id, body }) => [id, body]))
  const rows = kept.map(({ bytes: _, ...row }) => ({ ...row, body: row.body ?? bodies.get(row.id) ?? '' }))
  return { rows, truncated: end >= 0 }
}

/** Whole items for {@link withBodies}; `tag_id`: of those that have the tag. */
export async function newestWholes(db: Db, { tag_id, ...piece }: AnyPiece): Promise<ListedRow[]> {
  const rows = tag_id === undefined ? await wholes(db, piece) : await taggedWholes(db, { ...piece, tag_id })
  return rows.map(withTags)
}

/** The newest items without bodies; `tag_id`: of those that have the tag. */
export async function newestSummaries(db: Db, { tag_id, ...piece }: AnyPiece): Promise<SummaryRow[]> {
  const rows =
    tag_id === undefined ? await summaries(db, piece) : await taggedSummaries(db, { ...piece, tag_id })
  return rows.map(withTags)
}

/** These items for {@link withBodies}, in any order. */
export async function wholesOf(db: Db, items: Named): Promise<ListedRow[]> {
  return (await namedWholes(db, items)).map(withTags)
}

/** These items without bodies, in any order. */
export async function summariesOf(db: Db, items: Named): Promise<SummaryRow[]> {
  return (await namedSummaries(db, items)).map(withTags)
}

import { MAX_LIST_BYTES } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { readTags, tagLines } from '../tags/lines.ts'
import { type ItemRow, SUMMARY, type SummaryRow, WHOLE } from './item.ts'

/** Bytes of a body that lists read at once: a hundred of them are within what a response may have. */
const SHORT_BODY = MAX_LIST_BYTES / 100

/** What lists of whole items read first: neither database loads a body for its length. */
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

/** A piece of a list, newest first. */
interface Piece {
  owner_id: string
  kind: ItemKind
  limit: number
  offset: number
}

/** Only of items that have a tag. */
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

/** Ids come from an index alone, however deep the page: bodies are read for what is shown. */
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

/** Some of an owner's items. */
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

/** One item, whole. */
export async function findItem(db: Db, key: ItemKey): Promise<ItemRow | undefined> {
  const [row] = await oneWhole(db, key)
  return row && withTags(row)
}

/** A whole item, its body null where that is long. `bytes`: of the body. */
export type ListedRow = Omit<ItemRow, 'body'> & { body: string | null; bytes: number }

/** Whole items from the beginning of a list, as many as {@link MAX_LIST_BYTES} allow. */
interface WholeItems {
  rows: ItemRow[]
  /** There are more in the list. */
  truncated: boolean
}

/** Reads the long bodies of as many items as the limit allows, and of the first in any case. */
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

/** The newest without bodies. */
export async function newestSummaries(db: Db, { tag_id, ...piece }: AnyPiece): Promise<SummaryRow[]> {
  const rows =
    tag_id === undefined ? await summaries(db, piece) : await taggedSummaries(db, { ...piece, tag_id })
  return rows.map(withTags)
}

/** These items, whole, for {@link withBodies}, in no order. */
export async function wholesOf(db: Db, items: Named): Promise<ListedRow[]> {
  return (await namedWholes(db, items)).map(withTags)
}

/** These items without bodies, in no order. */
export async function summariesOf(db: Db, items: Named): Promise<SummaryRow[]> {
  return (await namedSummaries(db, items)).map(withTags)
}

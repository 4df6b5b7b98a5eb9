import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { readTags, tagLines } from '../tags/lines.ts'
import { type ItemRow, SUMMARY, type SummaryRow, WHOLE } from './item.ts'

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
  itemsWith(db, value, newestIds(db, value)).select(WHOLE),
)
const summaries = statement((db, value: Value<Piece>) =>
  itemsWith(db, value, newestIds(db, value)).select(SUMMARY),
)
const taggedWholes = statement((db, value: Value<TaggedPiece>) =>
  itemsWith(db, value, newestTaggedIds(db, value)).select(WHOLE),
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

const namedWholes = statement((db, value: Value<Named>) => named(db, value).select(WHOLE))
const namedSummaries = statement((db, value: Value<Named>) => named(db, value).select(SUMMARY))

const withTags = <Row extends { tags: string | null }>(row: Row) => ({ ...row, tags: readTags(row.tags) })

/** One item, whole. */
export async function findItem(db: Db, key: ItemKey): Promise<ItemRow | undefined> {
  const [row] = await oneWhole(db, key)
  return row && withTags(row)
}

/** Whole items; `tag_id`: of those that have the tag. */
export async function newestWholes(db: Db, { tag_id, ...piece }: AnyPiece): Promise<ItemRow[]> {
  const rows = tag_id === undefined ? await wholes(db, piece) : await taggedWholes(db, { ...piece, tag_id })
  return rows.map(withTags)
}

/** The same without bodies. */
export async function newestSummaries(db: Db, { tag_id, ...piece }: AnyPiece): Promise<SummaryRow[]> {
  const rows =
    tag_id === undefined ? await summaries(db, piece) : await taggedSummaries(db, { ...piece, tag_id })
  return rows.map(withTags)
}

/** These items, whole, in no order. */
export async function wholesOf(db: Db, items: Named): Promise<ItemRow[]> {
  return (await namedWholes(db, items)).map(withTags)
}

/** The same without bodies. */
export async function summariesOf(db: Db, items: Named): Promise<SummaryRow[]> {
  return (await namedSummaries(db, items)).map(withTags)
}

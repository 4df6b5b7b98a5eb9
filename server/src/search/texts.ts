import type { Sort } from '@kopilka/contract/items.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import type { CountAndPage, FoundItem, Tag, TitlesWanted } from '@kopilka/text/search/index-reader.ts'
import { EMOJI_SELECTOR } from '@kopilka/text/search/query.ts'
import { sql } from 'kysely'
import { inOrder, ORDERS } from '../db/item-orders.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

const tagsOf = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('tags').select(['id', 'name']).where('owner_id', '=', value('owner_id')),
)

/** All tags of an owner, in any order. */
export const readTags = (db: Db, owner_id: string): Promise<Tag[]> => tagsOf(db, { owner_id })

/** Limit of characters longer than any body. */
export const WHOLE_BODY = 2 ** 30

interface Asked {
  owner_id: string
  ids: readonly string[]
  length: number
}

const itemsWith = statement((db, value: Value<Asked>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'title', 'url', 'created_at as time'])
    .select(sql<string>`substr(body, 1, ${value('length')})`.as('beginning'))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

const tagsWith = statement((db, value: Value<Asked>) =>
  db
    .selectFrom('item_tags')
    .select(['item_id', 'tag_id'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids')),
)

/** Reads items in any order, with the first characters of their bodies. `tags`: all tags of the owner. */
export async function readItems(db: Db, tags: readonly Tag[], asked: Asked): Promise<FoundItem[]> {
  if (asked.ids.length === 0) return []
  const [rows, pairs] = await Promise.all([itemsWith(db, asked), tags.length > 0 ? tagsWith(db, asked) : []])
  const names = new Map(tags.map(({ id, name }) => [id, name]))
  const tagged = Map.groupBy(pairs, ({ item_id }) => item_id)
  return rows.map(({ beginning, url, ...row }) => ({
    ...row,
    body: htmlToText(beginning),
    address: readableAddress(url ?? ''),
    tags: (tagged.get(row.id) ?? []).flatMap(({ tag_id }) => names.get(tag_id) ?? []),
  }))
}

interface AmongItems {
  owner_id: string
  ids: readonly string[]
}

const sizesOf = statement((db, value: Value<AmongItems>) =>
  db
    .selectFrom('items')
    .select(['id', sql<number>`octet_length(body)`.as('bytes')])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/** Items whose sizes are looked up at once. */
const SIZES = 1_000
/** Most items, and most bytes of bodies beyond the first, that are read at once: a word takes many times its length. */
const READ_AT_ONCE = 50
const READ_BYTES = 200_000

/** Splits items into those whose whole bodies can be read together, in any order. */
export async function* piecesOf(db: Db, { owner_id, ids }: AmongItems): AsyncGenerator<string[]> {
  for (let from = 0; from < ids.length; from += SIZES) {
    let [piece, total]: [string[], number] = [[], 0]
    for (const { id, bytes } of await sizesOf(db, { owner_id, ids: ids.slice(from, from + SIZES) })) {
      if (piece.length === READ_AT_ONCE || (piece.length > 0 && total + bytes > READ_BYTES)) {
        yield piece
        ;[piece, total] = [[], 0]
      }
      piece.push(id)
      total += bytes
    }
    if (piece.length > 0) yield piece
  }
}

/** Those of the items that have tags. */
export const taggedAmong = statement((db, value: Value<AmongItems>) =>
  db
    .selectFrom('item_tags')
    .select('item_id')
    .distinct()
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids')),
)

const plainTitle = sql`replace(title, ${sql.lit(EMOJI_SELECTOR)}, '')`

interface WithSigns extends Omit<TitlesWanted, 'tag_id' | 'untagged' | 'sort'> {
  owner_id: string
  /** Empty: with any tags. */
  tag_id: string
  any_tags: number
}

/** Finds the items once and materialises them: to look through all titles is most of the work. */
const withSigns = (sort: Sort) =>
  statement((_, value: Value<WithSigns>) => {
    const [place, direction] = ORDERS[sort]
    const order = sql`order by place ${sql.raw(direction)}, id ${sql.raw(direction)}`
    return sql<{ total: number; id: string | null }>`
    with found as materialized (
      select id, ${sql.ref(place)} as place from items
      where owner_id = ${value('owner_id')} and kind = ${value('kind')}
        and replace(${plainTitle}, ${value('signs')}, '') <> ${plainTitle}
        and (${value('tag_id')} = '' or id in (
          select item_id from item_tags where owner_id = ${value('owner_id')} and tag_id = ${value('tag_id')}
        ))
        and (cast(${value('any_tags')} as integer) = 1 or not exists (
          select 1 from item_tags where item_tags.owner_id = ${value('owner_id')} and item_tags.item_id = items.id
        ))
    )
    select total, id from (select cast(count(*) as integer) as total from found) as counted
    left join (select id, place from found ${order} limit ${value('limit')} offset ${value('offset')}) as page on true
    ${order}`
  })

const WITH_SIGNS = { created: withSigns('created'), updated: withSigns('updated'), title: withSigns('title') }

/** The items of a kind whose titles have signs, given as `signsIn` returns them. */
export async function titlesWith(
  db: Db,
  { sort, tag_id = '', untagged = false, ...asked }: TitlesWanted & { owner_id: string },
): Promise<CountAndPage> {
  const rows = await WITH_SIGNS[sort](db, { ...asked, tag_id, any_tags: Number(!untagged) })
  return { count: rows[0]?.total ?? 0, ids: rows.flatMap(({ id }) => id ?? []) }
}

interface PageOfItems extends AmongItems {
  limit: number
  offset: number
}

const sorted = (sort: Sort) =>
  statement((db, value: Value<PageOfItems>) => {
    const items = db
      .selectFrom('items')
      .select('id')
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('id', 'ids'))
    return inOrder(items, sort).limit(value('limit')).offset(value('offset'))
  })

const IN_ORDER = { created: sorted('created'), updated: sorted('updated'), title: sorted('title') }

/** A page of these items, put into an order. */
export async function pageInOrder(
  db: Db,
  { sort, ...page }: PageOfItems & { sort: Sort },
): Promise<string[]> {
  return (await IN_ORDER[sort](db, page)).map(({ id }) => id)
}

/** Numbers of items of tags, in the order of their ids. */
export const countsOfTags = statement(
  (_, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
    sql<{ id: string; count: number }>`select id, notes_count + urllinks_count as count from tags
    where owner_id = ${value('owner_id')} and ${value.among('id', 'ids')} order by id`,
)

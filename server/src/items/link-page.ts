import { sql } from 'kysely'
import type { Db, Tables } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { type IdPieces, idsInPiece } from './id-pieces.ts'

/** Orders of links without regard to pins. */
export const LINK_SORTS = [
  'added_desc',
  'added_asc',
  'modified_desc',
  'modified_asc',
  'title_asc',
  'title_desc',
] as const
export type LinkSort = (typeof LINK_SORTS)[number]

const COLUMNS = { added: 'created_at', modified: 'updated_at', title: 'title_key' } as const satisfies Record<
  string,
  keyof Tables['items']
>

/** A range of a list of links. */
export interface LinkPageRequest {
  owner_id: string
  sort: LinkSort
  /** Only these links; undefined: all. */
  ids: IdPieces | undefined
  /** Lists of ids of tags, two at most: of each a link must have one. */
  within: readonly (readonly string[])[]
  /** Ids of tags of which it must have none. */
  without: readonly string[]
  untagged: boolean
  added_since: number
  modified_since: number
  limit: number
  offset: number
}

type Values = Omit<LinkPageRequest, 'ids' | 'within' | 'untagged' | 'sort'> & {
  ids: readonly string[]
  one: readonly string[]
  other: readonly string[]
  any_id: number
  any_one: number
  any_other: number
  any_tags: number
}

const write = (value: Value<Values>, sort: LinkSort) => {
  const [name, direction] = sort.split('_') as [keyof typeof COLUMNS, 'asc' | 'desc']
  const order = sql`${sql.ref(COLUMNS[name])} ${sql.raw(direction)}, id ${sql.raw(direction)}`
  const owner = value('owner_id')
  const tagged = sql`select 1 from item_tags where owner_id = ${owner} and item_id = items.id`
  return sql<{ id: string; total: number }>`select id, count(*) over () as total from items
    where owner_id = ${owner} and kind = 'link' and created_at > ${value('added_since')} and updated_at > ${value('modified_since')}
    and (cast(${value('any_id')} as integer) = 1 or ${value.among('id', 'ids')})
    and (cast(${value('any_one')} as integer) = 1 or exists (${tagged} and ${value.among('tag_id', 'one')}))
    and (cast(${value('any_other')} as integer) = 1 or exists (${tagged} and ${value.among('tag_id', 'other')}))
    and (cast(${value('any_tags')} as integer) = 1 or not exists (${tagged}))
    and not exists (${tagged} and ${value.among('tag_id', 'without')})
    order by ${order} limit ${value('limit')} offset ${value('offset')}`
}

const statements = Object.fromEntries(
  LINK_SORTS.map((sort) => [sort, statement((_, value: Value<Values>) => write(value, sort))]),
) as Record<LinkSort, (db: Db, values: Values) => Promise<{ id: string; total: number }[]>>

/** The ids of a range of links, and how many there are. Looks at all links of the owner: runs in a worker thread. */
export async function linkPage(
  db: Db,
  { sort, ...request }: LinkPageRequest,
): Promise<{ ids: string[]; count: number }> {
  const { ids, within, untagged, ...rest } = request
  const [one, other] = within
  const values = {
    ...rest,
    ids: ids?.flatMap(idsInPiece) ?? [],
    one: one ?? [],
    other: other ?? [],
    any_id: Number(ids === undefined),
    any_one: Number(one === undefined),
    any_other: Number(other === undefined),
    any_tags: Number(!untagged),
  }
  const rows = await statements[sort](db, values)
  const [first] =
    rows.length > 0 || rest.offset === 0
      ? rows
      : await statements[sort](db, { ...values, limit: 1, offset: 0 })
  return { ids: rows.map(({ id }) => id), count: Number(first?.total ?? 0) }
}

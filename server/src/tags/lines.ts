import type { TagRef } from '@kopilka/contract/items.ts'
import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { byName } from './order.ts'

const ID_LENGTH = 36
/** Names have no control characters (contract/fields.ts). */
const LINE_END = '\n'

/** A column with the tags of each item that a query reads: a statement less than asking for them afterwards. */
export const tagLines = (items: ExpressionBuilder<Tables, 'items'>, owner_id: Expression<string>) =>
  items
    .selectFrom('item_tags')
    .innerJoin('tags', (join) =>
      join.onRef('tags.owner_id', '=', 'item_tags.owner_id').onRef('tags.id', '=', 'item_tags.tag_id'),
    )
    .where('item_tags.owner_id', '=', owner_id)
    .whereRef('item_tags.item_id', '=', 'items.id')
    .select(({ ref }) =>
      // Both databases know this one; of JSON each speaks its own dialect.
      sql<string | null>`string_agg(${ref('tags.id')} || ${ref('tags.name')}, ${LINE_END})`.as('lines'),
    )

/** The tags that {@link tagLines} found, in alphabetical order. */
export const readTags = (lines: string | null): TagRef[] =>
  (lines?.split(LINE_END) ?? [])
    .map((line) => ({ id: line.slice(0, ID_LENGTH), name: line.slice(ID_LENGTH) }))
    .sort(byName)

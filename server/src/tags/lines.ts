import type { TagRef } from '@kopilka/contract/items.ts'
import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { byName } from './order.ts'

const ID_LENGTH = 36
/** Names have no control characters (contract/src/fields.ts). */
const LINE_END = '\n'

/** A column with the tags of each item of a query, which saves a second statement. */
export const tagLines = (items: ExpressionBuilder<Tables, 'items'>, owner_id: Expression<string>) =>
  items
    .selectFrom('item_tags')
    .innerJoin('tags', (join) =>
      join.onRef('tags.owner_id', '=', 'item_tags.owner_id').onRef('tags.id', '=', 'item_tags.tag_id'),
    )
    .where('item_tags.owner_id', '=', owner_id)
    .whereRef('item_tags.item_id', '=', 'items.id')
    .select(({ ref }) =>
      // Both databases have this function; their JSON functions differ.
      sql<string | null>`string_agg(${ref('tags.id')} || ${ref('tags.name')}, ${LINE_END})`.as('lines'),
    )

/** Parses the column of {@link tagLines} into tags in alphabetical order. */
export const readTags = (lines: string | null): TagRef[] =>
  (lines?.split(LINE_END) ?? [])
    .map((line) => ({ id: line.slice(0, ID_LENGTH), name: line.slice(ID_LENGTH) }))
    .sort(byName)

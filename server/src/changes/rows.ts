import { type Expression, sql } from 'kysely'
import type { ChangesTable, Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { CONTENT } from '../items/item.ts'
import { tagLines } from '../tags/lines.ts'

interface Owned {
  owner_id: string
}

/** The last change of the owner, up to which something is kept no more, and the change `seen`. */
export const headOf = statement((db, value: Value<Owned & { seen: number }>) =>
  db
    .selectFrom('change_counts')
    .leftJoin('changes', (join) =>
      join.on('changes.owner_id', '=', value('owner_id')).on('changes.seq', '=', value('seen')),
    )
    .select(['last_seq', 'forgotten_seq', 'entity_id', 'at'])
    .where('change_counts.owner_id', '=', value('owner_id')),
)

/** How {@link ChangedBefore} begins where no text was changed (items/item-changes.ts). */
const WITHOUT_TEXTS = '{"updated_at":%'

/** Changes in their order. `before`: of tags alone. `is_short`: the item's texts stayed as they were. */
export const changesAfter = statement((db, value: Value<Owned & { since: number; limit: number }>) =>
  db
    .selectFrom('changes')
    .select(['seq', 'kind', 'entity_id'])
    .select([
      sql<string | null>`case when kind = 'tag' then "before" end`.as('before'),
      sql<number>`case when kind <> 'tag' and revision is not null and version is null and body is null
          and "before" like ${sql.lit(WITHOUT_TEXTS)} then 1 else 0 end`.as('is_short'),
    ])
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '>', value('since'))
    .orderBy('seq')
    .limit(value('limit')),
)

export type ChangeRow = Pick<ChangesTable, 'seq' | 'kind' | 'entity_id' | 'before'> & { is_short: number }

/** Bytes of a tag of an item in a response. */
export const TAG_BYTES = 90

/** Bytes of an item in a response: of its texts, of the names of its tags, and of the rest. Neither database loads a body for that. */
function bytesIn(owner_id: Expression<string>) {
  const texts = CONTENT.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql<number>`${sql.join(texts, sql` + `)} + 400 + ${sql.lit(TAG_BYTES)} * (
    select count(*) from item_tags where owner_id = ${owner_id} and item_id = items.id)`.as('bytes')
}

/** The items whose ids come before one, the last first. */
export const itemsBefore = statement((db, value: Value<Owned & { before: string; limit: number }>) =>
  db
    .selectFrom('items')
    .select('id')
    .select(bytesIn(value('owner_id')))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '<', value('before'))
    .orderBy('id', 'desc')
    .limit(value('limit')),
)

/** The sizes of those of the items that exist. */
export const itemSizes = statement((db, value: Value<Owned & { ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select('id')
    .select(bytesIn(value('owner_id')))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/** How many tags each of the items has, of those that have any. */
export const tagCounts = statement((db, value: Value<Owned & { ids: readonly string[] }>) =>
  db
    .selectFrom('item_tags')
    .select(({ fn }) => ['item_id', fn.countAll<number>().as('count')])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids'))
    .groupBy('item_id'),
)

/** What can change of an item while its texts stay. */
export const shortItems = statement((db: Db, value: Value<Owned & { ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'revision', 'updated_at', 'pinned'])
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('items.id', 'ids')),
)

export const tagsAfter = statement((db, value: Value<Owned & { after: string; limit: number }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(value('limit')),
)

export const tagsAmong = statement((db, value: Value<Owned & { ids: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

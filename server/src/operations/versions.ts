import type { VersionSummary } from '@kopilka/contract/items.ts'
import { MAX_VERSIONS, VERSION_DAYS } from '@kopilka/contract/limits.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { contentOf, type ItemContent } from '../items/item.ts'
import type { ItemBefore } from '../items/item-changes.ts'
import type { ItemKey } from '../items/queries.ts'

const DAY = 24 * 60 * 60_000
const KEPT_FOR = VERSION_DAYS * DAY

const newest = statement((db, value: Value<ItemKey & { since: number; limit: number }>) =>
  db
    .selectFrom('changes')
    .select(['before'])
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('version', 'is not', null)
    .where('at', '>', value('since'))
    .orderBy('seq', 'desc')
    .limit(value('limit')),
)

const one = statement((db, value: Value<ItemKey & { since: number; revision: number }>) =>
  db
    .selectFrom('changes')
    .select(['before', 'body'])
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('version', '=', value('revision'))
    .where('at', '>', value('since')),
)

const itemIn = (before: string | null): ItemBefore => JSON.parse(before ?? '{}')

function summaryOf({ revision, updated_at, title, excerpt, tags }: ItemBefore): VersionSummary {
  const saved_at = new Date(updated_at).toISOString()
  return { revision, saved_at, title, excerpt, tags: tags.map(({ name }) => name) }
}

/** What an existing item was before its saves, the newest first. */
export async function versionsOf(db: Db, key: ItemKey, now: number): Promise<VersionSummary[]> {
  const rows = await newest(db, { ...key, since: now - KEPT_FOR, limit: MAX_VERSIONS })
  return rows.map(({ before }) => summaryOf(itemIn(before)))
}

export type Version = VersionSummary & ItemContent

/** An earlier version of an existing item; undefined where it is not kept. */
export async function findVersion(
  db: Db,
  key: ItemKey & { revision: number },
  now: number,
): Promise<Version | undefined> {
  const [row] = await one(db, { ...key, since: now - KEPT_FOR })
  if (!row) return undefined
  const item = itemIn(row.before)
  return { ...contentOf({ ...item, body: row.body ?? '' }), ...summaryOf(item) }
}

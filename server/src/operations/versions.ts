import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { VersionSummary } from '@kopilka/contract/items.ts'
import { MAX_VERSIONS, VERSION_DAYS } from '@kopilka/contract/limits.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { contentOf, type ItemContent } from '../items/item.ts'
import type { ItemBefore } from '../items/item-changes.ts'
import type { ItemKey } from '../items/queries.ts'
import { tagsById } from '../tags/item-tags.ts'
import { mergedInto } from '../tags/merged-tags.ts'
import { type NamedTag, withIds } from '../tags/named-tags.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'

const DAY = 24 * 60 * 60_000
const KEPT_FOR = VERSION_DAYS * DAY

/** Versions that are read in one iteration of the event loop: with fifty tags each some milliseconds. */
const ROWS = 20

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

/**
 * The names of tags by now, of a merged one that of the tag into which it was; a deleted one keeps the one it had, and has no id: so
 * a restored version brings no old name back.
 */
async function namesNow(
  db: Db,
  owner_id: string,
  items: readonly ItemBefore[],
): Promise<(tags: ItemBefore['tags']) => NamedTag[]> {
  const ids = [...new Set(items.flatMap(({ tags }) => tags.map(({ id }) => id)))]
  const rows = ids.length > 0 ? await tagsById(db, { owner_id, ids }) : []
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const merged = await mergedInto(
    db,
    owner_id,
    ids.filter((id) => !names.has(id)),
  )
  return (tags) => {
    const byKey = new Map<string, NamedTag>()
    for (const tag of tags) {
      const { id, name: before } = merged.get(tag.id) ?? tag
      const name = names.get(id) ?? before
      if (names.has(id)) byKey.set(tagNameKey(name), { name, id })
      else if (!byKey.has(tagNameKey(name))) byKey.set(tagNameKey(name), { name })
    }
    return [...byKey.values()]
  }
}

function summaryOf(
  { revision, updated_at, title, excerpt }: ItemBefore,
  tags: readonly NamedTag[],
): VersionSummary {
  const names = tags.map(({ name }) => name)
  return { revision, saved_at: new Date(updated_at).toISOString(), title, excerpt, tags: names }
}

/** What an existing item was before its saves, the newest first. */
export async function versionsOf(db: Db, key: ItemKey, now: number): Promise<VersionSummary[]> {
  const rows = await newest(db, { ...key, since: now - KEPT_FOR, limit: MAX_VERSIONS })
  const items = (await inParts(rows, ROWS, (some) => some.map(({ before }) => itemIn(before)))).flat()
  const namesOf = await namesNow(db, key.owner_id, items)
  const summaries = (some: readonly ItemBefore[]) => some.map((item) => summaryOf(item, namesOf(item.tags)))
  return (await inParts(items, ROWS, summaries)).flat()
}

/** `namedTags`: its tags, with the ids of those that exist. */
export type Version = VersionSummary & ItemContent & { namedTags: NamedTag[] }

/** An earlier version of an existing item; undefined where it is not kept. */
export async function findVersion(
  db: Db,
  key: ItemKey & { revision: number },
  now: number,
): Promise<Version | undefined> {
  const [row] = await one(db, { ...key, since: now - KEPT_FOR })
  if (!row) return undefined
  const item = itemIn(row.before)
  const { owner_id } = key
  const namesOf = await namesNow(db, owner_id, [item])
  const namedTags = await withIds(db, owner_id, namesOf(item.tags))
  return { ...contentOf({ ...item, body: row.body ?? '' }), ...summaryOf(item, namedTags), namedTags }
}

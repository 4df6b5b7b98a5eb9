import { sql } from 'kysely'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { ChangedBefore, lockItems } from '../items/item-changes.ts'
import type { Change } from '../journal/journal.ts'
import { giveTag, lockTagsById, takeTag } from '../tags/tag-changes.ts'
import { lastChangesOf } from './last-changes.ts'

/** What a change keeps of an item whose tags and pin it changed, and nothing else. */
const KEPT: ReadonlySet<string> = new Set<keyof ChangedBefore>([
  ...(['updated_at', 'pinned', 'tags_added', 'tags_removed', 'tags_created'] as const),
])

interface Named {
  owner_id: string
  ids: readonly string[]
}

const assigned = statement((db, value: Value<Named & { tags: readonly string[] }>) =>
  db
    .selectFrom('item_tags')
    .select(['item_id', 'tag_id'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids'))
    .where(value.among('tag_id', 'tags')),
)

interface PutBack {
  id: string
  updated_at: number
  /** Null: it was not changed. */
  pinned: number | null
}

/**
 * The columns in the order of the table: Citus before 13.2 writes those of a row that is selected into each other
 * (https://github.com/citusdata/citus/pull/7675).
 */
const putBack = statement(
  (_, value: Value<Named & { items: readonly PutBack[] }>) => sql<never>`update items
    set revision = revision + 1, (updated_at, pinned) = (
      select cast(was.updated_at as bigint), coalesce(cast(was.pinned as integer), items.pinned)
      from ${value.rows('items', 'was', ['id', 'pinned', 'updated_at'])} where was.id = items.id
    )
    where owner_id = ${value('owner_id')} and ${value.among('id', 'ids')}`,
)

type Locked = Awaited<ReturnType<typeof lockItems>>[number]

interface Undone {
  /** The changes by the numbers of those that they undo. */
  readonly changes: ReadonlyMap<number, Change>
  /** Items that got or lost tags, tags that were taken, and those that were created, with the changes that created them. */
  readonly retagged: readonly string[]
  readonly taken: readonly string[]
  readonly created: ReadonlyMap<string, number>
}

const NOTHING: Undone = { changes: new Map(), retagged: [], taken: [], created: new Map() }

/**
 * Undoes those of the changes of locked items that changed tags and pins alone, as long as nobody changed the tags since: all at
 * once, in as many statements as the operation took. Leaves the others.
 */
export async function undoItemTags(
  trx: Trx,
  owner_id: string,
  rows: readonly ChangesTable[],
  locked: readonly Locked[],
): Promise<Undone> {
  const items = new Map(locked.map((item) => [item.id, item]))
  const byItem = Map.groupBy(rows, (row) => row.entity_id)
  const simple = rows.flatMap((row) => {
    const item = items.get(row.entity_id)
    const kept = byItem.get(row.entity_id)?.length === 1 ? keptIn(row) : undefined
    return item && kept ? { item, kept, seq: Number(row.seq) } : []
  })
  if (simple.length === 0) return NOTHING
  const tags = [...new Set(simple.flatMap(({ kept }) => [...kept.added, ...kept.removed]))]
  const ids = simple.map(({ item }) => item.id)
  const known = new Set((await lockTagsById(trx, owner_id, tags)).map(({ id }) => id))
  const first = Math.min(...simple.map(({ seq }) => seq))
  const changed = await lastChangesOf(trx, { owner_id, id: '' }, first, tags)
  const pairs = new Set(
    (await assigned(trx, { owner_id, ids, tags })).map(({ item_id, tag_id }) => `${item_id} ${tag_id}`),
  )
  const undone = simple.filter(({ item, kept, seq }) => {
    const stands = (tag: string) => known.has(tag) && (changed.get(tag) ?? 0) < seq
    const has = (tag: string) => pairs.has(`${item.id} ${tag}`)
    return (
      kept.added.every((tag) => stands(tag) && has(tag)) &&
      kept.removed.every((tag) => stands(tag) && !has(tag))
    )
  })
  const having = (list: 'added' | 'removed', tag: string) =>
    undone.flatMap(({ item, kept }) => (kept[list].includes(tag) ? item.id : []))
  const taken: string[] = []
  for (const id of tags) {
    const [added, removed] = [having('added', id), having('removed', id)]
    if (added.length > 0) {
      await takeTag(trx, { owner_id, id, items: added })
      taken.push(id)
    }
    if (removed.length > 0) await giveTag(trx, { owner_id, id, items: removed })
  }
  if (undone.length > 0)
    await putBack(trx, {
      owner_id,
      ids: undone.map(({ item }) => item.id),
      items: undone.map(({ item: { id }, kept: { updated_at, pinned } }) => ({ id, updated_at, pinned })),
    })
  return {
    changes: new Map(
      undone.map(({ item: { id, kind, revision }, seq }) => [
        seq,
        { kind, entity_id: id, revision: revision + 1 },
      ]),
    ),
    retagged: undone.flatMap(({ item, kept }) =>
      kept.added.length + kept.removed.length > 0 ? item.id : [],
    ),
    taken,
    created: new Map(undone.flatMap(({ kept, seq }) => kept.created.map((id) => [id, seq] as const))),
  }
}

interface Kept extends Omit<PutBack, 'id'> {
  /** Ids of tags. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly created: readonly string[]
}

/** What a change keeps; undefined where it changed more than tags and the pin. */
function keptIn({ revision, before, body }: ChangesTable): Kept | undefined {
  if (revision === null || before === null || body !== null) return undefined
  const kept: ChangedBefore = JSON.parse(before)
  const { updated_at, pinned = null, tags_added = [], tags_removed = [], tags_created = [] } = kept
  if (updated_at === undefined || Object.keys(kept).some((key) => !KEPT.has(key))) return undefined
  return {
    ...{ updated_at, pinned, created: tags_created },
    added: tags_added.map(({ id }) => id),
    removed: tags_removed.map(({ id }) => id),
  }
}

import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Change } from '../journal/journal.ts'
import type { PendingItem, PendingTags } from '../tags/item-tags.ts'
import { lastDeletions } from '../tags/tag-changes.ts'

/**
 * What the undo of an operation has still to do on a tag, as another operation has changed the tag since. The undo of that other
 * operation does it, so that the order in which operations are undone makes no difference.
 */
interface PendingTag {
  left: {
    /** Items that are to have the tag. */
    due?: readonly PendingItem[]
    /** Items that are not to have it. */
    lost?: readonly PendingItem[]
    /** Items that keep it only because other merges gave it to them as well: the undo of the last of those takes it. */
    held?: readonly PendingItem[]
    /** The tag was created by this change, which was undone: it goes once no item has it. */
    created_by?: number
    /** The tag stands for one whose deletion was undone while it had the name: it stays, whatever becomes of its items. */
    stands?: true
  }
}

const changeOf = (entity_id: string, left: PendingTag['left']): Change => ({
  kind: 'tag',
  entity_id,
  revision: 0,
  before: JSON.stringify({ left } satisfies PendingTag),
})

/**
 * The changes that store what is pending. `created`: tags by their ids, with the changes that created them. `standing`: ids of those
 * that stand for deleted ones.
 */
export const pendingChanges = (
  left: PendingTags,
  created: ReadonlyMap<string, number>,
  standing: ReadonlySet<string>,
): Change[] => [
  ...Array.from(left, ([id, items]) => changeOf(id, items)),
  ...Array.from(created, ([id, created_by]) => changeOf(id, { created_by })),
  ...Array.from(standing, (id) => changeOf(id, { stands: true })),
]

const rows = statement((db, value: Value<{ owner_id: string; after: number; ids: readonly string[] }>) =>
  db
    .selectFrom('changes')
    .select(['entity_id', 'seq', 'before'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('entity_id', 'ids'))
    .where('seq', '>', value('after'))
    .where('is_reverted', '=', 1)
    .where('before', 'like', '{"left":%')
    // Ordered by their numbers alone, SQLite would read all changes of the owner.
    .orderBy('entity_id')
    .orderBy('seq'),
)

const pendingIn = ({ before }: { before: string | null }): PendingTag['left'] => {
  const kept: PendingTag = JSON.parse(before ?? '{"left":{}}')
  return kept.left
}

/**
 * Which items are to have a tag that the change `after` was made to, and which are not, as undos of earlier changes have
 * left it: those after `known`. `held`: the items that keep it only because of other merges, with the changes that gave it to
 * them first. `last`: the last of them.
 */
export async function pendingItems(
  trx: Trx,
  { owner_id, id: tag }: { owner_id: string; id: string },
  after: number,
  known = after,
): Promise<{ due: string[]; lost: string[]; held: Map<string, number>; last: number }> {
  const isDue = new Map<string, boolean>()
  const heldSince = new Map<string, number>()
  let last = known
  for (const row of await rows(trx, { owner_id, after: known, ids: [tag] })) {
    const { due = [], lost = [], held = [] } = pendingIn(row)
    for (const [id, seq] of due) if (seq < after) isDue.set(id, true)
    for (const [id, seq] of lost) if (seq < after) isDue.set(id, false)
    for (const [id, seq] of held) if (seq < after) heldSince.set(id, seq)
    last = Number(row.seq)
  }
  const items = (wanted: boolean) => [...isDue].flatMap(([id, due]) => (due === wanted ? id : []))
  return { due: items(true), lost: items(false), held: heldSince, last }
}

/** Those of the tags that stand for deleted ones. */
export async function standingTags(trx: Trx, owner_id: string, ids: readonly string[]): Promise<string[]> {
  const found = ids.length > 0 ? await rows(trx, { owner_id, after: 0, ids }) : []
  return found.flatMap((row) => (pendingIn(row).stands ? row.entity_id : []))
}

/** Those of the tags that were created by what has been undone. */
export async function createdByUndone(trx: Trx, owner_id: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const created = new Set<string>()
  for (const row of await rows(trx, { owner_id, after: 0, ids })) {
    const { created_by } = pendingIn(row)
    if (created_by === undefined) continue
    for (const id of await createdAgain(trx, owner_id, [row.entity_id], created_by)) created.add(id)
  }
  return [...created]
}

/** Those of the tags whose last deletion before a change has not been undone: the change alone brought them back. */
export async function createdAgain(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
  before: number,
): Promise<string[]> {
  const isUndone = await lastDeletions(trx, owner_id, ids, before)
  return ids.filter((id) => !isUndone.get(id))
}

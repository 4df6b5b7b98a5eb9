import type { TagRef } from '@kopilka/contract/items.ts'
import type { Db } from '../db/schema.ts'
import { tagsById } from './item-tags.ts'
import { type DeletedTag, deletions } from './tag-changes.ts'

/** Tags that were merged into one that is looked up next. */
interface Merged {
  into: TagRef
  sources: string[]
  /** The number of the last of these merges. */
  after: number
}

/**
 * By the ids of tags that do not exist: into which they were merged, and those into others since. One that was deleted at last has
 * the name that it had at the merge. Left out are tags that were not merged, and those of which the journal does not keep it any more.
 */
export async function mergedInto(
  db: Db,
  owner_id: string,
  ids: readonly string[],
): Promise<Map<string, TagRef>> {
  const found = new Map<string, TagRef>()
  let missing = new Map<string, Pick<Merged, 'sources' | 'after'>>(
    ids.map((id) => [id, { sources: [id], after: 0 }]),
  )
  while (missing.size > 0) {
    const rows = await deletions(db, {
      ...{ owner_id, ids: [...missing.keys()], before: Number.MAX_SAFE_INTEGER },
    })
    const last = new Map(rows.map((row) => [row.entity_id, row]))
    const next = new Map<string, Merged>()
    for (const [id, { sources, after }] of missing) {
      const deletion = last.get(id)
      const seq = Number(deletion?.seq ?? 0)
      // A merge before that one is none of what it was merged into: tags that come and go could lead round in a circle.
      if (!deletion || deletion.is_reverted === 1 || seq <= after) continue
      const { into }: Partial<DeletedTag> = JSON.parse(deletion.before ?? '{}')
      if (!into) continue
      const others = next.get(into.id)
      next.set(into.id, {
        into,
        sources: [...(others?.sources ?? []), ...sources],
        after: Math.max(others?.after ?? 0, seq),
      })
    }
    const there = next.size > 0 ? await tagsById(db, { owner_id, ids: [...next.keys()] }) : []
    const names = new Map(there.map(({ id, name }) => [id, name]))
    for (const [id, { into, sources }] of next)
      for (const source of sources) found.set(source, { id, name: names.get(id) ?? into.name })
    missing = new Map([...next].filter(([id]) => !names.has(id)))
  }
  return found
}

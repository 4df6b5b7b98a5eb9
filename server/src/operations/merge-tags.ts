import type { Tag } from '@kopilka/contract/tags.ts'
import { command } from '../db/command.ts'
import { addToUsage } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { reindexTags } from '../items/item-changes.ts'
import { type Change, type NewOperation, recordOperation } from '../journal/journal.ts'
import { findTag, removeTag } from '../tags/store.ts'
import { type GivenTag, giveTag, itemsWith, lockTagsById } from '../tags/tag-changes.ts'

interface Merge {
  owner_id: string
  id: string
  /** The tag that stays. */
  into: string
  operation: NewOperation
}

/** Gives the items of a tag another one in its place. Resolves to the other. Throws 'tagNotFound'. */
export const mergeTags = command(
  'tags.merge',
  async (trx, { owner_id, id, into, operation }: Merge): Promise<Tag> => {
    const locked = await lockTagsById(trx, owner_id, [id, into])
    const merged = locked.find((tag) => tag.id === id)
    if (!merged || locked.length < 2) throw new AppError('tagNotFound')
    const given = await giveTag(trx, { owner_id, id: into, items: await itemsWith(trx, { owner_id, id }) })
    const changes: Change[] = []
    if (given.length > 0) {
      const before = JSON.stringify({ given } satisfies GivenTag)
      changes.push({ kind: 'tag', entity_id: into, revision: 0, before })
    }
    // Undone first: the tag is there again before the other one is taken from the items.
    changes.push(await removeTag(trx, { owner_id, id }, merged.name))
    await reindexTags(trx, owner_id, given)
    await addToUsage(trx, owner_id, { tags: -1 })
    await recordOperation(trx, operation, changes, { items: given.length + 1 })
    const tag = await findTag(trx, { owner_id, id: into })
    if (!tag) throw new AppError('tagNotFound')
    return tag
  },
)

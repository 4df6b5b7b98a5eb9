import type { ListedTag, Tag } from '@kopilka/contract/tags.ts'
import { fold } from '@kopilka/text/fold.ts'
import type { Expression } from 'kysely'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { createVersionedCache } from '../db/versioned-cache.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { type NewOperation, newOperation, recordOperation } from '../journal/journal.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'
import { tagsById } from './item-tags.ts'
import { mergedInto } from './merged-tags.ts'
import { byName } from './order.ts'
import { lockTag, type RenamedTag, setTagName } from './tag-changes.ts'

interface TagKey {
  owner_id: string
  id: string
}

/** Columns that count the items of each kind. */
const COUNT = { note: 'notes_count', link: 'urllinks_count' } as const satisfies Record<ItemKind, string>

const allOf = (db: Db, owner_id: Expression<string>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'notes_count', 'urllinks_count'])
    .where('owner_id', '=', owner_id)

/** All tags, ordered by key: nearly alphabetical, so that the final sort takes a tenth of the time. */
const all = statement((db, value: Value<{ owner_id: string }>) =>
  allOf(db, value('owner_id')).orderBy('name_key'),
)
const one = statement((db, value: Value<TagKey>) =>
  allOf(db, value('owner_id')).where('id', '=', value('id')),
)

/** One tag with its counts. */
export async function findTag(db: Db, tag: TagKey): Promise<Tag | undefined> {
  const [found] = await one(db, tag)
  return found
}

interface Renaming extends TagKey {
  name: string
  operation: NewOperation
}

/** Throws 'tagNotFound', or 'formInvalid' where another tag has the name. `isChanged`: it had another name. */
export const renameTag = command('tags.rename', async (trx, { operation, ...wanted }: Renaming) => {
  const before = await lockTag(trx, wanted)
  if (!before) throw new AppError('tagNotFound')
  if (!(await setTagName(trx, wanted))) throw new AppError('formInvalid', { name: ['tagNameTaken'] })
  const [tag] = await one(trx, wanted)
  if (!tag) throw new AppError('tagNotFound')
  const isChanged = before.name !== tag.name
  if (isChanged) {
    const kept: RenamedTag = { name: before.name }
    const change = { kind: 'tag', entity_id: tag.id, revision: 0, before: JSON.stringify(kept) } as const
    await recordOperation(trx, operation, [change])
  }
  return { tag, isChanged }
})

/** Tags that are searched in one iteration of the event loop: some 5 ms. */
const TAGS = 2000

/** Lists that are cached: the longest allowed has megabytes, and takes 20 ms to read and sort. */
const LISTS = 100

export type TagStore = ReturnType<typeof createTagStore>

export function createTagStore({ db, clock }: { db: Database; clock: Clock }) {
  const sorted = createVersionedCache<readonly Tag[]>(db, LISTS)
  const find = (owner_id: string, id: string): Promise<Tag | undefined> => findTag(db, { owner_id, id })

  return {
    /** In alphabetical order; with `search` those whose name contains it, ignoring case, ё and accents. */
    async list(owner_id: string, search = ''): Promise<readonly Tag[]> {
      const part = fold(search)
      const tags = await sorted(owner_id, async () => (await all(db, { owner_id })).sort(byName))
      if (part === '') return tags
      const holds = ({ name }: Tag) => fold(name).includes(part)
      return (await inParts(tags, TAGS, (some) => some.filter(holds))).flat()
    },

    find,

    /** With those of the ids that were merged into each of the tags and are no tag's any more. */
    async withMerged(
      owner_id: string,
      tags: readonly Tag[],
      ids: readonly string[],
    ): Promise<readonly ListedTag[]> {
      const there = new Set((await tagsById(db, { owner_id, ids })).map(({ id }) => id))
      const gone = ids.filter((id) => !there.has(id))
      const merged = [...(await mergedInto(db, owner_id, gone))]
      return tags.map((tag) => {
        const merged_ids = merged.filter(([, { id }]) => id === tag.id).map(([id]) => id)
        return merged_ids.length === 0 ? tag : { ...tag, merged_ids }
      })
    },

    /** Resolves to the tag, and to what can be undone where its name changed. */
    async rename(
      caller: Caller,
      tag: { id: string; name: string },
    ): Promise<{ tag: Tag; operation_id?: string }> {
      const operation = newOperation(caller, 'rename_tag', clock())
      const { owner_id } = caller
      const { tag: renamed, isChanged } = await db.write(renameTag, { ...tag, owner_id, operation })
      return { tag: renamed, ...(isChanged && { operation_id: operation.id }) }
    },

    /** Number of items of the kind with the tag. */
    async countOf(owner_id: string, id: string, kind: ItemKind): Promise<number> {
      return (await find(owner_id, id))?.[COUNT[kind]] ?? 0
    },
  }
}

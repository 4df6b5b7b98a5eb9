import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import { fold } from '@kopilka/text/fold.ts'
import type { Expression } from 'kysely'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addToUsage } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { byName } from './order.ts'

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

/** Throws 'tagNotFound', or 'formInvalid' if another tag has the name. */
export const renameTag = command(
  'tags.rename',
  async (trx, { owner_id, id, name }: TagKey & { name: string }) => {
    const name_key = tagNameKey(name)
    const { numUpdatedRows } = await trx
      .updateTable('tags')
      .set({ name, name_key })
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('tags as other')
              .select('other.id')
              .where('other.owner_id', '=', owner_id)
              .where('other.name_key', '=', name_key)
              .where('other.id', '!=', id),
          ),
        ),
      )
      .executeTakeFirst()
    const [tag] = await one(trx, { owner_id, id })
    if (!tag) throw new AppError('tagNotFound')
    if (numUpdatedRows === 0n) throw new AppError('formInvalid', { name: ['tagNameTaken'] })
    return tag
  },
)

/** Deletes a tag and keeps its items. Throws 'tagNotFound'. */
export const deleteTag = command('tags.delete', async (trx, { owner_id, id }: TagKey) => {
  const { numDeletedRows } = await trx
    .deleteFrom('tags')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('tagNotFound')
  await addToUsage(trx, owner_id, { tags: -1 })
})

export type TagStore = ReturnType<typeof createTagStore>

export function createTagStore(db: Database) {
  async function find(owner_id: string, id: string): Promise<Tag | undefined> {
    const [tag] = await one(db, { owner_id, id })
    return tag
  }

  return {
    /** In alphabetical order; with `search` those whose name contains it, ignoring case, ё and accents. */
    async list(owner_id: string, search = ''): Promise<Tag[]> {
      const part = fold(search)
      const tags = await all(db, { owner_id })
      const found = part === '' ? tags : tags.filter(({ name }) => fold(name).includes(part))
      return found.sort(byName)
    },

    find,

    rename: (tag: TagKey & { name: string }): Promise<Tag> => db.write(renameTag, tag),
    remove: (tag: TagKey): Promise<void> => db.write(deleteTag, tag),

    /** Number of items of the kind with the tag. */
    async countOf(owner_id: string, id: string, kind: ItemKind): Promise<number> {
      return (await find(owner_id, id))?.[COUNT[kind]] ?? 0
    },
  }
}

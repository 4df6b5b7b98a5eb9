import type { TagRef } from '@kopilka/contract/items.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { Refusal } from '../errors.ts'
import { fold, wordsOf } from '../search/words.ts'

/** Russian alphabetical order without regard to case, ё beside е. */
const russian = new Intl.Collator('ru', { sensitivity: 'variant', numeric: true })
const byName = (one: TagRef, other: TagRef): number => russian.compare(one.name, other.name)

/** Names that differ in letter case only are one name. */
const nameKey = (name: string): string => name.toLowerCase()

const sameWords = (one: string, other: string): boolean =>
  wordsOf(one).every(({ folded }, at) => wordsOf(other)[at]?.folded === folded) &&
  wordsOf(one).length === wordsOf(other).length

/** Puts these items into search as they are now, their tags included. */
export type Reindex = (trx: Trx, owner_id: string, item_ids: readonly string[]) => Promise<void>

export type TagStore = ReturnType<typeof createTagStore>

export function createTagStore(db: Db, clock: Clock) {
  const counted = (owner_id: string) =>
    db
      .selectFrom('tags')
      .leftJoin('item_tags', (join) =>
        join.onRef('item_tags.owner_id', '=', 'tags.owner_id').onRef('item_tags.tag_id', '=', 'tags.id'),
      )
      .where('tags.owner_id', '=', owner_id)
      .groupBy(['tags.owner_id', 'tags.id', 'tags.name'])
      .select(({ fn }) => [
        'tags.id',
        'tags.name',
        fn.count<number>('item_tags.item_id').filterWhere('item_tags.kind', '=', 'note').as('notes_count'),
        fn.count<number>('item_tags.item_id').filterWhere('item_tags.kind', '=', 'link').as('urllinks_count'),
      ])

  /** The tag, which nobody changes, deletes or gives to another item until the transaction ends. */
  async function held(trx: Trx, owner_id: string, id: string): Promise<TagRef> {
    const tag = await trx
      .selectFrom('tags')
      .select(['id', 'name'])
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!tag) throw new Refusal('tagNotFound')
    return tag
  }

  async function taggedWith(trx: Trx, owner_id: string, tag_id: string): Promise<string[]> {
    const rows = await trx
      .selectFrom('item_tags')
      .select('item_id')
      .where('owner_id', '=', owner_id)
      .where('tag_id', '=', tag_id)
      .orderBy('item_id')
      .execute()
    return rows.map(({ item_id }) => item_id)
  }

  return {
    /** In alphabetical order; with `search` those whose name holds it anywhere, without regard to case, ё and accents. */
    async list(owner_id: string, search = ''): Promise<Tag[]> {
      const part = fold(search)
      const tags = await counted(owner_id).execute()
      return tags.filter(({ name }) => fold(name).includes(part)).sort(byName)
    },

    async find(owner_id: string, id: string): Promise<Tag | undefined> {
      return counted(owner_id).where('tags.id', '=', id).executeTakeFirst()
    },

    /** Search finds its items by the new name at once. Throws 'tagNotFound', or 'formInvalid' where another tag has the name. */
    async rename(owner_id: string, id: string, name: string, reindex: Reindex): Promise<void> {
      await transact(db, async (trx) => {
        const before = await held(trx, owner_id, id)
        const { numUpdatedRows } = await trx
          .updateTable('tags')
          .set({ name, name_key: nameKey(name) })
          .where('owner_id', '=', owner_id)
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('tags as other')
                  .select('other.id')
                  .where('other.owner_id', '=', owner_id)
                  .where('other.name_key', '=', nameKey(name))
                  .where('other.id', '!=', id),
              ),
            ),
          )
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new Refusal('formInvalid', { name: ['tagNameTaken'] })
        if (sameWords(before.name, name)) return
        await reindex(trx, owner_id, await taggedWith(trx, owner_id, id))
      })
    },

    /** Its items stay, and are no longer found by its name. Throws 'tagNotFound'. */
    async remove(owner_id: string, id: string, reindex: Reindex): Promise<void> {
      await transact(db, async (trx) => {
        await held(trx, owner_id, id)
        const items = await taggedWith(trx, owner_id, id)
        await trx.deleteFrom('tags').where('owner_id', '=', owner_id).where('id', '=', id).execute()
        await reindex(trx, owner_id, items)
      })
    },

    /** The tags of each of these items, in alphabetical order. */
    async ofItems(
      owner_id: string,
      items: readonly string[],
      source: Db | Trx = db,
    ): Promise<Map<string, TagRef[]>> {
      const byItem = new Map<string, TagRef[]>()
      if (items.length === 0) return byItem
      const rows = await source
        .selectFrom('item_tags')
        .innerJoin('tags', (join) =>
          join.onRef('tags.owner_id', '=', 'item_tags.owner_id').onRef('tags.id', '=', 'item_tags.tag_id'),
        )
        .select(['item_tags.item_id', 'tags.id', 'tags.name'])
        .where('item_tags.owner_id', '=', owner_id)
        .where('item_tags.item_id', 'in', [...items])
        .execute()
      for (const { item_id, id, name } of rows.sort(byName)) {
        const known = byItem.get(item_id)
        if (known) known.push({ id, name })
        else byItem.set(item_id, [{ id, name }])
      }
      return byItem
    },

    /** The tags of these names, made where they are missing. A name known in other letter case keeps its first spelling. */
    async named(trx: Trx, owner_id: string, names: readonly string[]): Promise<TagRef[]> {
      if (names.length === 0) return []
      const byKey = new Map<string, string>()
      for (const name of names) if (!byKey.has(nameKey(name))) byKey.set(nameKey(name), name)
      // In one order: two saves that make the same tags wait for one another, and never each for the other.
      const sorted = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1))
      const now = clock()
      await trx
        .insertInto('tags')
        .values(sorted.map(([name_key, name]) => ({ owner_id, id: uuidv7({ msecs: now }), name, name_key })))
        .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
        .execute()
      const tags = await trx
        .selectFrom('tags')
        .select(['id', 'name'])
        .where('owner_id', '=', owner_id)
        .where('name_key', 'in', [...byKey.keys()])
        .execute()
      return tags.sort(byName)
    },
  }
}

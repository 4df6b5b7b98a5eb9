import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import { fold } from '@kopilka/text/tokenize.ts'
import type { Expression } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors.ts'
import { byName } from './order.ts'

/** Where an item of a kind is counted with its tags. */
const COUNT = { note: 'notes_count', link: 'urllinks_count' } as const satisfies Record<ItemKind, string>
const NO_ITEMS = { notes_count: 0, urllinks_count: 0 }

/** An item that has tags. */
interface Tagged {
  owner_id: string
  id: string
  kind: ItemKind
}

const allOf = (db: Db, owner_id: Expression<string>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name', 'notes_count', 'urllinks_count'])
    .where('owner_id', '=', owner_id)

/** Nearly in alphabetical order already: the rest of it takes a tenth of the time. */
const all = statement((db, value: Value<{ owner_id: string }>) =>
  allOf(db, value('owner_id')).orderBy('name_key'),
)
const one = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  allOf(db, value('owner_id')).where('id', '=', value('id')),
)

const namesOf = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('tags').select(['id', 'name']).where('owner_id', '=', value('owner_id')),
)

const tagIdsOf = statement((db, value: Value<{ owner_id: string; item_id: string }>) =>
  db
    .selectFrom('item_tags')
    .select('tag_id')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '=', value('item_id')),
)

export type TagStore = ReturnType<typeof createTagStore>

export function createTagStore(db: Db, clock: Clock) {
  async function find(owner_id: string, id: string): Promise<Tag | undefined> {
    const [tag] = await one(db, { owner_id, id })
    return tag
  }

  async function addToCounts(
    trx: Trx,
    { owner_id, kind }: Tagged,
    tag_ids: readonly string[],
    more: 1 | -1,
  ): Promise<void> {
    await trx
      .updateTable('tags')
      .set(COUNT[kind], ({ eb }) => eb(COUNT[kind], '+', more))
      .where('owner_id', '=', owner_id)
      .where('id', 'in', [...tag_ids])
      .execute()
  }

  /** The tags that are there of these names, which are told by their keys. */
  const namedSo = (trx: Trx, owner_id: string, byKey: ReadonlyMap<string, string>): Promise<TagRef[]> =>
    trx
      .selectFrom('tags')
      .select(['id', 'name'])
      .where('owner_id', '=', owner_id)
      .where('name_key', 'in', [...byKey.keys()])
      .execute()

  /** Makes tags of these names, unless somebody else just has. */
  async function make(trx: Trx, owner_id: string, byKey: ReadonlyMap<string, string>): Promise<void> {
    // In one order: two saves that make the same tags wait for one another, and never each for the other.
    const sorted = [...byKey].sort(([one], [other]) => (one < other ? -1 : 1))
    const now = clock()
    await trx
      .insertInto('tags')
      .values(
        sorted.map(([name_key, name]) => ({
          owner_id,
          id: uuidv7({ msecs: now }),
          name,
          name_key,
          ...NO_ITEMS,
        })),
      )
      .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
      .execute()
  }

  return {
    /** In alphabetical order; with `search` those whose name holds it anywhere, without regard to case, ё and accents. */
    async list(owner_id: string, search = ''): Promise<Tag[]> {
      const part = fold(search)
      const tags = await all(db, { owner_id })
      return tags.filter(({ name }) => fold(name).includes(part)).sort(byName)
    },

    find,

    /** Throws 'tagNotFound', or 'formInvalid' where another tag has the name. */
    async rename(owner_id: string, id: string, name: string): Promise<void> {
      await transact(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('tags')
          .set({ name, name_key: tagNameKey(name) })
          .where('owner_id', '=', owner_id)
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('tags as other')
                  .select('other.id')
                  .where('other.owner_id', '=', owner_id)
                  .where('other.name_key', '=', tagNameKey(name))
                  .where('other.id', '!=', id),
              ),
            ),
          )
          .executeTakeFirst()
        if (numUpdatedRows > 0n) return
        const tag = await trx
          .selectFrom('tags')
          .select('id')
          .where('owner_id', '=', owner_id)
          .where('id', '=', id)
          .executeTakeFirst()
        throw tag ? new AppError('formInvalid', { name: ['tagNameTaken'] }) : new AppError('tagNotFound')
      })
    },

    /** Its items stay. Throws 'tagNotFound'. */
    async remove(owner_id: string, id: string): Promise<void> {
      const { numDeletedRows } = await transact(db, (trx) =>
        trx.deleteFrom('tags').where('owner_id', '=', owner_id).where('id', '=', id).executeTakeFirst(),
      )
      if (numDeletedRows === 0n) throw new AppError('tagNotFound')
    },

    /** How many items of the kind have the tag. */
    async countOf(owner_id: string, id: string, kind: ItemKind): Promise<number> {
      return (await find(owner_id, id))?.[COUNT[kind]] ?? 0
    },

    /** All tags of the owner without their counts. */
    names: (owner_id: string): Promise<TagRef[]> => namesOf(db, { owner_id }),

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
      for (const name of names) if (!byKey.has(tagNameKey(name))) byKey.set(tagNameKey(name), name)
      const known = await namedSo(trx, owner_id, byKey)
      for (const { name } of known) byKey.delete(tagNameKey(name))
      if (byKey.size === 0) return known.sort(byName)
      await make(trx, owner_id, byKey)
      return [...known, ...(await namedSo(trx, owner_id, byKey))].sort(byName)
    },

    /**
     * Gives the item these tags and no others. Its row must be new or locked: of two changes at once, the second has to
     * see what the first has counted.
     */
    async assign(trx: Trx, item: Tagged, tags: readonly TagRef[]): Promise<void> {
      const { owner_id, kind, id: item_id } = item
      const rows = await tagIdsOf(trx, { owner_id, item_id })
      const [before, after] = [rows.map(({ tag_id }) => tag_id), tags.map(({ id }) => id)]
      const gone = before.filter((id) => !after.includes(id))
      const added = after.filter((id) => !before.includes(id))
      if (gone.length + added.length === 0) return
      // In one order: two changes that count the same tags wait for one another, and never each for the other.
      await trx
        .selectFrom('tags')
        .select('id')
        .where('owner_id', '=', owner_id)
        .where('id', 'in', [...gone, ...added])
        .orderBy('id')
        .forUpdate()
        .execute()
      if (gone.length > 0) {
        await trx
          .deleteFrom('item_tags')
          .where('owner_id', '=', owner_id)
          .where('item_id', '=', item_id)
          .where('tag_id', 'in', gone)
          .execute()
        await addToCounts(trx, item, gone, -1)
      }
      if (added.length > 0) {
        await trx
          .insertInto('item_tags')
          .values(added.map((tag_id) => ({ owner_id, item_id, tag_id, kind })))
          .execute()
        await addToCounts(trx, item, added, 1)
      }
    },
  }
}

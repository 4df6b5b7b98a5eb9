import type { TagRef } from '@kopilka/contract/items.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { excerptOf } from '../search/excerpt.ts'
import type { IndexedItem, SearchIndex } from '../search/index.ts'
import { type Entries, entriesOf, tagged } from '../search/terms.ts'
import type { TagStore } from '../tags/store.ts'
import { addToCount } from './counts.ts'
import { plainText } from './html.ts'
import { findIdempotentResult } from './idempotency.ts'
import type { ItemDraft, ItemRow } from './item.ts'
import { createPauses, withPauses } from './pauses.ts'
import { findItem, type ItemKey, WHOLE } from './queries.ts'

/** What became of a save or a deletion that was meant for certain revisions only. */
export type Outcome<T> = { done: T } | { refused: 'missing' | 'changed' }

/** SQL knows no empty list; no item is at revision 0. */
const listOf = (revisions: readonly number[] = []): number[] => [0, ...revisions]

interface StoreParts {
  db: Db
  index: SearchIndex
  tags: TagStore
  clock: Clock
}

export type ItemStore = ReturnType<typeof createItemStore>

/** Notes and links, kept alike. What is not the owner's is as if it did not exist. */
export function createItemStore({ db, index, tags, clock }: StoreParts) {
  const keyed = (source: Db | Trx, { owner_id, kind, id }: ItemKey) =>
    source.selectFrom('items').where('owner_id', '=', owner_id).where('id', '=', id).where('kind', '=', kind)

  async function saveTags(trx: Trx, key: ItemKey, names: readonly string[]): Promise<TagRef[]> {
    const named = await tags.named(trx, key.owner_id, names)
    await tags.assign(trx, key, named)
    return named
  }

  /** Before the transaction, in which nobody else could ask SQLite: a long text takes its time. */
  async function textsOf({ title, body, url }: Omit<ItemDraft, 'tags'>) {
    const pause = createPauses()
    const text = plainText(body)
    await pause()
    return {
      fields: { title, body, url, excerpt: excerptOf(text) },
      entries: await entriesOf({ title, body: text, url: url ?? '' }, pause),
    }
  }

  const indexItem = (trx: Trx, item: IndexedItem, entries: Entries, named: readonly TagRef[]) =>
    index.put(
      withPauses(trx),
      item,
      tagged(
        entries,
        named.map(({ id }) => id),
      ),
    )

  return {
    find: (key: ItemKey): Promise<ItemRow | undefined> => findItem(db, key),

    /**
     * `created_at`: when it is not now (an import, a seed). `idempotencyKey`: a request that was sent before makes
     * nothing and answers its item as it is now; undefined where that was deleted since.
     */
    async create(
      { owner_id, kind, idempotencyKey }: Omit<ItemKey, 'id'> & { idempotencyKey?: string | undefined },
      { tags: names = [], ...draft }: ItemDraft,
      created_at = clock(),
    ): Promise<ItemRow | undefined> {
      const id = uuidv7({ msecs: created_at })
      const key = { owner_id, kind, id }
      const { fields, entries } = await textsOf(draft)
      const row = { id, ...fields, revision: 1, created_at, updated_at: created_at }
      const made = await transact(db, async (trx) => {
        if (idempotencyKey !== undefined) {
          const creation = { owner_id, kind, idempotencyKey, item_id: id, now: clock() }
          const before = await findIdempotentResult(trx, { ...creation, draft: { ...draft, tags: names } })
          if (before !== undefined) return { before }
        }
        await trx
          .insertInto('items')
          .values({ owner_id, kind, ...row })
          .execute()
        const named = await saveTags(trx, key, names)
        await indexItem(trx, { ...key, created_at }, entries, named)
        // Last: from here to its end all others of the owner wait.
        await addToCount(trx, key, 1)
        return { ...row, tags: named }
      })
      return 'before' in made ? findItem(db, { owner_id, kind, id: made.before }) : made
    },

    /** `revisions`: the change is made only where the item still is at one of them; undefined: in any case. */
    async update(
      key: ItemKey,
      { tags: names, ...draft }: ItemDraft,
      revisions?: readonly number[],
    ): Promise<Outcome<ItemRow>> {
      const { fields, entries } = await textsOf(draft)
      return transact(db, async (trx) => {
        const changed = await trx
          .updateTable('items')
          .set(({ eb }) => ({ ...fields, updated_at: clock(), revision: eb('revision', '+', 1) }))
          .where('owner_id', '=', key.owner_id)
          .where('id', '=', key.id)
          .where('kind', '=', key.kind)
          .$if(revisions !== undefined, (update) => update.where('revision', 'in', listOf(revisions)))
          .returning(WHOLE)
          .executeTakeFirst()
        if (!changed) return { refused: await whyUnchanged(trx, key) }
        const named = names
          ? await saveTags(trx, key, names)
          : ((await tags.ofItems(key.owner_id, [key.id], trx)).get(key.id) ?? [])
        await indexItem(trx, { ...key, created_at: changed.created_at }, entries, named)
        return { done: { ...changed, tags: named } }
      })
    },

    /** Its tags stay, even where it was their last item. */
    async remove(key: ItemKey, revisions?: readonly number[]): Promise<Outcome<true>> {
      return transact(db, async (trx) => {
        const item = await keyed(trx, key).select('revision').forUpdate().executeTakeFirst()
        if (!item) return { refused: 'missing' }
        if (revisions && !revisions.includes(item.revision)) return { refused: 'changed' }
        await tags.assign(trx, key, [])
        await trx.deleteFrom('items').where('owner_id', '=', key.owner_id).where('id', '=', key.id).execute()
        await index.remove(trx, key.owner_id, key.id)
        await addToCount(trx, key, -1)
        return { done: true }
      })
    },
  }

  async function whyUnchanged(trx: Trx, key: ItemKey): Promise<'missing' | 'changed'> {
    return (await keyed(trx, key).select('id').executeTakeFirst()) ? 'changed' : 'missing'
  }
}

import type { Condition } from '@kopilka/text/search/condition.ts'
import type {
  ConditionMatch,
  CountAndFirst,
  Dated,
  NewestOptions,
} from '@kopilka/text/search/index-reader.ts'
import type { IndexDocument } from '@kopilka/text/search/terms.ts'
import type { Db, ItemKind, Trx } from '../db/schema.ts'

/** Attributes of an item in the index, besides its document. */
export interface IndexedItem {
  owner_id: string
  id: string
  kind: ItemKind
  created_at: number
}

/** All that the index stores of an item. */
export interface IndexEntry {
  readonly item: Omit<IndexedItem, 'owner_id'>
  readonly document: IndexDocument
  readonly tagIds: readonly string[]
  /** The item is inserted by the same transaction, so that nothing of it is in the index. */
  readonly isNew?: boolean
}

/**
 * The search index, with one implementation for each database; the same documents give the same results in both. Upserts
 * and deletions run in the transaction that saves the item. They also add the item's forms to the owner's vocabulary; the
 * forms that an item lost wait for a background step (search/indexer.ts), because to look for each of them costs
 * more than all the rest of a save.
 */
export interface SearchIndex {
  /** Of one owner, all at once: two transactions that change the same words wait for each other in one order. */
  upsert(trx: Trx, owner_id: string, entries: readonly IndexEntry[]): Promise<void>
  /**
   * What is stored of items, from which they can be stored again, by their ids. Without those of which that is not known: they
   * were not indexed yet.
   */
  documentsOf(trx: Trx, owner_id: string, item_ids: readonly string[]): Promise<Map<string, IndexDocument>>
  /** Deletes items of an owner whose vocabulary is deleted as a whole. Called before the items themselves are deleted. */
  deleteMany(trx: Trx, owner_id: string, item_ids: readonly string[]): Promise<void>
  /** Of one owner. Called before the items themselves are deleted. */
  delete(trx: Trx, owner_id: string, item_ids: readonly string[]): Promise<void>
  countAndFirst(db: Db, owner_id: string, condition: Condition, limit: number): Promise<CountAndFirst>
  /** The newest items that meet the condition. */
  newest(db: Db, owner_id: string, condition: Condition, wanted: NewestOptions): Promise<Dated[]>
  /** Removes those of the forms from the owner's vocabulary that no item has. */
  removeUnusedForms(trx: Trx, owner_id: string, forms: readonly string[]): Promise<void>
  /** How many items meet each condition, at most `limit`. */
  countUpTo(db: Db, owner_id: string, conditions: readonly Condition[], limit: number): Promise<number[]>
  /**
   * The items that meet any of at most 30 conditions, in any order. For conditions that few items meet, or to look only `among` a few
   * items.
   */
  conditionsMet(
    db: Db,
    owner_id: string,
    conditions: readonly Condition[],
    among?: readonly string[],
  ): Promise<ConditionMatch[]>
  /** Whether the terms of deleted items stay in the database until {@link forgetDeletedTerms} has removed them. */
  readonly keepsDeletedTerms: boolean
  /** A short step that removes them; resolves to whether there is more to do. `isFirst`: of several that follow. */
  forgetDeletedTerms(trx: Trx, isFirst: boolean): Promise<boolean>
  /** A short step of maintenance after bulk writes. Resolves to whether there is more to do. */
  maintain(trx: Trx): Promise<boolean>
}

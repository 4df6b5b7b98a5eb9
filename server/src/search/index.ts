import type { Db, ItemKind, Trx } from '../db/schema.ts'
import type { IndexDocument } from './document.ts'

/** Which items an index looks for: those with a term, or a term with this prefix, and combinations of these. */
export type Condition =
  | { readonly term: string; readonly prefix?: boolean }
  | { readonly all: readonly [Condition, ...Condition[]] }
  | { readonly any: readonly [Condition, ...Condition[]] }
  | { readonly these: Condition; readonly but: Condition }

/** How many items of each kind. */
export type Counts = Readonly<Record<ItemKind, number>>

/** An item as the index knows it, besides its document. */
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
}

export type Found = Pick<IndexedItem, 'id' | 'kind'>

/** Newest first: by `created_at`, then by id. */
export interface CountAndFirst {
  readonly counts: Counts
  /** All that meet the condition; undefined where they are more than the limit. */
  readonly all: readonly Found[] | undefined
}

/**
 * Where index documents are stored: one implementation a database, both given the same, so that both find the same. Upserts
 * and deletions belong to the transaction that saves the item. Beside the terms they keep the owner's vocabulary
 * (search/vocabulary.ts): each form that an item of the owner holds, and no other.
 */
export interface SearchIndex {
  /** Of one owner, all at once: two transactions that change the same words wait for each other in one order. */
  upsert(trx: Trx, owner_id: string, entries: readonly IndexEntry[]): Promise<void>
  /**
   * What is stored of an item, from which it can be stored again. Undefined where that is not known: the item was not
   * indexed yet.
   */
  documentOf(trx: Trx, owner_id: string, item_id: string): Promise<IndexDocument | undefined>
  /** Before the item itself is deleted. */
  delete(trx: Trx, owner_id: string, item_id: string): Promise<void>
  countAndFirst(db: Db, owner_id: string, condition: Condition, limit: number): Promise<CountAndFirst>
  /** The newest that meet the condition. */
  newest(
    db: Db,
    owner_id: string,
    condition: Condition,
    wanted: { kind?: ItemKind | undefined; limit: number },
  ): Promise<Found[]>
  /** By item id, the place of the first condition that the item meets. For conditions that few items meet. */
  bucketOf(db: Db, owner_id: string, conditions: readonly Condition[]): Promise<Map<string, number>>
  /** A short step of the upkeep that bulk writes leave behind. Resolves to whether there is more to do. */
  maintain(trx: Trx): Promise<boolean>
}

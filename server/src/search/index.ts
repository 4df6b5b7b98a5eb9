import type { Db, ItemKind, Trx } from '../db/schema.ts'
import type { Entries } from './terms.ts'

/** Which items an index is asked for: those that hold a trait, or a trait that begins so, and what can be made of these. */
export type Condition =
  | { readonly trait: string; readonly beginning?: boolean }
  | { readonly all: readonly [Condition, ...Condition[]] }
  | { readonly any: readonly [Condition, ...Condition[]] }
  | { readonly these: Condition; readonly but: Condition }

/** How many items of each kind. */
export type Counts = Readonly<Record<ItemKind, number>>

/** An item as the index knows it, besides its texts. */
export interface IndexedItem {
  owner_id: string
  id: string
  kind: ItemKind
  created_at: number
}

/** An item that was found. */
export type Found = Pick<IndexedItem, 'id' | 'kind'>

/** How many items there are, and which, newest first, where they are few. */
interface Survey {
  readonly counts: Counts
  readonly all: readonly Found[] | undefined
}

/** A form of a word that stands in an owner's items. */
export interface Form {
  readonly stem: string
  readonly form: string
}

/** Where traits are kept. One implementation a database; both are given the same, so both find the same items. */
export interface SearchIndex {
  /** In the transaction that saves the item: a saved change is found, and the old text is not, from then on. */
  put(trx: Trx, item: IndexedItem, entries: Entries): Promise<void>
  remove(trx: Trx, owner_id: string, item_id: string): Promise<void>
  /** Before all items of an owner are put in anew: leaves out what no item is known to hold. */
  tidy(trx: Trx, owner_id: string): Promise<void>
  /** `few`: so many items at most are named. */
  survey(db: Db, owner_id: string, condition: Condition, few: number): Promise<Survey>
  /** The newest that meet the condition, in their order. */
  find(
    db: Db,
    owner_id: string,
    condition: Condition,
    wanted: { kind?: ItemKind | undefined; limit: number },
  ): Promise<Found[]>
  /** The first of the conditions that an item meets, as its place among them, by the item's id. For few items. */
  firstMet(db: Db, owner_id: string, conditions: readonly Condition[]): Promise<Map<string, number>>
  /** The forms of words with these stems, as far as the owner's items hold any. */
  forms(db: Db, owner_id: string, stems: readonly string[]): Promise<Form[]>
}

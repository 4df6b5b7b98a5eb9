import type { Db, ItemKind, Trx } from '../db/schema.ts'
import type { Query } from './query.ts'

/** The texts of an item by which it is found; `body` is plain text. */
export interface IndexedText {
  title: string
  tags: readonly string[]
  body: string
  url: string
}

export interface Sought {
  owner_id: string
  query: Query
  kind: ItemKind
  /** Only items with this tag. */
  tag_id?: string | undefined
}

/** Where words are kept. One implementation a database; both are given the same words, so both find the same items. */
export interface SearchIndex {
  /** In the transaction that saves the item: a saved change is found, and the old text is not, from then on. */
  put(trx: Trx, owner_id: string, item_id: string, text: IndexedText): Promise<void>
  remove(trx: Trx, owner_id: string, item_id: string): Promise<void>
  /** The ids of a piece of the matches, best first. */
  find(db: Db, sought: Sought, piece: { limit: number; offset: number }): Promise<string[]>
  count(db: Db, sought: Sought): Promise<number>
}

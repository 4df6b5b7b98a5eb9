import type { Db, ItemKind, Trx } from '../db/schema.ts'
import type { Query } from './query.ts'

/** By what an item is found; `body` is plain text. */
export interface IndexedText {
  title: string
  /** Their ids, not their names: a tag is renamed or deleted without touching the index of its items. */
  tags: readonly string[]
  body: string
  url: string
}

export interface Sought {
  owner_id: string
  query: Query
  /** For each word of the query the ids of the tags whose names hold it. */
  tagged: readonly (readonly string[])[]
  kind: ItemKind
  /** Only items with this tag. */
  tag_id?: string | undefined
}

/** A tag among the words of an item. No word of a text is like it: those are letters and digits only. */
export const tagWord = (id: string): string => `#${id.replaceAll('-', '')}`

/** Where words are kept. One implementation a database; both are given the same words, so both find the same items. */
export interface SearchIndex {
  /** In the transaction that saves the item: a saved change is found, and the old text is not, from then on. */
  put(trx: Trx, owner_id: string, item_id: string, text: IndexedText): Promise<void>
  remove(trx: Trx, owner_id: string, item_id: string): Promise<void>
  /** The ids of a piece of the matches, best first. */
  find(db: Db, sought: Sought, piece: { limit: number; offset: number }): Promise<string[]>
  count(db: Db, sought: Sought): Promise<number>
}

import type { ItemKind } from '../db/schema.ts'
import type { Found } from '../search/index.ts'

/** Ids of notes and of links, each in their order. */
export type Ids = Readonly<Record<ItemKind, readonly string[]>>

/** Something for each kind. */
export const eachKind = <T>(make: (kind: ItemKind) => T): Record<ItemKind, T> => ({
  note: make('note'),
  link: make('link'),
})

/** What was found, apart by kind. */
export const idsByKind = (found: readonly Found[]): Ids =>
  eachKind((of) => found.filter(({ kind }) => kind === of).map(({ id }) => id))

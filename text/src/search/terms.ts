/**
 * Version of the analysis. After a change of the number every item is indexed again (search/indexer.ts). If the first stem of a
 * form changes, a migration must empty the tables of the index as well.
 */
export const ANALYSER = 5

/**
 * The index document of an item. Lists are strings separated by spaces, because strings are copied between threads
 * faster.
 */
export interface IndexDocument {
  /** Index terms, without duplicates. */
  readonly terms: string
  /** Words for completions and spelling corrections, without duplicates, sorted. */
  readonly forms: string
  /** The first stem of each form. */
  readonly stems: string
}

/** The list in a field of an index document. */
export const listOf = (field: string): string[] => (field === '' ? [] : field.split(' '))

/** Index terms. The first character is the type of a term; no word begins with one of these characters. */
export const TERMS = {
  /** The title or the text has a word with this stem. */
  text: (stem: string) => `=${stem}`,
  title: (stem: string) => `^${stem}`,
  /** The text has the stem often. */
  often: (stem: string) => `+${stem}`,
  address: (stem: string) => `/${stem}`,
  tag: (id: string) => `#${id.replaceAll('-', '')}`,
  /** The host of the address, and each domain above it. */
  site: (host: string) => `@${host}`,
  /** Every item. */
  every: '*',
  /** No item. */
  none: '!',
} as const

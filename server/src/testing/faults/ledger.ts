import type { ItemKind } from '../../db/schema.ts'

/** An item as a writer wanted it. */
export interface Version {
  readonly title: string
  readonly body: string
  /** A link's; null for a note. */
  readonly url: string | null
  readonly tags: readonly string[]
  /** Stands in this version's text, and in no other version of any item. */
  readonly word: string
}

/** What was asked for one item, and what is to be expected of it. */
export interface Entry {
  /** The first word of its title in every version. */
  readonly name: string
  readonly kind: ItemKind
  /** Once its creation was acknowledged. */
  id?: string
  /** What may be stored, undefined where the item may not be there: a single one where all was acknowledged. */
  possible: readonly (Version | undefined)[]
  /** Of all versions that were ever asked for. */
  readonly words: string[]
}

export type Ledger = ReturnType<typeof createLedger>

/** What writers asked for and what was acknowledged: outside the server, so that it outlives it. */
export function createLedger() {
  const entries = new Map<string, Entry>()
  let acknowledged = 0
  return {
    entries,
    /** Answers that no fault explains. */
    wrongAnswers: [] as string[],
    /** Writes answered with success so far. */
    acknowledged: () => acknowledged,
    /** Answers so far that said that the database is away. */
    away: 0,

    open(name: string, kind: ItemKind): Entry {
      const entry: Entry = { name, kind, possible: [undefined], words: [] }
      entries.set(name, entry)
      return entry
    },

    /** To be called before the request is sent: from now on either may be stored. */
    ask(entry: Entry, version: Version | undefined): void {
      entry.possible = [...entry.possible, version]
      if (version) entry.words.push(version.word)
    },

    /** To be called when success was answered: from now on nothing else may be stored. */
    acknowledge(entry: Entry, version: Version | undefined): void {
      entry.possible = [version]
      acknowledged += 1
    },
  }
}

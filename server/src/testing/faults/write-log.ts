import type { ItemKind } from '../../db/schema.ts'

/** An item as a writer requested it. */
export interface Version {
  readonly title: string
  readonly body: string
  /** Null for a note. */
  readonly url: string | null
  readonly tags: readonly string[]
  /** Occurs in the text of this version only. */
  readonly word: string
}

/** The requested and the expected versions of one item. */
export interface Entry {
  /** The first word of its title in every version. */
  readonly name: string
  readonly kind: ItemKind
  /** Set once its creation is acknowledged. */
  id?: string
  /** Versions that may be stored, undefined for no item; exactly one once everything was acknowledged. */
  possible: readonly (Version | undefined)[]
  /** The words of all requested versions. */
  readonly words: string[]
}

export type WriteLog = ReturnType<typeof createWriteLog>

/** The expected and acknowledged writes, kept outside the server so that they outlive it. */
export function createWriteLog() {
  const entries = new Map<string, Entry>()
  let acknowledged = 0
  return {
    entries,
    /** Responses that the injected fault does not explain. */
    unexpectedResponses: [] as string[],
    /** Number of acknowledged writes. */
    acknowledged: () => acknowledged,
    /** Number of 503 responses. */
    unavailable: 0,

    open(name: string, kind: ItemKind): Entry {
      const entry: Entry = { name, kind, possible: [undefined], words: [] }
      entries.set(name, entry)
      return entry
    },

    /** Call before sending the request: from now on `version` may be stored too. */
    expect(entry: Entry, version: Version | undefined): void {
      entry.possible = [...entry.possible, version]
      if (version) entry.words.push(version.word)
    },

    /** Call after a success response: from now on only `version` may be stored. */
    acknowledge(entry: Entry, version: Version | undefined): void {
      entry.possible = [version]
      acknowledged += 1
    },
  }
}

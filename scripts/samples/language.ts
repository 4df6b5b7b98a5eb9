/** A noun in the grammatical cases that sentences need; English has one form for all. */
export interface Thing {
  readonly nom: string
  readonly gen: string
  readonly acc: string
  /** After «о». */
  readonly prep: string
}

/** Nouns and actions of one note. */
export interface Topic {
  readonly tags: readonly string[]
  readonly things: readonly Thing[]
  readonly actions: readonly string[]
}

/** The words of a language, and the templates of its sentences. */
export interface Language {
  readonly topics: readonly Topic[]
  /** `{nom}`, `{gen}`, `{acc}`, `{prep}`: a thing; `{do}`: an action; the rest: one of {@link Language.words}. */
  readonly sentences: readonly string[]
  readonly titles: readonly string[]
  readonly listHeads: readonly string[]
  readonly listItems: readonly string[]
  readonly words: Readonly<Record<string, readonly string[]>>
  readonly sites: readonly string[]
}

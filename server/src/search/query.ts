import { wordsOf } from './words.ts'

/** What was asked for: every word must occur; the last may be the beginning of one. */
export interface Query {
  readonly words: readonly string[]
}

/** Whether a word of a text is what the query's word at this place asks for. */
export function asksFor({ words }: Query, at: number, folded: string): boolean {
  const word = words[at] ?? ''
  return at === words.length - 1 ? folded.startsWith(word) : folded === word
}

/** More words than anyone types; a pasted page must not become a query of thousands. */
const MAX_WORDS = 32

/** Undefined where the text holds nothing to search for: then there is no search. */
export function parseQuery(text: string | undefined): Query | undefined {
  const words = wordsOf(text ?? '').map(({ folded }) => folded)
  return words.length > 0 ? { words: words.slice(0, MAX_WORDS) } : undefined
}

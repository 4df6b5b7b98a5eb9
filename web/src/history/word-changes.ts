import { diffArrays } from 'diff'

/** Milliseconds for one comparison: of two long texts with nothing in common it would take minutes. */
const TIMEOUT_MS = 400

/** A piece of a text; `changed`: the other text lacks it. */
export interface Piece {
  text: string
  changed: boolean
}

/** Two texts in pieces. */
export interface Changes {
  before: Piece[]
  after: Piece[]
}

/** Words and signs, each with the white space before it. */
const WORD = /\s*(?:[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]|$)/gu
const LINE = /[^\n]*(?:\n|$)/g

const changesBy = (token: RegExp, before: string, after: string): Changes | undefined => {
  const tokensOf = (text: string): string[] => text.match(token) ?? []
  const found = diffArrays(tokensOf(before), tokensOf(after), {
    timeout: TIMEOUT_MS,
    comparator: (one, other) => one.trim() === other.trim(),
  })
  if (!found) return undefined
  const piecesWithout = (left: 'added' | 'removed'): Piece[] =>
    found
      .filter((change) => !change[left])
      .map(({ value, added, removed }) => ({ text: value.join(''), changed: added || removed }))
      .filter(({ text }) => text !== '')
  return { before: piecesWithout('added'), after: piecesWithout('removed') }
}

/** Compares two texts word by word; where that takes too long line by line, and of two that differ in all marks nothing. */
export const wordChanges = (before: string, after: string): Changes | undefined =>
  changesBy(WORD, before, after) ?? changesBy(LINE, before, after)

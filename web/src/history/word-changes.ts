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

/** A piece that is marked without the white space before it. */
const withBareMark = (text: string, changed: boolean): Piece[] => {
  const bare = changed ? text.trimStart() : ''
  const rest = text.slice(0, text.length - bare.length)
  return [
    ...(rest === '' ? [] : [{ text: rest, changed: false }]),
    ...(bare === '' ? [] : [{ text: bare, changed: true }]),
  ]
}

/** Words and signs, each with the white space before it. */
const WORD = /\s*(?:[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]|$)/gu
const LINE = /[^\n]*(?:\n|$)/g

const changesBy = (token: RegExp, before: string, after: string): Changes | undefined => {
  const tokensOf = (text: string): string[] => text.match(token) ?? []
  const [old, present] = [tokensOf(before), tokensOf(after)]
  const found = diffArrays(old, present, {
    timeout: TIMEOUT_MS,
    comparator: (one, other) => one.trim() === other.trim(),
  })
  if (!found) return undefined
  // Each from its own text: what is common differs in white space.
  const piecesOf = (tokens: readonly string[], other: 'added' | 'removed'): Piece[] => {
    let at = 0
    const pieces: Piece[] = []
    for (const { value, ...change } of found) {
      if (change[other]) continue
      const text = tokens.slice(at, at + value.length).join('')
      at += value.length
      pieces.push(...withBareMark(text, change.added || change.removed))
    }
    return pieces
  }
  return { before: piecesOf(old, 'added'), after: piecesOf(present, 'removed') }
}

/** Compares two lists of names, in whatever order they are. */
export function nameChanges(before: readonly string[], after: readonly string[]): Changes {
  const piecesOf = (names: readonly string[], others: readonly string[]): Piece[] =>
    names.flatMap((name, at) => [
      ...(at > 0 ? [{ text: ', ', changed: false }] : []),
      { text: name, changed: !others.includes(name) },
    ])
  return { before: piecesOf(before, after), after: piecesOf(after, before) }
}

/** Compares two texts word by word; where that takes too long line by line, and of two that differ in all marks nothing. */
export const wordChanges = (before: string, after: string): Changes | undefined =>
  changesBy(WORD, before, after) ?? changesBy(LINE, before, after)

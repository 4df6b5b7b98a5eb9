/** A word of a text and where it stands there. */
export interface Word {
  /** As compared: see {@link fold}. */
  readonly folded: string
  readonly start: number
  readonly end: number
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu
/** Taking a character apart can bring in others: '½' is '1⁄2', 'ﷺ' is four words. */
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]+/gu

/** Characters of a word that count; beyond them is no word of a language, and PostgreSQL keeps 2,046 bytes of one. */
const MAX_WORD = 64

/**
 * The form in which words are compared: without regard to case, accents and the dots of ё.
 * й is a letter of its own and not an и with an accent, although Unicode takes it apart.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/и\u0306/g, 'й')
    .replace(/\p{M}+/gu, '')
}

/** The words of a text in their order, each made only when it is asked for; all but letters and digits parts them. */
export function* eachWordOf(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = cut(fold(word).replace(NEITHER_LETTER_NOR_DIGIT, ''))
    if (folded) yield { folded, start: index, end: index + word.length }
  }
}

/** All words of a text in their order. */
export const wordsOf = (text: string): Word[] => [...eachWordOf(text)]

const cut = (word: string): string =>
  word.length <= MAX_WORD ? word : [...word.slice(0, MAX_WORD * 2)].slice(0, MAX_WORD).join('')

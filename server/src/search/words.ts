/** A word of a text and where it stands there. */
export interface Word {
  /** As compared: see {@link fold}. */
  readonly folded: string
  readonly start: number
  readonly end: number
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu

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

/** The words of a text in their order; everything but letters and digits parts them. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const folded = fold(word)
    if (folded) words.push({ folded, start: index, end: index + word.length })
  }
  return words
}

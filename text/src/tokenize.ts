import { readableAddress, readableHost } from './readable-address.ts'
import { readingsOf } from './stems.ts'

/** A word of a text and where it stands there. */
export interface Word {
  /** As compared letter by letter: see {@link fold}. */
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** What is written without a space: one word most often, several in 'рок-н-ролл' and 'node.js'. */
export interface Run {
  readonly words: readonly Word[]
  /** Several written as one ('рокнролл'), or one with its signs ('c++'). */
  readonly joined: string | undefined
}

const FIRST = String.raw`[\p{L}\p{N}]`
const INSIDE = String.raw`[\p{L}\p{N}\p{M}\u00AD\u200C\u200D\u2060\uFEFF]`
/** How a host's label says that it stands for other letters (RFC 3492); no label is longer (RFC 1035, section 2.3.4). */
const PUNYCODE = String.raw`[xX][nN]--[a-zA-Z\d-]{1,59}`
const JOINING = `[-‐‑._'’&@+](?!${PUNYCODE})${FIRST}`
const SIGNED = String.raw`(?:\+\+|#)(?!${FIRST})`
/** Most words, in small letters: folding changes nothing in them. */
const SIMPLE = String.raw`((?:[а-я]{1,64}|[a-z\d]{1,64})(?!${INSIDE}))`
/** Letters as addresses write them that were copied into a text: 'ж' is '%D0%B6', 'почта' is 'xn--80a1acny'. */
const ENCODED = String.raw`(?:%[cdCD][\da-fA-F]%[89abAB][\da-fA-F])+|${PUNYCODE}`
const WORD = new RegExp(`${ENCODED}|${SIMPLE}|${FIRST}${INSIDE}*`, 'gu')
const RUN = new RegExp(
  `${ENCODED}|${SIMPLE}(?!${JOINING}|${SIGNED})|${FIRST}${INSIDE}*(?:${JOINING}${INSIDE}*)*(?:${SIGNED})?`,
  'gu',
)
const SIGNS = /[+#]+$/
/** A run of more words is an address or a file's name, which nobody writes as one; of numbers it is a telephone's. */
const MOST_JOINED = 4
const NUMBER = /^\d+$/

/** Taking a character apart can bring in others: '½' is '1⁄2', 'ﷺ' is four words. */
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]+/gu

/** Characters of a word that count; beyond them is no word of a language, and PostgreSQL keeps 2,046 bytes of one. */
const MAX_WORD = 64
/** Characters of a word that are looked at for these: accents count for none, and half a million take half a second. */
const MAX_WRITTEN = 4096

/** Small letters, digits and signs of ASCII: nothing in them is folded. */
const PLAIN = /^[ -~а-я]*$/

/**
 * The form in which words are compared: without regard to case, accents and the dots of ё.
 * й is a letter of its own and not an и with an accent, although Unicode takes it apart.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (PLAIN.test(lower)) return lower
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/и\u0306/g, 'й')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
}

/** Characters of the longest host (RFC 1035, section 2.3.4). */
const MAX_HOST = 253

/** A host as search compares it: only what one can be made of. */
export const siteKey = (host: string): string =>
  [...fold(host).replace(/[^\p{L}\p{N}.-]/gu, '')].slice(0, MAX_HOST).join('')

/** The text in small letters, each where it was, so that most words need no further look; as it is where some would move. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase().replaceAll('ё', 'е')
  return small.length === text.length ? small : text
}

/** The runs of a text in their order, each made only when it is asked for. */
export function* eachRunOf(text: string): Generator<Run> {
  for (const { 0: run, 1: simple, index } of inSmallLetters(text).matchAll(RUN)) {
    const end = index + run.length
    if (simple !== undefined) {
      yield { words: [{ folded: simple, start: index, end }], joined: undefined }
      continue
    }
    const written = text.slice(index, end)
    const words = [...eachWordOf(written)].map(
      ({ folded, start, end }): Word => ({ folded, start: index + start, end: index + end }),
    )
    if (words.length > 0) yield { words, joined: joinedOf(written, words) }
  }
}

/** All by what a run is found: its words, and what they are joined to. */
export const foldedOf = ({ words, joined }: Run): string[] => [
  ...words.map(({ folded }) => folded),
  ...(joined === undefined ? [] : [joined]),
]

/** The words of a text in their order; all but letters and digits parts them. */
export function* eachWordOf(text: string): Generator<Word> {
  for (const { 0: word, 1: simple, index } of inSmallLetters(text).matchAll(WORD)) {
    const end = index + word.length
    const folded = simple ?? foldWord(text.slice(index, end))
    if (folded) yield { folded, start: index, end }
  }
}

function joinedOf(run: string, words: readonly Word[]): string | undefined {
  const signs = SIGNS.exec(run)?.[0] ?? ''
  if (words.length === 1 && signs === '') return undefined
  if (words.length > MOST_JOINED && !words.every(({ folded }) => NUMBER.test(folded))) return undefined
  return cut(words.map(({ folded }) => folded).join('')) + signs
}

const foldWord = (word: string): string =>
  inOneScript(cut(fold(readable(word).slice(0, MAX_WRITTEN)).replace(NEITHER_LETTER_NOR_DIGIT, '')))

const readable = (word: string): string => (word.startsWith('%') ? readableAddress(word) : readableHost(word))

const cut = (word: string): string =>
  word.length <= MAX_WORD ? word : [...word.slice(0, MAX_WORD * 2)].slice(0, MAX_WORD).join('')

/** Letters that look alike, as capitals or small. */
const LATIN = 'abcehkmoptxy'
const CYRILLIC = 'авсенкмортху'

/** The word with each letter as its twin of the other script; undefined where one has none. */
function twinOf(word: string, from: string, to: string): string | undefined {
  const twins = [...word].map((letter) => (/[\d+#]/.test(letter) ? letter : to[from.indexOf(letter)]))
  return twins.includes(undefined) ? undefined : twins.join('')
}

const MIXED = /[a-z].*[а-я]|[а-я].*[a-z]/
const LATIN_ALONE = new RegExp(`(?![${LATIN}])[a-z]`)
const CYRILLIC_ALONE = new RegExp(`(?![${CYRILLIC}])[а-я]`)

/** A word that mixes scripts as in one, if its letters allow it: 'сoвет' with a Latin o is 'совет'. */
function inOneScript(word: string): string {
  if (!MIXED.test(word)) return word
  const replaced = (from: string, to: string) =>
    word.replace(/./gu, (letter) => to[from.indexOf(letter)] ?? letter)
  if (!LATIN_ALONE.test(word)) return replaced(LATIN, CYRILLIC)
  return CYRILLIC_ALONE.test(word) ? word : replaced(CYRILLIC, LATIN)
}

/** By what a folded word is found in any of its forms. '1с' and '1c', 'с++' and 'c++' are one: nobody sees which it is. */
export function stemsOf(folded: string): readonly string[] {
  if (!/[\d+#]/.test(folded)) return readingsOf(folded)
  const twin = twinOf(folded, LATIN, CYRILLIC) ?? twinOf(folded, CYRILLIC, LATIN)
  return twin === undefined || twin === folded ? [folded] : [folded, twin]
}

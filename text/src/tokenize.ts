import { fold } from './fold.ts'
import { readableAddress, readableHost } from './readable-address.ts'
import { stemsOf } from './stems.ts'

/** A word of a text. */
export interface Token {
  /** As compared letter by letter: see `fold`. */
  readonly form: string
  /** Where it stands in the text, in UTF-16 units. */
  readonly start: number
  readonly end: number
}

/** What is written without a space: one token most often, several in 'рок-н-ролл' and 'node.js'. */
export interface TokenGroup {
  readonly tokens: readonly Token[]
  /** Several written as one ('рокнролл'), or one with its signs ('c++'). */
  readonly joined: string | undefined
}

/** Units in one square (Unicode, block CJK Compatibility) are words although their category is symbols: '㎏' is 'kg'. */
const UNITS = String.raw`\u3380-\u33DF`
const FIRST = String.raw`[\p{L}\p{N}${UNITS}]`
const INSIDE = String.raw`[\p{L}\p{N}${UNITS}\p{M}\u00AD\u200C\u200D\u2060\uFEFF]`
/** Marks a host's label that stands for other letters (RFC 3492); no label is longer (RFC 1035, section 2.3.4). */
const PUNYCODE = String.raw`[xX][nN]--[a-zA-Z\d-]{1,59}`
const JOINING = `[-‐‑._'’&@+](?!${PUNYCODE})${FIRST}`
const SIGNED = String.raw`(?:\+\+|#)(?!${FIRST})`
/** Most words, in lower case: folding changes nothing in them. */
const SIMPLE = String.raw`((?:[а-я]{1,64}|[a-z\d]{1,64})(?!${INSIDE}))`
/** Letters as copied addresses encode them: 'ж' is '%D0%B6', 'почта' is 'xn--80a1acny'. */
const ENCODED = String.raw`(?:%[cdCD][\da-fA-F]%[89abAB][\da-fA-F])+|${PUNYCODE}`
const TOKEN = new RegExp(`${ENCODED}|${SIMPLE}|${FIRST}${INSIDE}*`, 'gu')
const GROUP = new RegExp(
  `${ENCODED}|${SIMPLE}(?!${JOINING}|${SIGNED})|${FIRST}${INSIDE}*(?:${JOINING}${INSIDE}*)*(?:${SIGNED})?`,
  'gu',
)
const SIGNS = /[+#]+$/
/** More tokens are an address or a file's name, which nobody writes as one word; numbers are a telephone's. */
const MAX_JOINED = 4
const NUMBER = /^\d+$/

/** Decomposing a character can bring in others: '½' is '1⁄2', 'ﷺ' is four words. */
const NEITHER_LETTER_NOR_DIGIT = /[^\p{L}\p{N}]+/gu

/** Characters of a word that count: no word of a language is longer, and PostgreSQL keeps 2,046 bytes of one. */
const MAX_WORD = 64
/** Characters of a word that are looked at for these: accents do not count, and half a million take half a second. */
const MAX_WRITTEN = 4096

/** Characters of the longest host (RFC 1035, section 2.3.4). */
const MAX_HOST = 253

/** A host as search compares it: only characters that a host can have. */
export const siteKey = (host: string): string =>
  [...fold(host).replace(/[^\p{L}\p{N}.-]/gu, '')].slice(0, MAX_HOST).join('')

/** The text in lower case, each letter at its place, so that most words need no folding; unchanged where some would move. */
function toLowerInPlace(text: string): string {
  const lower = text.toLowerCase().replaceAll('ё', 'е')
  return lower.length === text.length ? lower : text
}

/** The token groups of a text in their order. */
export function* tokenGroups(text: string): Generator<TokenGroup> {
  for (const { 0: group, 1: simple, index } of toLowerInPlace(text).matchAll(GROUP)) {
    const end = index + group.length
    if (simple !== undefined) {
      yield { tokens: [{ form: simple, start: index, end }], joined: undefined }
      continue
    }
    const written = text.slice(index, end)
    const tokens = [...tokensOf(written)].map(
      ({ form, start, end }): Token => ({ form, start: index + start, end: index + end }),
    )
    if (tokens.length > 0) yield { tokens, joined: joinedOf(written, tokens) }
  }
}

/** All forms by which a group is found: those of its tokens, and the joined one. */
export const formsOf = ({ tokens, joined }: TokenGroup): string[] => [
  ...tokens.map(({ form }) => form),
  ...(joined === undefined ? [] : [joined]),
]

/**
 * How often a text has each form of its token groups, in the order in which they first occur. Makes no objects for simple words,
 * which are most.
 */
export function countForms(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (form: string) => counts.set(form, (counts.get(form) ?? 0) + 1)
  for (const { 0: group, 1: simple, index } of toLowerInPlace(text).matchAll(GROUP)) {
    if (simple !== undefined) add(simple)
    else for (const form of formsIn(text.slice(index, index + group.length))) add(form)
  }
  return counts
}

function formsIn(group: string): string[] {
  const tokens = [...tokensOf(group)]
  return tokens.length > 0 ? formsOf({ tokens, joined: joinedOf(group, tokens) }) : []
}

/** The tokens of a text in their order; anything but letters and digits separates them. */
export function* tokensOf(text: string): Generator<Token> {
  for (const { 0: word, 1: simple, index } of toLowerInPlace(text).matchAll(TOKEN)) {
    const end = index + word.length
    const form = simple ?? foldWord(text.slice(index, end))
    if (form) yield { form, start: index, end }
  }
}

/** The folded words of a text in their order. */
export const wordsOf = (text: string): string[] => Array.from(tokensOf(text), ({ form }) => form)

function joinedOf(group: string, tokens: readonly Token[]): string | undefined {
  const signs = SIGNS.exec(group)?.[0] ?? ''
  if (tokens.length === 1 && signs === '') return undefined
  if (tokens.length > MAX_JOINED && !tokens.every(({ form }) => NUMBER.test(form))) return undefined
  return cut(tokens.map(({ form }) => form).join('')) + signs
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

/** The stems by which a folded word is searched. '1с' and '1c', 'с++' and 'c++' are one: they look the same. */
export function queryStemsOf(form: string): readonly string[] {
  if (!/[\d+#]/.test(form)) return stemsOf(form)
  const twin = twinOf(form, LATIN, CYRILLIC) ?? twinOf(form, CYRILLIC, LATIN)
  return twin === undefined || twin === form ? [form] : [form, twin]
}

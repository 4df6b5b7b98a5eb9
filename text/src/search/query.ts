import { fold } from '../fold.ts'
import { clausesIn } from '../query-clauses.ts'
import { readableAddress, readableHost } from '../readable-address.ts'
import { isStopWord } from '../stop-words.ts'
import { queryStemsOf, siteKey, tokenGroups, tokensOf, wordsOf } from '../tokenize.ts'

/** A part of a query: a word between spaces, a phrase in quotes, or the name of a tag or site. */
export interface Clause {
  readonly kind: 'word' | 'phrase' | 'tag' | 'site'
  readonly text: string
  /** Whether it must not occur. */
  readonly excluded: boolean
}

/** A word to search for. */
export interface QueryTerm {
  readonly form: string
  /** Several if the word can be read in two scripts or is a form of two words. */
  readonly stems: readonly string[]
  /** Whether longer words that begin with it match too. */
  readonly prefix: boolean
}

/** A token group: words typed without a space between. All of them must occur, or their joined form. */
export interface QueryGroup {
  readonly terms: readonly QueryTerm[]
  readonly joined: QueryTerm | undefined
}

/** All terms of a group, its joined form among them. */
export const termsOf = ({ terms, joined }: QueryGroup): QueryTerm[] => [...terms, ...(joined ? [joined] : [])]

export interface Query {
  readonly clauses: readonly Clause[]
  /** All must occur; includes the words of phrases. */
  readonly groups: readonly QueryGroup[]
  /** None may occur. */
  readonly excludedGroups: readonly QueryGroup[]
  /** Sequences of folded words that must follow one another. */
  readonly phrases: readonly (readonly string[])[]
  readonly excludedPhrases: readonly (readonly string[])[]
  readonly tags: readonly Named[]
  readonly sites: readonly Named[]
}

/** A query of nothing, to be completed. */
export const NO_QUERY: Query = {
  clauses: [],
  groups: [],
  excludedGroups: [],
  phrases: [],
  excludedPhrases: [],
  tags: [],
  sites: [],
}

/** The group with all of its terms as whole words. */
export const asWholeWords = ({ terms, joined }: QueryGroup): QueryGroup => {
  const whole = (term: QueryTerm): QueryTerm => ({ ...term, prefix: false })
  return { terms: terms.map(whole), joined: joined && whole(joined) }
}

/** The folded name in an operator. */
interface Named {
  readonly name: string
  readonly excluded: boolean
}

/** Most words of a query, more than anyone types: a pasted page must not become a query of thousands. */
const MAX_WORDS = 32

/** Parses a query. Undefined if it has nothing to search for. */
export const parseQuery = (text: string | undefined): Query | undefined => queryOf(clausesOf(text ?? ''))

/** Whether a query has something to search for besides signs. */
export const hasWords = (text: string): boolean => clausesOf(text).some(isSearched)

const isSearched = ({ kind, text }: Clause): boolean => kind !== 'word' || hasWord(text)

/** Signs in quotes: '"???"'. */
const QUOTED_SIGNS = /["“”„«»](\s*[^\s"“”„«»][^"“”„«»]*)["“”„«»]/g

/** Asks for the coloured form of the sign before it ('❤️'); with it and without it, it is the same sign. */
export const EMOJI_SELECTOR = '\u{FE0F}'

/** The signs of a text that has no words ('???'), without {@link EMOJI_SELECTOR}. Undefined if it has words, or nothing that can be seen. */
export function signsIn(text = ''): string | undefined {
  if (hasWords(text)) return undefined
  const signs = text.replace(QUOTED_SIGNS, '$1').replaceAll(EMOJI_SELECTOR, '').trim().toWellFormed()
  return /[^\s\p{C}]/u.test(signs) ? signs : undefined
}

/** Whether a title has signs, given as {@link signsIn} returns them. */
export const hasSigns = (title: string, signs: string): boolean =>
  title.replaceAll(EMOJI_SELECTOR, '').includes(signs)

/** Builds a query from clauses, of the words the first `maxWords`. Undefined if they have nothing to search for. */
export function queryOf(all: readonly Clause[], maxWords = MAX_WORDS): Query | undefined {
  const clauses = all.filter(isSearched)
  if (clauses.length === 0) return undefined
  const last = clauses.findLast(isFree)
  const groups = clauses
    .filter(({ kind, excluded }) => !excluded && (kind === 'word' || kind === 'phrase'))
    .flatMap((clause) =>
      clause.kind === 'phrase'
        ? groupsOfPhrase(wordsOf(clause.text))
        : groupsOf(clause.text, clause === last),
    )
  const excludedGroups = clauses
    .filter(({ kind, excluded }) => excluded && kind === 'word')
    .flatMap(({ text }) => groupsOf(text, false))
  const phrases = (wanted: boolean) =>
    distinct(
      clauses
        .filter(({ kind, excluded }) => kind === 'phrase' && excluded !== wanted)
        .map(({ text }) => wordsOf(text).slice(0, MAX_WORDS)),
      (words) => words.join(' '),
    ).slice(0, MAX_WORDS)
  const named = (wanted: Clause['kind'], key: (text: string) => string) =>
    distinct(
      clauses
        .filter(({ kind }) => kind === wanted)
        .map(({ text, excluded }) => ({ name: key(text), excluded })),
      ({ name, excluded }) => `${excluded} ${name}`,
    ).slice(0, MAX_WORDS)
  return {
    clauses,
    groups: distinctGroups(groups).slice(0, maxWords),
    excludedGroups: distinctGroups(excludedGroups).slice(0, MAX_WORDS),
    phrases: phrases(true),
    excludedPhrases: phrases(false),
    tags: named('tag', tagKey),
    sites: named('site', hostOf),
  }
}

/** Whether a clause is a word to be found. */
export const isFree = ({ kind, excluded }: Clause): boolean => kind === 'word' && !excluded

/** With signs it is another word: 'c++' does not match 'c', and is no single letter. */
const SIGNED = /[+#]$/

/** Whether a word carries no meaning: it, and all that is written in it without a space, are stop words. */
export const isStop = (clause: Clause): boolean =>
  isFree(clause) &&
  [...tokenGroups(clause.text)].every(
    ({ tokens, joined }) => !SIGNED.test(joined ?? '') && tokens.every(({ form }) => isStopWord(form)),
  )

/** The query without its stop words; undefined if it has none, or no other clause that must occur. */
export function withoutStopWords({ clauses }: Query): Query | undefined {
  const rest = clauses.filter((clause) => !isStop(clause))
  const last = clauses.findLast(isFree)
  const query =
    rest.length < clauses.length && rest.some(({ excluded }) => !excluded) ? queryOf(rest) : undefined
  // A word is a prefix only where it was typed last.
  if (!query || !last || rest.includes(last)) return query
  return { ...query, groups: query.groups.map(asWholeWords) }
}

/** The text of a query, as it can be typed. */
export const textOf = (clauses: readonly Clause[]): string => clauses.map(textOfClause).join(' ')

/** Tags whose names have the same key are the same tag in a search. */
export const tagKey = (name: string): string => fold(name).replace(/\s+/g, ' ').trim()

function clausesOf(text: string): Clause[] {
  return clausesIn(text).map(({ all, minus, operator, quoted, bare }): Clause => {
    const clause = { excluded: minus !== '', text: (quoted ?? bare).trim() }
    if (operator !== undefined && (hasWord(clause.text) || (operator === 'tag' && SYMBOL.test(clause.text))))
      return { ...clause, kind: operator }
    if (quoted !== undefined && hasWord(quoted)) return { ...clause, kind: 'phrase' }
    return { ...clause, kind: 'word', text: all.slice(minus.length) }
  })
}

/** A tag's name may be an emoji. */
const SYMBOL = /\p{S}/u

const OPERATORS = { word: '', phrase: '', tag: 'tag:', site: 'site:' } as const

function textOfClause({ kind, text, excluded }: Clause): string {
  const quoted = kind === 'phrase' || (kind !== 'word' && /\s/.test(text)) ? `"${text}"` : text
  return `${excluded ? '-' : ''}${OPERATORS[kind]}${quoted}`
}

const hasWord = (text: string): boolean => !tokensOf(text).next().done

/** A single letter is a whole word: as a prefix it would match most of what an account holds. */
const termOf = (form: string, isLast = false): QueryTerm => ({
  form,
  stems: queryStemsOf(form),
  prefix: isLast && form.length > 1,
})

/** One group for each of a phrase's folded words. */
export const groupsOfPhrase = (words: readonly string[]): QueryGroup[] =>
  words.map((form) => ({ terms: [termOf(form)], joined: undefined }))

/** An encoded address is searched for by its readable letters. */
function groupsOf(text: string, endsQuery: boolean): QueryGroup[] {
  const groups = [...tokenGroups(readableAddress(text).replace(/^https?:\/\//i, ''))]
  return groups.map(({ tokens, joined }, at) => {
    const isLast = endsQuery && at === groups.length - 1
    const terms = tokens.map(({ form }, of) => termOf(form, isLast && of === tokens.length - 1))
    return {
      terms: SIGNED.test(joined ?? '') ? [] : distinctTerms(terms).slice(0, MAX_WORDS),
      joined: joined === undefined ? undefined : termOf(joined, isLast),
    }
  })
}

/** Removes duplicates by key; of equal elements the one that `isBetter` prefers takes the place of the first. */
function distinct<T>(
  all: readonly T[],
  meaningOf: (one: T) => string,
  isBetter: (one: T, than: T) => boolean = () => false,
): T[] {
  const byMeaning = new Map<string, T>()
  for (const one of all) {
    const meaning = meaningOf(one)
    const before = byMeaning.get(meaning)
    if (before === undefined || isBetter(one, before)) byMeaning.set(meaning, one)
  }
  return [...byMeaning.values()]
}

/** Sorted: '1с' and '1c' have the same. */
const stemsIn = ({ stems }: QueryTerm): string => stems.toSorted().join('/')

/** Removes duplicate terms. A word typed twice, or in two of its forms, is a whole word. */
const distinctTerms = (terms: readonly QueryTerm[]): QueryTerm[] =>
  distinct(terms, stemsIn, (one, than) => than.prefix && !one.prefix)

const distinctGroups = (groups: readonly QueryGroup[]): QueryGroup[] =>
  distinct(
    groups,
    ({ terms, joined }) => `${terms.map(stemsIn).join(' ')}|${joined ? stemsIn(joined) : ''}`,
    (one, than) => hasPrefix(than) && !hasPrefix(one),
  )

const hasPrefix = (group: QueryGroup): boolean => termsOf(group).some(({ prefix }) => prefix)

/** 'www.' before a site's own name: the site is the same without. */
const WWW = /^(?:www\.)+(?=[^.]+\.[^.])/

/** The host in the value of a site operator: a name, or a whole address. */
const hostOf = (text: string): string => {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?\*?\.?([^/?#:]*)/i.exec(text) ?? []
  return siteKey(readableHost(host.toLowerCase().replace(/\.+$/, ''))).replace(WWW, '')
}

import { fold } from '@kopilka/text/fold.ts'
import { readableAddress, readableHost } from '@kopilka/text/readable-address.ts'
import { queryStemsOf, siteKey, tokenGroups, tokensOf, wordsOf } from '@kopilka/text/tokenize.ts'

/** A piece of what was typed: a word as it stands between spaces, a phrase in quotes, or the name of a tag or site. */
export interface Clause {
  readonly kind: 'word' | 'phrase' | 'tag' | 'site'
  readonly text: string
  /** It must not occur. */
  readonly excluded: boolean
}

/** A word to search for. */
export interface QueryTerm {
  readonly form: string
  /** Several where the word can be read in two scripts, or be a form of two words. */
  readonly stems: readonly string[]
  /** Longer words that begin with it match too. */
  readonly prefix: boolean
}

/** Words typed without a space between: either all of them must occur, or their joined form. */
export interface QueryGroup {
  readonly terms: readonly QueryTerm[]
  readonly joined: QueryTerm | undefined
}

/** All terms of a group, its joined form among them. */
export const termsOf = ({ terms, joined }: QueryGroup): QueryTerm[] => [...terms, ...(joined ? [joined] : [])]

export interface Query {
  readonly clauses: readonly Clause[]
  /** All must occur. The words of phrases are among them. */
  readonly groups: readonly QueryGroup[]
  /** None may occur. */
  readonly excludedGroups: readonly QueryGroup[]
  /** Their folded words follow one another. */
  readonly phrases: readonly (readonly string[])[]
  readonly excludedPhrases: readonly (readonly string[])[]
  readonly tags: readonly Named[]
  readonly sites: readonly Named[]
}

/** The folded name that an operator asks for. */
interface Named {
  readonly name: string
  readonly excluded: boolean
}

/** More than anyone types; a pasted page must not become a query of thousands. */
const MAX_WORDS = 32

const QUOTES = /[“”„«»]/g
/** A minus, an operator, and a text in quotes or up to the next space. */
const CLAUSE = /(?<minus>[-−–]?)(?:(?<operator>tag|тег|site|сайт):)?(?:"(?<quoted>[^"]*)"|(?<bare>\S+))/giu

/** Parses what was typed. Undefined where it holds nothing to search for: then there is no search. */
export const parseQuery = (text: string | undefined): Query | undefined => queryOf(clausesOf(text ?? ''))

/** Undefined where the clauses hold nothing to search for. */
export function queryOf(all: readonly Clause[]): Query | undefined {
  const clauses = all.filter(({ kind, text }) => kind !== 'word' || hasWord(text))
  if (clauses.length === 0) return undefined
  const last = clauses.findLast(({ kind, excluded }) => kind === 'word' && !excluded)
  const groups = clauses
    .filter(({ kind, excluded }) => !excluded && (kind === 'word' || kind === 'phrase'))
    .flatMap((clause) =>
      clause.kind === 'phrase' ? phraseGroups(clause.text) : groupsOf(clause.text, clause === last),
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
    groups: distinctGroups(groups).slice(0, MAX_WORDS),
    excludedGroups: distinctGroups(excludedGroups).slice(0, MAX_WORDS),
    phrases: phrases(true),
    excludedPhrases: phrases(false),
    tags: named('tag', tagKey),
    sites: named('site', hostOf),
  }
}

/** The query as it can be typed. */
export const textOf = (clauses: readonly Clause[]): string => clauses.map(textOfClause).join(' ')

/** Names of tags with one key are the same tag for a search. */
export const tagKey = (name: string): string => fold(name).replace(/\s+/g, ' ').trim()

function clausesOf(text: string): Clause[] {
  return [...text.replace(QUOTES, '"').matchAll(CLAUSE)].map(({ 0: all, groups = {} }): Clause => {
    const { minus, operator = '', quoted, bare = '' } = groups
    const clause = { excluded: minus !== '', text: (quoted ?? bare).trim() }
    const named = KINDS[operator.toLowerCase()]
    if (named !== undefined && (hasWord(clause.text) || (named === 'tag' && SYMBOL.test(clause.text))))
      return { ...clause, kind: named }
    if (quoted !== undefined && hasWord(quoted)) return { ...clause, kind: 'phrase' }
    return { ...clause, kind: 'word', text: all.slice(minus?.length) }
  })
}

/** A tag's name may be an emoji. */
const SYMBOL = /\p{S}/u

const KINDS: Readonly<Record<string, Clause['kind']>> = { tag: 'tag', тег: 'tag', site: 'site', сайт: 'site' }
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

const phraseGroups = (text: string): QueryGroup[] =>
  wordsOf(text).map((form) => ({ terms: [termOf(form)], joined: undefined }))

/** An address is searched for by the letters that people read in it. */
function groupsOf(text: string, endsQuery: boolean): QueryGroup[] {
  const groups = [...tokenGroups(readableAddress(text).replace(/^https?:\/\//i, ''))]
  return groups.map(({ tokens, joined }, at) => {
    const isLast = endsQuery && at === groups.length - 1
    const terms = tokens.map(({ form }, of) => termOf(form, isLast && of === tokens.length - 1))
    return {
      // With its signs it is another word: 'c++' is not every 'c'.
      terms: /[+#]$/.test(joined ?? '') ? [] : distinctTerms(terms).slice(0, MAX_WORDS),
      joined: joined === undefined ? undefined : termOf(joined, isLast),
    }
  })
}

/** One of each meaning, at the place of the first; of equal ones the one that `isBetter` prefers. */
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

/** A word that was typed twice, or in two of its forms, was typed whole. */
const distinctTerms = (terms: readonly QueryTerm[]): QueryTerm[] =>
  distinct(terms, stemsIn, (one, than) => than.prefix && !one.prefix)

const distinctGroups = (groups: readonly QueryGroup[]): QueryGroup[] =>
  distinct(
    groups,
    ({ terms, joined }) => `${terms.map(stemsIn).join(' ')}|${joined ? stemsIn(joined) : ''}`,
    (one, than) => hasPrefix(than) && !hasPrefix(one),
  )

const hasPrefix = (group: QueryGroup): boolean => termsOf(group).some(({ prefix }) => prefix)

/** The host of what was given for a site: a name, or an address copied whole. */
const hostOf = (text: string): string => {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?\*?\.?([^/?#:]*)/i.exec(text) ?? []
  return siteKey(readableHost(host.toLowerCase()))
}

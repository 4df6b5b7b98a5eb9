import { readableAddress, readableHost } from '@kopilka/text/readable-address.ts'
import { eachRunOf, eachWordOf, fold, siteKey, stemsOf } from '@kopilka/text/tokenize.ts'

/** A piece of what was typed: a word as it stands between spaces, a phrase in quotes, or the name of a tag or site. */
export interface Term {
  readonly kind: 'word' | 'phrase' | 'tag' | 'site'
  readonly text: string
  /** It must not occur. */
  readonly without: boolean
}

/** A word that was asked for. */
export interface AskedWord {
  readonly folded: string
  /** What its forms have in common; two where it can be read in two scripts, or be a form of two words. */
  readonly stems: readonly string[]
  /** Also the beginning of a word. */
  readonly beginning: boolean
}

/** Words asked for as one run: all of them must occur, or their joined form. */
export interface AskedRun {
  readonly words: readonly AskedWord[]
  readonly joined: AskedWord | undefined
}

/** All words of a run, its joined form among them. */
export const wordsOf = ({ words, joined }: AskedRun): AskedWord[] => [...words, ...(joined ? [joined] : [])]

/** What was asked for. */
export interface Query {
  readonly terms: readonly Term[]
  /** All must occur. Words of phrases are among them. */
  readonly runs: readonly AskedRun[]
  /** None of these items. */
  readonly without: readonly AskedRun[]
  /** Their folded words follow one another. */
  readonly phrases: readonly (readonly string[])[]
  readonly withoutPhrases: readonly (readonly string[])[]
  readonly tags: readonly Named[]
  readonly sites: readonly Named[]
}

/** A name that an operator asks for, folded. */
interface Named {
  readonly name: string
  readonly without: boolean
}

/** More than anyone types; a pasted page must not become a query of thousands. */
const MAX_WORDS = 32

const QUOTES = /[“”„«»]/g
/** A sign, an operator, and a text in quotes or up to the next space. */
const TERM = /(?<sign>[-−–]?)(?:(?<operator>tag|тег|site|сайт):)?(?:"(?<quoted>[^"]*)"|(?<bare>\S+))/giu

/** Undefined where the text holds nothing to search for: then there is no search. */
export function parseQuery(text: string | undefined): Query | undefined {
  return queryOf(termsOf(text ?? ''))
}

/** Undefined where the terms hold nothing to search for. */
export function queryOf(terms: readonly Term[]): Query | undefined {
  const asked = terms.filter(({ kind, text }) => kind !== 'word' || hasWord(text))
  if (asked.length === 0) return undefined
  const last = asked.findLast(({ kind, without }) => kind === 'word' && !without)
  const runsIn = (without: boolean) => {
    const runs = asked
      .filter(
        (term) => term.without === without && (term.kind === 'word' || (term.kind === 'phrase' && !without)),
      )
      .flatMap((term) => (term.kind === 'phrase' ? phraseRuns(term.text) : runsOf(term.text, term === last)))
    return distinctRuns(runs).slice(0, MAX_WORDS)
  }
  const phrasesIn = (without: boolean) => {
    const phrases = asked
      .filter((term) => term.kind === 'phrase' && term.without === without)
      .map(({ text }) => foldedWords(text).slice(0, MAX_WORDS))
    return distinct(phrases, (words) => words.join(' ')).slice(0, MAX_WORDS)
  }
  const named = (wanted: Term['kind'], fold: (text: string) => string) => {
    const names = asked
      .filter(({ kind }) => kind === wanted)
      .map(({ text, without }) => ({ name: fold(text), without }))
    return distinct(names, ({ name, without }) => `${without} ${name}`).slice(0, MAX_WORDS)
  }
  return {
    terms: asked,
    runs: runsIn(false),
    without: runsIn(true),
    phrases: phrasesIn(false),
    withoutPhrases: phrasesIn(true),
    tags: named('tag', tagKey),
    sites: named('site', hostOf),
  }
}

/** The query as it can be typed. */
export const textOf = (terms: readonly Term[]): string => terms.map(textOfTerm).join(' ')

/** Names of tags that search takes for one. */
export const tagKey = (name: string): string => fold(name).replace(/\s+/g, ' ').trim()

function termsOf(text: string): Term[] {
  return [...text.replace(QUOTES, '"').matchAll(TERM)].map(({ 0: all, groups = {} }): Term => {
    const { sign, operator = '', quoted, bare = '' } = groups
    const term = { without: sign !== '', text: (quoted ?? bare).trim() }
    const named = KINDS[operator.toLowerCase()]
    if (named !== undefined && (hasWord(term.text) || (named === 'tag' && SYMBOL.test(term.text))))
      return { ...term, kind: named }
    if (quoted !== undefined && hasWord(quoted)) return { ...term, kind: 'phrase' }
    return { ...term, kind: 'word', text: all.slice(sign?.length) }
  })
}

/** A tag's name may be an emoji. */
const SYMBOL = /\p{S}/u

const KINDS: Readonly<Record<string, Term['kind']>> = { tag: 'tag', тег: 'tag', site: 'site', сайт: 'site' }
const OPERATORS = { word: '', phrase: '', tag: 'tag:', site: 'site:' } as const

function textOfTerm({ kind, text, without }: Term): string {
  const quoted = kind === 'phrase' || (kind !== 'word' && /\s/.test(text)) ? `"${text}"` : text
  return `${without ? '-' : ''}${OPERATORS[kind]}${quoted}`
}

const hasWord = (text: string): boolean => !eachWordOf(text).next().done
const foldedWords = (text: string): string[] => [...eachWordOf(text)].map(({ folded }) => folded)

const askedWord = (folded: string, beginning = false): AskedWord => ({
  folded,
  stems: stemsOf(folded),
  beginning,
})

const phraseRuns = (text: string): AskedRun[] =>
  foldedWords(text).map((folded) => ({ words: [askedWord(folded)], joined: undefined }))

/** An address is asked for by the letters that people read in it. */
function runsOf(text: string, endsQuery: boolean): AskedRun[] {
  const runs = [...eachRunOf(readableAddress(text).replace(/^https?:\/\//i, ''))]
  return runs.map(({ words, joined }, at) => {
    const beginning = endsQuery && at === runs.length - 1
    return {
      // With its signs it is another word: 'c++' is not every 'c'.
      words: isSigned(joined)
        ? []
        : distinctWords(
            words.map(({ folded }, of) => askedWord(folded, beginning && of === words.length - 1)),
          ).slice(0, MAX_WORDS),
      joined: joined === undefined ? undefined : askedWord(joined, beginning),
    }
  })
}

/** Each that means something of its own, in the place of the first alike; of these the one that `isBetter` says. */
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

/** In one order: '1с' and '1c' have the same. */
const stemsIn = ({ stems }: AskedWord): string => stems.toSorted().join('/')

/** Whoever asks for a word twice, or for two of its forms, has not said that it may be a beginning. */
const distinctWords = (words: readonly AskedWord[]): AskedWord[] =>
  distinct(words, stemsIn, (one, than) => than.beginning && !one.beginning)

const distinctRuns = (runs: readonly AskedRun[]): AskedRun[] =>
  distinct(
    runs,
    (run) => `${run.words.map(stemsIn).join(' ')}|${run.joined ? stemsIn(run.joined) : ''}`,
    (one, than) => hasBeginning(than) && !hasBeginning(one),
  )

const hasBeginning = (run: AskedRun): boolean => wordsOf(run).some(({ beginning }) => beginning)

const isSigned = (joined = ''): boolean => /[+#]$/.test(joined)

/** The host of what was given for a site: a name, or an address copied whole. */
const hostOf = (text: string): string => {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?\*?\.?([^/?#:]*)/i.exec(text) ?? []
  return siteKey(readableHost(host.toLowerCase()))
}

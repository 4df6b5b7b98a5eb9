import { inOtherLayout } from '../keyboard-layout.ts'
import { stemsOf } from '../stems.ts'
import { type Token, tokensOf } from '../tokenize.ts'
import { LONGEST_FORM } from './document.ts'
import type { Form, IndexReader } from './index-reader.ts'
import { type Clause, isFree, isStop, type Query, queryOf, textOf } from './query.ts'

/** A query that finds something, and its matches. */
export interface Suggestion<Found> {
  readonly text: string
  readonly found: Found
}

interface Dependencies<Found> {
  /** Undefined if nothing is found. */
  readonly find: (query: Query) => Promise<Found | undefined>
  /** Finds partial matches; undefined if none of them has all words besides stop words. */
  readonly findAllMeaning: (query: Query) => Promise<Found | undefined>
  readonly lookup: Lookup
  readonly correctedOf: CorrectedOf
}

/** Resolves to the texts of a clause with spelling corrections, of its first words up to `most`. */
export type CorrectedOf = (clause: Clause, most: number) => Promise<readonly string[]>

/** A word of a query. */
export interface Typed {
  readonly clause: Clause
  readonly isLast: boolean
}

/** Which words are found alone, the last of a query also as a prefix. */
export interface Lookup {
  /** Looks words up together, besides those that are known. */
  readonly lookUp: (words: readonly Typed[]) => Promise<void>
  /** Whether a word that was looked up is found. */
  readonly isFoundAlone: (word: Typed) => boolean
}

export function createLookup(occur: (words: readonly Typed[]) => Promise<boolean[]>): Lookup {
  const known = new Map<string, boolean>()
  const keyOf = ({ clause, isLast }: Typed): string => `${isLast} ${clause.text}`
  return {
    async lookUp(words) {
      const unknown = [...new Map(words.map((word) => [keyOf(word), word]))].filter(
        ([key]) => !known.has(key),
      )
      if (unknown.length === 0) return
      const found = await occur(unknown.map(([, word]) => word))
      for (const [at, [key]] of unknown.entries()) known.set(key, found[at] ?? false)
    },
    isFoundAlone: (word) => known.get(keyOf(word)) === true,
  }
}

/** Most alternatives of a word and most queries in all that are tried: a query that finds nothing must cost little. */
const MAX_ALTERNATIVES = 5
const MAX_QUERIES = 30
/** Most of them that are tried without their stop words. */
const MAX_PARTIAL = 3
/** Number of words of a query that are corrected, from the first. */
const MAX_CORRECTED = 10
/** Most words that are read in the other layout one by one, from the first. */
const MAX_RETYPED = 16

const LETTER = /^\p{L}$/u

/** Finds a suggestion for a query that finds nothing: the other keyboard layout, or one spelling correction a word. */
export async function suggest<Found>(
  { clauses }: Query,
  { find, findAllMeaning, lookup, correctedOf }: Dependencies<Found>,
): Promise<Suggestion<Found> | undefined> {
  const lastWord = clauses.findLastIndex(isFree)
  const longest = longestOf(clauses)
  const { lookUp, isFoundAlone } = lookup
  const wordsIn = (candidate: readonly Clause[]): Typed[] =>
    candidate.flatMap((clause, at) => (isFree(clause) ? [{ clause, isLast: at === lastWord }] : []))
  const longestIn = (candidate: readonly Clause[]): Typed[] =>
    wordsIn(candidate).filter(({ clause }) => clause === candidate[longest])
  const isKnown = (clause: Clause): boolean =>
    !isFree(clause) || isFoundAlone({ clause, isLast: clause === clauses[lastWord] })
  /** A query with a word that is not found alone need not be tried: its longest word is looked up before all others. */
  const firstFound = async (candidates: readonly Clause[][]): Promise<Suggestion<Found> | undefined> => {
    const tried = candidates.slice(0, MAX_QUERIES)
    await lookUp([clauses, ...tried].flatMap(longestIn))
    const possible = tried.filter((candidate) => longestIn(candidate).every(isFoundAlone))
    await lookUp(possible.flatMap(wordsIn))
    const found = possible.filter((candidate) => wordsIn(candidate).every(isFoundAlone))
    const all = await first(found, find)
    if (all || found.length === 0) return all
    await lookUp(wordsIn(clauses))
    if (clauses.every(isKnown)) return undefined
    return first(found.filter(isSpelling).slice(0, MAX_PARTIAL), findAllMeaning)
  }
  /**
   * Whether it keeps all words that are found as they are typed: only unknown ones are surely mistakes. A stop word may
   * become another: 'd' is 'в' in the other layout.
   */
  const isSpelling = (candidate: readonly Clause[]): boolean =>
    candidate.every((other, at) => {
      const clause = clauses[at]
      return clause && (clause.text === other.text || !isKnown(clause) || (isStop(clause) && isStop(other)))
    })
  /** Whether some words stay, and the others become words without a meaning, or signs: 'react vs vue' is not 'react мы vue'. */
  const losesMeaning = (candidate: readonly Clause[]): boolean => {
    const free = candidate.flatMap((other, at) => (isFree(other) ? [{ other, typed: clauses[at] }] : []))
    const changed = free.filter(({ other, typed }) => other.text !== typed?.text)
    return (
      changed.length < free.length &&
      changed.every(({ other }) => isStop(other) || !tokensOf(other.text).next().value)
    )
  }
  // Excluding another word would find what the user wants to exclude.
  const isMeant = (candidate: readonly Clause[]) =>
    clauses.some(({ text, excluded }, at) => !excluded && candidate[at]?.text !== text)
  // A single letter in the other layout would find half of everything: 'C#' is no 'с'.
  const isLetters = (candidate: readonly Clause[]) => {
    const forms = candidate.filter(isFree).flatMap(({ text }) => [...tokensOf(text)])
    return forms.length > 0 && forms.every(({ form }) => LETTER.test(form))
  }
  const ways = clauses.map((clause) => (isTyped(clause) ? wordsInOtherLayout(clause.text) : []))
  const word = clauses[longest]
  const longestAs = (word ? [word.text, ...(ways[longest] ?? [])] : []).map(
    (text): Typed => ({ clause: { kind: 'word', excluded: false, text }, isLast: longest === lastWord }),
  )
  // Those of `retypedIn` too: words in the wrong layout cost little, a statement more costs as much as all of them.
  await lookUp([...longestAs, ...readingsOf(clauses)])
  // Every query in the other layout has the longest word in one of these ways.
  const isPossible = !word || longestAs.some(isFoundAlone)
  const others = isPossible
    ? inOtherLayouts(clauses, ways).filter(
        (other) => isMeant(other) && !isLetters(other) && !losesMeaning(other),
      )
    : []
  const inOther = await firstFound(others)
  if (inOther) return inOther
  // Ends at the longest word that cannot be corrected, before the others are looked up.
  if (word && !isKnown(word) && (await correctedOf(word, MAX_CORRECTED)).length === 0) return undefined
  await lookUp(wordsIn(clauses))
  return firstFound(await withSpellingCorrected(clauses, correctedOf, isKnown))
}

/** The first of the candidates by which something is found. */
async function first<Found>(
  candidates: readonly Clause[][],
  find: Dependencies<Found>['find'],
): Promise<Suggestion<Found> | undefined> {
  for (const candidate of candidates) {
    const query = queryOf(candidate)
    const found = query && (await find(query))
    if (query && found !== undefined) return { text: textOf(query.clauses), found }
  }
  return undefined
}

/** The place of the longest word; -1 if there is none. It is the least likely to be found. */
function longestOf(clauses: readonly Clause[]): number {
  const lengthOf = (clause: Clause | undefined) => (clause && isFree(clause) ? clause.text.length : 0)
  return clauses.reduce(
    (longest, clause, at) => (lengthOf(clause) > lengthOf(clauses[longest]) ? at : longest),
    -1,
  )
}

/** A text in the other layout, unless that has signs in a word that no word has: '30х60' is no '30[60'. */
const wordsInOtherLayout = (text: string): string[] =>
  inOtherLayout(text).filter((other) => !/[\p{L}\p{N}][[\];`{}]+[\p{L}\p{N}]/u.test(other))

const isTyped = ({ kind }: Clause): boolean => kind === 'word' || kind === 'phrase'

/** All words in the other layout first, then some of them: the others may be right already. */
function inOtherLayouts(clauses: readonly Clause[], ways: readonly (readonly string[])[]): Clause[][] {
  const most = Math.max(0, ...ways.map((others) => others.length))
  const allAtOnce = Array.from({ length: most }, (_, way) =>
    clauses.map((clause, at) => ({ ...clause, text: ways[at]?.[way] ?? ways[at]?.[0] ?? clause.text })),
  )
  const isLong = clauses.filter(isFree).length > MAX_RETYPED
  return isLong ? allAtOnce : [...allAtOnce, ...combinations(clauses, reworded(clauses, ways))]
}

/** Shortest word that may be found as a prefix in the other layout. */
const SHORTEST_PREFIX = 4

/** The first words of a query that are to be found. */
function wordsAt(clauses: readonly Clause[]): (Typed & { readonly at: number })[] {
  const lastWord = clauses.findLastIndex(isFree)
  return [...clauses.entries()]
    .filter(([, clause]) => isFree(clause))
    .slice(0, MAX_RETYPED)
    .map(([at, clause]) => ({ at, clause, isLast: at === lastWord }))
}

/** The readings of these words in the other keyboard layout. */
const readingsOf = (clauses: readonly Clause[]) =>
  wordsAt(clauses).flatMap(({ at, clause, isLast }) =>
    wordsInOtherLayout(clause.text).map((text) => ({
      at,
      clause: { ...clause, text },
      isLast: isLast && text.length >= SHORTEST_PREFIX,
    })),
  )

/** Of so many words with a meaning, or more, this share must occur in the other layout: one that does says nothing. */
const [MANY_WORDS, MIN_RETYPED_SHARE] = [5, 0.3]

/**
 * The query with those words read in the other keyboard layout that occur there alone; with all its words, if none occurs as
 * typed. Undefined if that finds no word with a meaning.
 */
export async function retypedIn(
  { clauses }: Query,
  { lookUp, isFoundAlone }: Lookup,
): Promise<Query | undefined> {
  const words = wordsAt(clauses)
  const readings = readingsOf(clauses)
  const known = async <Word extends Typed>(all: readonly Word[]): Promise<Word[]> => {
    const withMeaning = all.filter(({ clause }) => !isStop(clause))
    await lookUp(withMeaning)
    return withMeaning.filter(isFoundAlone)
  }
  // A stop word decides nothing, though it may be a word in the other layout: 'мы' is 'vs'.
  const stopWords = new Set(words.filter(({ clause }) => isStop(clause)).map(({ at }) => at))
  // A size is right as it is: '3х2' is no '3[2'.
  const isSize = (at: number) => /\d/.test(clauses[at]?.text ?? '')
  const inOther = await known(readings.filter(({ at }) => !stopWords.has(at) && !isSize(at)))
  const typed = new Set((inOther.length === 0 ? [] : await known(words)).map(({ at }) => at))
  const meant = inOther.filter(({ at }) => !typed.has(at))
  const withMeaning = new Set(readings.filter(({ clause }) => !isStop(clause)).map(({ at }) => at)).size
  const isAccident = withMeaning >= MANY_WORDS && meant.length < MIN_RETYPED_SHARE * withMeaning
  if (meant.length === 0 || isAccident) return undefined
  const others =
    typed.size === 0
      ? readings.filter(
          ({ at, clause }) =>
            tokensOf(clause.text).next().value && !isSize(at) && (!stopWords.has(at) || isStop(clause)),
        )
      : []
  const chosen = new Map([...meant, ...others].reverse().map(({ at, clause }) => [at, clause]))
  return queryOf(clauses.map((clause, at) => chosen.get(at) ?? clause))
}

/** Most unknown words that are corrected one by one: among more of them a correction says little. */
const MAX_UNKNOWN = 3

/** The query with those of a few unknown words corrected of which a correction is found alone. Undefined if there are none. */
export async function correctedIn(
  { clauses }: Query,
  { lookup: { lookUp, isFoundAlone }, correctedOf }: Pick<Dependencies<never>, 'lookup' | 'correctedOf'>,
): Promise<Query | undefined> {
  const words = wordsAt(clauses).filter(({ clause }) => !isStop(clause))
  await lookUp(words)
  const unknown = words.filter((word) => !isFoundAlone(word))
  if (unknown.length > MAX_UNKNOWN) return undefined
  const corrections = []
  for (const word of unknown)
    for (const text of await correctedOf(word.clause, MAX_CORRECTED))
      corrections.push({ ...word, clause: { ...word.clause, text } })
  if (corrections.length === 0) return undefined
  await lookUp(corrections)
  const chosen = new Map(
    corrections
      .filter((word) => !isStop(word.clause) && isFoundAlone(word))
      .reverse()
      .map(({ at, clause }) => [at, clause]),
  )
  return chosen.size > 0 ? queryOf(clauses.map((clause, at) => chosen.get(at) ?? clause)) : undefined
}

const wantedTokens = (clause: Clause): Token[] => (isFree(clause) ? [...tokensOf(clause.text)] : [])

/** Corrects each word once. `correct`: resolves to the spelling corrections of a word. */
export function alternativesBy(correct: (word: string) => Promise<readonly string[]>): CorrectedOf {
  const known = new Map<string, readonly string[]>()
  return async (clause, most) => {
    const tokens = wantedTokens(clause)
    const corrections: (readonly string[])[] = []
    for (const { form } of tokens.slice(0, most)) {
      const corrected = known.get(form) ?? (await correct(form))
      known.set(form, corrected)
      corrections.push(corrected)
    }
    return combinedText(clause.text, tokens, corrections)
  }
}

/** Spelling corrections of the words. Empty if a word neither occurs nor can be corrected. */
async function withSpellingCorrected(
  clauses: readonly Clause[],
  correctedOf: CorrectedOf,
  occurs: (clause: Clause) => boolean,
): Promise<Clause[][]> {
  const ways = clauses.map((): readonly string[] => [])
  let left = MAX_CORRECTED
  // Words that do not occur come first: if one cannot be corrected, the others need not be.
  const inTurn = [...clauses.entries()].sort(
    ([, one], [, other]) => Number(occurs(one)) - Number(occurs(other)),
  )
  for (const [at, clause] of inTurn) {
    // Beside others a word without a meaning is spelt right, and decides nothing.
    const alternatives = isStop(clause) && clauses.length > 1 ? [] : await correctedOf(clause, left)
    if (alternatives.length === 0 && !occurs(clause)) return []
    ways[at] = alternatives
    left = Math.max(left - wantedTokens(clause).length, 0)
  }
  return combinations(clauses, reworded(clauses, ways))
}

/** A text with some of its words replaced; 'интернет-магозин' has two. */
function combinedText(
  text: string,
  tokens: readonly Token[],
  ways: readonly (readonly string[])[],
): string[] {
  const typed = tokens.map(({ start, end }) => text.slice(start, end))
  const between = tokens.map(({ end }, at) => text.slice(end, tokens[at + 1]?.start ?? end))
  return combinations(typed, ways).map((chosen) => chosen.map((word, at) => word + between[at]).join(''))
}

const reworded = (clauses: readonly Clause[], ways: readonly (readonly string[])[]): Clause[][] =>
  clauses.map((clause, at) => (ways[at] ?? []).map((text) => ({ ...clause, text })))

/** All combinations of the pieces and their alternatives, those with the fewest changes first. */
function combinations<Piece>(pieces: readonly Piece[], ways: readonly (readonly Piece[])[]): Piece[][] {
  let choices: { chosen: Piece[]; changes: number }[] = [{ chosen: [], changes: 0 }]
  for (const [at, piece] of pieces.entries()) {
    const others = (ways[at] ?? []).slice(0, MAX_ALTERNATIVES)
    choices = choices
      .flatMap(({ chosen, changes }) => [
        { chosen: [...chosen, piece], changes },
        ...others.map((other) => ({ chosen: [...chosen, other], changes: changes + 1 })),
      ])
      .sort((one, other) => one.changes - other.changes)
      .slice(0, MAX_QUERIES * 2)
  }
  return choices.filter(({ changes }) => changes > 0).map(({ chosen }) => chosen)
}

const RUSSIAN = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя']
const ENGLISH = [...'abcdefghijklmnopqrstuvwxyz']

/** Shortest word to correct: shorter ones are one mistake from too many others, as 'сливы' is from a form of 'слово'. */
const SHORTEST = 5
/** Longest word to correct: a form with a letter too many. */
const LONGEST = LONGEST_FORM + 1
/**
 * Letters at the start of a word in which every possible mistake is tried. A word with a mistake after them shares this
 * prefix with the right word, which is found among the forms with that prefix. So a word costs some 260 look-ups whatever
 * its length.
 */
const TRIED = 4
/** What comes after the four kinds of a mistake in a form: the same in a stem, whose form has another ending than the word. */
const IN_STEM = 4

/**
 * Spelling corrections of a folded word: forms in items and tags that differ by one typing mistake, then those whose stems do, one
 * a stem: 'аллргию' may be 'аллергия'. Besides other forms of the same word, by which nothing else is found.
 */
export async function spellingCorrections(
  index: Pick<IndexReader, 'similarForms'>,
  { word, tagForms }: { word: string; tagForms: () => readonly Form[] },
): Promise<string[]> {
  const letters = [...word]
  const alphabet = alphabetOf(word)
  if (letters.length < SHORTEST || letters.length > LONGEST || !alphabet) return []
  const stems = stemsOf(word)
  const [stem] = stems
  const prefixes = prefixesWithMistakes(word.startsWith(stem) ? stem : word, word, alphabet).filter(
    ({ length }) => length <= LONGEST_FORM,
  )
  const found = await index.similarForms({
    prefixes: [letters.slice(0, TRIED).join(''), ...prefixes],
    forms: { shortest: letters.length - 1, longest: Math.min(letters.length + 1, LONGEST_FORM) },
    stems: { shortest: stem.length - 1, longest: stem.length + 1 },
  })
  const vocabulary = [...found, ...tagForms()]
  // A word that occurs in another form is spelt right.
  const isKnown = vocabulary.some((one) => one.stem === stem)
  const ranks = new Map<string, number>()
  const ofStems = new Map<string, string>()
  for (const one of vocabulary) {
    const rank = mistakeIn(word, one.form)
    if (rank !== undefined) ranks.set(one.form, rank)
    else if (!isKnown && isClose(stem, one.stem)) {
      const best = ofStems.get(one.stem)
      if (best === undefined || isNearer(word, one.form, best)) ofStems.set(one.stem, one.form)
    }
  }
  for (const [other, form] of ofStems) ranks.set(form, IN_STEM + (mistakeIn(stem, other) ?? 0))
  const rankOf = (form: string): number => ranks.get(form) ?? Number.POSITIVE_INFINITY
  return [...ranks.keys()]
    .filter((form) => stemsOf(form).some((each) => !stems.includes(each)))
    .sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
}

/** Whether two stems differ by one typing mistake, and are not too short for that to say something. */
const isClose = (stem: string, other: string): boolean =>
  Math.max(stem.length, other.length) >= SHORTEST &&
  mistakeIn(stem, other) !== undefined &&
  !areOfOneRoot(stem, other)

const VOWEL = /^[аеиоуыэюяaeiouy]$/

/**
 * Whether a suffix makes two stems differ, as in 'реклама' and 'рекламный', 'отличать' and 'отличие': both are spelt right. A letter
 * that doubles the last one is none: 'диаграму' is 'диаграмма'.
 */
function areOfOneRoot(stem: string, other: string): boolean {
  if (stem.length !== other.length) {
    const [shorter, longer] = stem.length < other.length ? [stem, other] : [other, stem]
    return longer.startsWith(shorter) && longer.at(-1) !== shorter.at(-1)
  }
  const endings = [stem, other].map((one) => one.slice(-1))
  return stem.slice(0, -1) === other.slice(0, -1) && endings.every((letter) => VOWEL.test(letter))
}

/** Whether a form is nearer than another in its length to the word, or is the first of two. */
function isNearer(word: string, form: string, other: string): boolean {
  const far = (one: string) => Math.abs(one.length - word.length)
  return far(form) < far(other) || (far(form) === far(other) && form < other)
}

function alphabetOf(word: string): string[] | undefined {
  if (/^[а-я]+$/.test(word)) return RUSSIAN
  return /^[a-z]+$/.test(word) ? ENGLISH : undefined
}

/**
 * The beginnings of the forms that may be meant by a word with a mistake among its first letters: its stem with one letter removed,
 * inserted or replaced, or two neighbours swapped.
 */
function prefixesWithMistakes(stem: string, word: string, alphabet: readonly string[]): string[] {
  // Two letters are swapped, or one removed, within five: three at the start of a form say too little.
  const [base, longer] = [
    stem.length < TRIED ? word : stem,
    stem.length <= TRIED ? word.slice(0, TRIED + 1) : stem,
  ]
  const spliced = (text: string, at: number, removed: number, added: string) =>
    text.slice(0, at) + added + text.slice(at + removed)
  return Array.from({ length: TRIED }, (_, at) => [
    spliced(longer, at, 2, (longer[at + 1] ?? '') + (longer[at] ?? '')),
    spliced(longer, at, 1, ''),
    ...alphabet.flatMap((letter) => [spliced(base, at, 1, letter), spliced(base, at, 0, letter)]),
  ]).flat()
}

/**
 * The kind of the one mistake in a word, likeliest first: two neighbours swapped (0), an extra letter (1), a wrong letter
 * (2), a missing letter (3). Undefined if there is none, or more than one.
 */
function mistakeIn(word: string, right: string): number | undefined {
  if (word === right || Math.abs(word.length - right.length) > 1) return undefined
  let start = 0
  while (start < word.length && word[start] === right[start]) start += 1
  const [a, b] = [word.slice(start), right.slice(start)]
  if (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]) return 0
  if (a.slice(1) === b) return 1
  if (a.slice(1) === b.slice(1)) return 2
  return a === b.slice(1) ? 3 : undefined
}

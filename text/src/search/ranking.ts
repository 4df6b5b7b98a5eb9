import { stemsOf } from '../stems.ts'
import { queryStemsOf, tokenGroups } from '../tokenize.ts'
import { type Query, type QueryTerm, termsOf } from './query.ts'

/** How a word of a text matches a query term: as a whole word in any form, or by a prefix. */
type Match = 'whole' | 'prefix'

/** Maps a folded word to the indexes of the query's groups that it matches, and how; undefined if it matches none. */
export type Matcher = (form: string) => ReadonlyMap<number, Match> | undefined

/** Creates a matcher that caches words: they repeat within and across texts. */
export function createMatcher({ groups }: Query): Matcher {
  const terms = groups.map(termsOf)
  const cache = new Map<string, ReturnType<Matcher>>()
  const find = (form: string): ReturnType<Matcher> => {
    const stems = stemsOf(form)
    const matches = new Map<number, Match>()
    for (const [at, ofGroup] of terms.entries()) {
      if (ofGroup.some((term) => stems.some((stem) => term.stems.includes(stem)))) matches.set(at, 'whole')
      else if (ofGroup.some((term) => isPrefix(term, form))) matches.set(at, 'prefix')
    }
    return matches.size > 0 ? matches : undefined
  }
  return (form) => {
    if (!cache.has(form)) cache.set(form, find(form))
    return cache.get(form)
  }
}

const isPrefix = (term: QueryTerm, form: string): boolean => term.prefix && form.startsWith(term.form)

/** The texts of an item for ranking; `body` is plain text, `address` is decoded. */
export interface RankedTexts {
  readonly title: string
  readonly tags: readonly string[]
  readonly body: string
  readonly address: string
}

/** Scores of a word by the best place where it occurs: as a whole word, and as a prefix. */
const PLACES = { title: [10, 9], tags: [7, 6], body: [3, 2], address: [0.5, 0.5] } as const

/** BM25 parameters: saturation of the term frequency, and the average length of a text in words. */
const SATURATION = 1.2
const USUAL_LENGTH = 150
/** Largest contributions of a word's frequency and of the closeness of all words. */
const FREQUENCY = 1.5
const CLOSENESS = 1.5
/** Scores are rounded to 1/STEPS, so that invisible differences do not outrank newer items. */
const STEPS = 4

/** The score of an item: title over tags over text over address; closer and more frequent words score higher. */
export function scoreOf(query: Query, match: Matcher, { title, tags, body, address }: RankedTexts): number {
  const count = query.groups.length
  const found = {
    title: occurrencesIn(title, count, match),
    tags: occurrencesIn(tags.join('\n'), count, match),
    body: occurrencesIn(body, count, match),
    address: occurrencesIn(address, count, match),
  }
  const words = query.groups.map((_, at) => {
    const best = Object.entries(PLACES).map(([place, [whole, prefix]]) => {
      const { positions, wholes } = found[place as keyof typeof PLACES].groups[at] ?? NONE
      return wholes > 0 ? whole : positions.length > 0 ? prefix : 0
    })
    const often = found.body.groups[at]?.positions.length ?? 0
    const length = 0.25 + (0.75 * found.body.length) / USUAL_LENGTH
    return Math.max(...best) + (FREQUENCY * often) / (often + SATURATION * length)
  })
  const closeness = Math.max(closenessIn(found.title.groups), closenessIn(found.body.groups))
  const sum = words.reduce((one, other) => one + other, 0) + CLOSENESS * closeness
  return Math.round(sum * STEPS) / STEPS
}

interface Occurrences {
  /** Positions in words. */
  readonly positions: number[]
  /** Number of them that are whole words. */
  wholes: number
}

const NONE: Occurrences = { positions: [], wholes: 0 }

/** Finds the occurrences of each of the query's groups in a text. */
function occurrencesIn(
  text: string,
  count: number,
  match: Matcher,
): { groups: Occurrences[]; length: number } {
  const groups = Array.from({ length: count }, (): Occurrences => ({ positions: [], wholes: 0 }))
  let length = 0
  for (const { tokens, joined } of tokenGroups(text)) {
    const best = new Map<number, Match>()
    for (const form of joined === undefined
      ? tokens.map(({ form }) => form)
      : [joined, ...tokens.map(({ form }) => form)])
      for (const [at, how] of match(form) ?? []) if (how === 'whole' || !best.has(at)) best.set(at, how)
    for (const [at, how] of best) {
      const occurrences = groups[at]
      occurrences?.positions.push(length)
      if (occurrences && how === 'whole') occurrences.wholes += 1
    }
    length += tokens.length
  }
  return { groups, length }
}

/** How much an occurrence in a title, a tag or an address counts, where one in the text counts 1. */
const FIELDS = { title: 3, tags: 2, address: 0.5 } as const
/** How far the length of a text lowers its score: BM25's `b`. */
const LENGTH_SHARE = 0.75

/** A text's score by BM25F, and which of the query's groups occur in it, with their weights together. */
export interface PartialScore {
  readonly score: number
  readonly groups: readonly number[]
  readonly weight: number
}

/**
 * Scores an item that may lack some of the query's groups. `weights`: their inverse document frequencies; `isKnown`: whether
 * the index knows that a group occurs, perhaps beyond what was read of the text.
 */
export function partialScoreOf(
  match: Matcher,
  weights: readonly number[],
  { title, tags, body, address }: RankedTexts,
  isKnown: (group: number) => boolean,
): PartialScore {
  const count = weights.length
  const fields = {
    title: occurrencesIn(title, count, match),
    tags: occurrencesIn(tags.join('\n'), count, match),
    address: occurrencesIn(address, count, match),
  }
  const inBody = occurrencesIn(body, count, match)
  const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * (inBody.length + fields.title.length)) / USUAL_LENGTH
  let [score, weight] = [0, 0]
  const groups: number[] = []
  for (const [at, own] of weights.entries()) {
    const often = (occurrences: { groups: Occurrences[] }) => occurrences.groups[at]?.positions.length ?? 0
    const seen =
      often(inBody) +
      FIELDS.title * often(fields.title) +
      FIELDS.tags * often(fields.tags) +
      FIELDS.address * often(fields.address)
    const frequency = seen || Number(isKnown(at))
    if (frequency === 0) continue
    groups.push(at)
    weight += own
    score += (own * frequency * (SATURATION + 1)) / (frequency + SATURATION * length)
  }
  return { score: Math.round(score * 1e6) / 1e6, groups, weight }
}

/** 1 if all groups occur side by side, less the further apart they are; 0 if one is missing or there is only one. */
function closenessIn(groups: readonly Occurrences[]): number {
  if (groups.length < 2 || groups.some(({ positions }) => positions.length === 0)) return 0
  const all = groups
    .flatMap(({ positions }, group) => positions.map((position) => ({ position, group })))
    .sort((one, other) => one.position - other.position)
  const latest = new Map<number, number>()
  let span = Number.POSITIVE_INFINITY
  for (const { position, group } of all) {
    latest.set(group, position)
    if (latest.size === groups.length) span = Math.min(span, position - Math.min(...latest.values()))
  }
  return 1 / (1 + Math.max(span - (groups.length - 1), 0) / groups.length)
}

/** Whether the words of a phrase follow one another in a text, each in exactly this form. */
export function holdsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const [first] = phrase
  return words.some((word, at) => word === first && phrase.every((one, of) => words[at + of] === one))
}

/** Whether the words of a phrase follow one another in one of the texts, in any forms. */
export function holdsInflected(texts: readonly (readonly string[])[], phrase: readonly string[]): boolean {
  const isForm = phrase.map((word) => {
    const stems = new Set(queryStemsOf(word))
    const cache = new Map<string, boolean>()
    return (other = ''): boolean => {
      const known = cache.get(other) ?? stemsOf(other).some((stem) => stems.has(stem))
      cache.set(other, known)
      return known
    }
  })
  return texts.some((words) => words.some((_, at) => isForm.every((is, of) => is(words[at + of]))))
}

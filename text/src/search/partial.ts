import { isStopWord } from '../stop-words.ts'
import type { Condition } from './condition.ts'
import { allOf, anyOf, conditionsOf, taggedWith } from './conditions.ts'
import { type Counts, type Dated, ITEM_KINDS, type ItemKind, newestFirst, sumOf } from './index-reader.ts'
import {
  byKind,
  completionsOf,
  eachKind,
  findMatches,
  type Held,
  holdingPhrases,
  type Ids,
  type Matches,
  type Scope,
} from './match.ts'
import {
  asWholeWords,
  isFree,
  isStop,
  NO_QUERY,
  type Query,
  type QueryGroup,
  queryOf,
  termsOf,
} from './query.ts'
import { createMatcher, partialScoreOf } from './ranking.ts'

/** Most words that are read, stop words included: more than fit into the longest query are none. */
const MAX_READ = 250
/** Most words that are counted, from the beginning of a pasted text, and most that are looked for, the rarest of them. */
const [MAX_COUNTED, MAX_WORDS] = [64, 16]
/** Shortest beginning of a word that is completed. */
const SHORTEST_PREFIX = 3
/** Items of each kind whose texts are read and ranked: all that a partial search finds. */
const RANKED = 40
/** Most common words that are asked for together, the rarest of them. */
const MAX_TOGETHER = 6
/** Most sets of them that are asked for where no word is rare. */
const MAX_SETS = 11
/** Factor of items that are looked up of both kinds together: most often that is enough of each kind. */
const AMPLE = 4
/** Items that are compared by the words that the index knows of them, and most items of each kind that are read for phrases. */
const MAX_COMPARED = 2_000
/** Items of each kind that are looked up for phrases first: most often enough of them pass. */
const FIRST_COMPARED = 4 * RANKED
/** So many items without tags that have any of the words are compared all: else each set of words looks through all items for them. */
const FEW_UNTAGGED = 100
/** A word that more items have than this counts as being in this share of all: exact counts cost too much. */
const COMMON = 1_000
const COMMON_SHARE = 1 / 32
/**
 * An item is close to a query if the weights of the words that it has are this share of the weights of all, those included
 * that no item has if they are more than half: one word that is known among several that are not says nothing.
 */
const MIN_SHARE = 0.1
/** A word of fewer letters is in some item by accident, and counts as half a word. */
const TELLING_LENGTH = 3
/** Of so many words or more, most of which are unknown or short, an item needs this share. */
const [MANY, MIN_SHARE_OF_MANY] = [5, 1 / 6]

/** A word to look for. */
interface Word {
  readonly group: QueryGroup
  readonly condition: Condition
  /** Number of items that have it, at most that of a common word. */
  readonly count: number
  /** Its inverse document frequency. */
  readonly weight: number
}

/** `isComplete`: whether one of the items has all words of the query that carry a meaning. */
interface PartialMatches extends Matches {
  readonly isComplete: boolean
}

/**
 * Finds the items that have the most and rarest words of a query, ranked by BM25; undefined if none is close to it. Stop
 * words decide nothing. What else is in the query must hold: phrases, tags, sites and excluded words.
 */
export async function findPartial(scope: Scope, query: Query): Promise<PartialMatches | undefined> {
  const { index, kinds } = scope
  const { words: counted, items: all } = await wordsOf(scope, query)
  const words = rarestOf(counted)
  const known = words.filter(isKnown)
  const areMost = (some: readonly Word[]) => 2 * some.length >= counted.length
  const enough = MIN_SHARE * weightOf(areMost(counted.filter(isKnown)) ? known : counted)
  const tellsLittle =
    counted.length >= MANY && !areMost(counted.filter((word) => isKnown(word) && isLong(word)))
  const fewest = tellsLittle ? MIN_SHARE_OF_MANY * words.length : 0
  const rest = queryOf(query.clauses.filter((clause) => clause.kind !== 'word' || clause.excluded))
  if (weightOf(known) < enough || known.length === 0) return findWithoutWords(scope, query, rest)
  const required = requiredOf(scope, rest)
  const best = async (limit: number) => {
    const common = eachKind((kind) => Math.min(all[kind], limit))
    return (await candidatesOf(scope, known, { required, enough, common }))
      .filter(({ kind }) => kinds.includes(kind))
      .sort((one, other) => other.weight - one.weight || newestFirst(one, other))
  }
  const hasPhrases = rest && rest.phrases.length + rest.excludedPhrases.length > 0
  const { candidates, held } = hasPhrases ? await bestHolding(scope, rest, best) : withAll(await best(RANKED))
  const bits = new Map(candidates.map(({ id, met }) => [id, met]))
  const read = eachKind((kind) => held.ids[kind].slice(0, RANKED))
  const ids = [...read.note, ...read.link]
  const items = ids.length > 0 ? await index.items(ids) : []
  const found: Query = { ...query, groups: known.map(({ group }) => group) }
  const match = createMatcher(found)
  const weights = known.map(({ weight }) => weight)
  const ranked = items
    .map((item) => {
      const met = bits.get(item.id) ?? 0
      const isInflected = Number(held.inflected.has(item.id))
      return { item, isInflected, ...partialScoreOf(match, weights, item, (at) => (met & (1 << at)) !== 0) }
    })
    .filter(
      ({ weight, groups }) => weight >= enough && lengthOf(groups.flatMap((at) => known[at] ?? [])) >= fewest,
    )
    .sort(
      (one, other) =>
        one.isInflected - other.isInflected || other.score - one.score || newestFirst(one.item, other.item),
    )
  if (ranked.length === 0) return findWithoutWords(scope, query, rest)
  const narrowed = byKind(ranked.map(({ item }) => item))
  return {
    query: { ...found, groups: [...found.groups, ...(rest?.groups ?? [])] },
    counts: eachKind((kind) => narrowed[kind].length),
    conditions: conditionsOf(NO_QUERY, []),
    indexed: { counts: { note: 0, link: 0 }, all: undefined },
    narrowed,
    ranked: ranked.map(({ item }) => item),
    partial: true,
    isComplete: ranked.some(({ groups }) => groups.length === words.length),
  }
}

/**
 * Finds items by the phrases of a query alone, where no item that has them is close by the words; where all words are stop words,
 * also by its tags and sites.
 */
async function findWithoutWords(
  scope: Scope,
  { clauses }: Query,
  rest: Query | undefined,
): Promise<PartialMatches | undefined> {
  const words = clauses.filter(isFree)
  const isComplete = words.every(isStop)
  if (!rest || words.length === 0) return undefined
  if (isComplete ? rest.clauses.every(({ excluded }) => excluded) : rest.phrases.length === 0)
    return undefined
  if (!isComplete && (await haveMany(scope, rest))) return undefined
  const matches = await findMatches(scope, rest)
  const isFound = scope.kinds.some((kind) => matches.counts[kind] > 0)
  return isFound ? { ...matches, partial: true, isComplete } : undefined
}

/** Whether more items have the words of a query's phrases than are read for them. */
async function haveMany(scope: Scope, query: Query): Promise<boolean> {
  const { index, kinds } = scope
  const { counts } = await index.countAndFirst(allOf(requiredOf(scope, query)), 0)
  return kinds.some((kind) => counts[kind] > MAX_COMPARED)
}

interface HeldCandidates {
  readonly candidates: readonly Candidate[]
  readonly held: Held
}

const withAll = (candidates: readonly Candidate[]): HeldCandidates => ({
  candidates,
  held: { ids: byKind(candidates), inflected: new Set() },
})

/** Filters the best candidates by the phrases of a query. Looks up more where too few of the first have them exactly. */
async function bestHolding(
  scope: Scope,
  query: Query,
  best: (limit: number) => Promise<readonly Candidate[]>,
): Promise<HeldCandidates> {
  const among = async (limit: number) => {
    const candidates = await best(limit)
    const all = byKind(candidates)
    const ids = eachKind((kind) => all[kind].slice(0, limit))
    return { candidates, ids, held: await holdingEnough(scope, query, ids) }
  }
  const first = await among(FIRST_COMPARED)
  const isEnough = (kind: ItemKind): boolean =>
    first.ids[kind].length < FIRST_COMPARED || exactIn(first.held, kind).length >= RANKED
  return scope.kinds.every(isEnough) ? first : among(MAX_COMPARED)
}

const exactIn = ({ ids, inflected }: Held, kind: ItemKind): string[] =>
  ids[kind].filter((id) => !inflected.has(id))

/** Reads items in their order until {@link RANKED} of each kind have the phrases of a query exactly. */
async function holdingEnough(scope: Scope, query: Query, ids: Ids): Promise<Held> {
  const [exact, others] = [eachKind((): string[] => []), eachKind((): string[] => [])]
  const inflected = new Set<string>()
  for (let from = 0; ; from += RANKED) {
    const next = eachKind((kind) => (exact[kind].length < RANKED ? ids[kind].slice(from, from + RANKED) : []))
    if (next.note.length + next.link.length === 0) break
    const held = await holdingPhrases(scope, query, next)
    for (const id of held.inflected) inflected.add(id)
    for (const kind of ITEM_KINDS) {
      exact[kind].push(...exactIn(held, kind))
      others[kind].push(...held.ids[kind].filter((id) => held.inflected.has(id)))
    }
  }
  return { ids: eachKind((kind) => [...exact[kind], ...others[kind]]), inflected }
}

const isKnown = ({ count }: Word): boolean => count > 0

const isLong = ({ group }: Word): boolean => termsOf(group).some(({ form }) => form.length >= TELLING_LENGTH)

/** Number of words, short ones as halves. */
const lengthOf = (words: readonly Word[]): number =>
  words.reduce((sum, word) => sum + (isLong(word) ? 1 : 0.5), 0)

const weightOf = (words: readonly Word[]): number => words.reduce((sum, { weight }) => sum + weight, 0)

/** Items that an account is taken to have besides its own: in a small one every word would else be a common one. */
const MORE_ITEMS = 100

/** Inverse document frequency, as in BM25. */
export const inverseFrequency = (count: number, items: number): number =>
  Math.log(1 + (Math.max(items - count, 0) + MORE_ITEMS + 0.5) / (count + 0.5))

/** Number of items that a word counts as being in which more items have than are counted. */
export const commonIn = (items: number): number => Math.max(COMMON, Math.ceil(items * COMMON_SHARE))

/** The words of a query that have a meaning, and the numbers of items if one of these has one of the words. */
async function wordsOf(scope: Scope, { clauses }: Query): Promise<{ words: readonly Word[]; items: Counts }> {
  const { index, tags } = scope
  const none = { words: [], items: { note: 0, link: 0 } }
  // 'nodejs' has both words of 'node.js'.
  const parts = (queryOf(clauses.filter(isFree), MAX_READ)?.groups ?? []).flatMap(({ terms, joined }) =>
    terms.length > 0
      ? terms.map((term): QueryGroup => ({ terms: [term], joined }))
      : { terms: joined ? [joined] : [], joined: undefined },
  )
  const byStems = new Map<string, QueryGroup>()
  for (const part of parts)
    for (const { form, stems } of part.terms) {
      const key = stems.join(' ')
      if (!isStopWord(form) && !byStems.get(key)?.joined) byStems.set(key, part)
    }
  const meant = [...byStems.values()].slice(0, MAX_COUNTED)
  const whole = meant.map(asWholeWords)
  const last = meant.find(({ terms }) =>
    terms.some(({ form, prefix }) => prefix && form.length >= SHORTEST_PREFIX),
  )
  const groups = last ? [...whole, last] : whole
  if (groups.length === 0) return none
  const completions = await completionsOf(scope, groups)
  const conditions = conditionsOf({ ...NO_QUERY, groups }, tags, completions).groups
  const counts = await index.frequencies(conditions, COMMON)
  if (counts.every((count) => count === 0)) return none
  const items = await index.itemCounts()
  const words = whole.map((group, at): Word => {
    // The last word counts as a beginning only where no item has it as a whole word.
    const from = meant[at] === last && counts[at] === 0 ? whole.length : at
    const counted = counts[from] ?? 0
    const count = counted < COMMON ? counted : commonIn(sumOf(items))
    return {
      group: groups[from] ?? group,
      condition: conditions[from] ?? conditionsOf(NO_QUERY, tags).found,
      count,
      weight: inverseFrequency(count, sumOf(items)),
    }
  })
  return { words, items }
}

/** As many words as are looked for: the rarest that items have, beside which unknown ones count while there is room. */
function rarestOf(words: readonly Word[]): readonly Word[] {
  if (words.length <= MAX_WORDS) return words
  const known = words.filter(({ count }) => count > 0).sort((one, other) => one.count - other.count)
  const unknown = words.filter(({ count }) => count === 0)
  const kept = new Set([...known, ...unknown].slice(0, MAX_WORDS))
  return words.filter((word) => kept.has(word))
}

/** What every item must meet. */
function requiredOf({ tags, tag_id }: Scope, rest: Query | undefined): Condition[] {
  return [
    ...(rest ? [conditionsOf(rest, tags).found] : []),
    ...(tag_id === undefined ? [] : [taggedWith(tag_id)]),
  ]
}

interface Candidate extends Dated {
  readonly met: number
  /** Of the words that the index knows of. */
  weight: number
}

interface Wanted {
  required: readonly Condition[]
  /** The weight that an item must have. */
  enough: number
  /** Items of each kind that common words have to find. */
  common: Counts
}

/**
 * Items that may be close: all that have a rare word, and the newest that have most of the common ones together; of a kind
 * without such items the newest with any common word. The bits of a candidate say which words it has.
 */
async function candidatesOf(scope: Scope, words: readonly Word[], wanted: Wanted): Promise<Candidate[]> {
  const { index, kinds, untagged } = scope
  const { required, enough, common: most } = wanted
  const few = untagged && (await fewUntagged(scope, words, wanted))
  if (few) return few
  const rarestFirst = words.toSorted((one, other) => one.count - other.count)
  let left = MAX_COMPARED
  const rare = new Set(
    rarestFirst.filter(({ count }) => {
      left -= count
      return count < COMMON && left >= 0
    }),
  )
  const common = rarestFirst.filter((word) => !rare.has(word)).slice(0, MAX_TOGETHER)
  const candidates = new Map<string, Candidate>()
  if (rare.size > 0) {
    const anyRare = anyOf([...rare].map(({ condition }) => condition))
    const conditions = words.map((word) =>
      allOf([...(rare.has(word) ? [word.condition] : [anyRare, word.condition]), ...required]),
    )
    const found = await index.conditionsMet(conditions)
    const tagged = untagged ? await index.taggedAmong(found.map(({ id }) => id)) : new Set<string>()
    for (const item of found) {
      if (tagged.has(item.id)) continue
      const weight = weightOf(words.filter((_, at) => (item.met & (1 << at)) !== 0))
      candidates.set(item.id, { ...item, weight })
    }
  }
  const found = eachKind(() => new Set<string>())
  // A set of common words that weigh less would not be among the best: as many heavier candidates are known already.
  const least = eachKind((of) => {
    const weights = [...candidates.values()].flatMap(({ kind, weight }) => (kind === of ? weight : []))
    return weights.sort((one, other) => other - one)[most[of] - 1] ?? enough
  })
  for (const set of setsOf(common, rare.size > 0)) {
    const weight = weightOf(set)
    const missing = () => kinds.filter((kind) => found[kind].size < most[kind] && weight >= least[kind])
    const met = set.reduce((bits, word) => bits | (1 << words.indexOf(word)), 0)
    const add = (items: readonly Dated[]): void => {
      for (const item of items) {
        found[item.kind].add(item.id)
        if (!candidates.has(item.id)) candidates.set(item.id, { ...item, met, weight })
      }
    }
    // One set at a time: PostgreSQL looks at all items of all words for a choice between sets.
    const condition = allOf([...set.map((word) => word.condition), ...required])
    if (missing().length > 1) {
      const limit = AMPLE * sumOf(most)
      const newest = await index.newest(condition, { limit, untagged })
      add(newest)
      if (newest.length < limit) continue
    }
    for (const kind of missing()) add(await index.newest(condition, { kind, limit: most[kind], untagged }))
  }
  // A kind of which no set finds an item takes the words one by one, beside items with rare words only where it has to.
  const has = (of: ItemKind) => [...candidates.values()].some(({ kind }) => kind === of)
  const bare = rare.size === 0 || !kinds.some(has) ? kinds.filter((of) => !has(of)) : []
  for (const kind of bare) {
    const any = new Map<string, Candidate>()
    for (const word of common) {
      if (any.size >= most[kind]) break
      const condition = allOf([word.condition, ...required])
      for (const item of await index.newest(condition, { kind, limit: most[kind], untagged })) {
        const { met, weight } = any.get(item.id) ?? { met: 0, weight: 0 }
        any.set(item.id, { ...item, met: met | (1 << words.indexOf(word)), weight: weight + word.weight })
      }
    }
    for (const candidate of any.values()) candidates.set(candidate.id, candidate)
  }
  return [...candidates.values()]
}

/** The items without tags that have any of the words; undefined where they are more than a few. */
async function fewUntagged(
  { index, kinds }: Scope,
  words: readonly Word[],
  { required }: Wanted,
): Promise<Candidate[] | undefined> {
  const any = allOf([anyOf(words.map(({ condition }) => condition)), ...required])
  const kind = kinds.length === 1 ? kinds[0] : undefined
  const some = await index.newest(any, { kind, limit: FEW_UNTAGGED + 1, untagged: true })
  if (some.length > FEW_UNTAGGED) return undefined
  if (some.length === 0) return []
  const met = await index.conditionsMet(
    words.map(({ condition }) => condition),
    some.map(({ id }) => id),
  )
  return met.map((item) => ({
    ...item,
    weight: weightOf(words.filter((_, at) => (item.met & (1 << at)) !== 0)),
  }))
}

/**
 * Sets of the common words, which come heaviest first, of equal weight as they were typed: all, all but one, and where no word is
 * rare fewer and fewer. Beside items with rare words, those with one common word are no closer than any.
 */
function setsOf(common: readonly Word[], isOneRare: boolean): (readonly Word[])[] {
  const withoutOne = common.map((_, at) => common.toSpliced(at, 1)).reverse()
  if (isOneRare) return [common, ...withoutOne].filter((set) => set.length > 1)
  const heaviest = common.map((_, left) => common.slice(0, common.length - left)).slice(2)
  const alone = common.length > 2 ? common.slice(1).map((word) => [word]) : []
  return [common, ...withoutOne, ...heaviest, ...alone].slice(0, MAX_SETS)
}

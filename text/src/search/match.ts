import { wordsOf } from '../tokenize.ts'
import { conditionsOf, type QueryConditions, taggedWith, within } from './conditions.ts'
import { LONGEST_FORM } from './document.ts'
import {
  type CountAndFirst,
  type Counts,
  type Found,
  type FoundItem,
  type IndexReader,
  ITEM_KINDS,
  type ItemKind,
  newestFirst,
  type Sort,
  sumOf,
  type Tag,
} from './index-reader.ts'
import { type Query, type QueryGroup, type QueryTerm, termsOf } from './query.ts'
import { createMatcher, holdsInflected, holdsPhrase, type RankedTexts, scoreOf } from './ranking.ts'

/** The items to search. */
export interface Scope {
  readonly index: IndexReader
  /** All tags of the owner. */
  readonly tags: readonly Tag[]
  /** Only items with this tag. */
  readonly tag_id?: string | undefined
  /** Only items without any tag. */
  readonly untagged?: boolean | undefined
  readonly kinds: readonly ItemKind[]
  /** The stems that complete prefixes, which several steps of a search look up. */
  readonly completed: Map<string, Promise<readonly string[]>>
}

/** Ids of each kind. */
export type Ids = Readonly<Record<ItemKind, readonly string[]>>

/** The unsorted matches of a query. */
export interface Matches {
  readonly query: Query
  readonly counts: Counts
  readonly conditions: QueryConditions
  /** What the index finds: also items that lack a phrase of the query, or have tags where none are wanted. */
  readonly indexed: CountAndFirst
  /** All that match, the best first, where the index finds others too. */
  readonly narrowed: Ids | undefined
  /** Those of them that have the query's phrases in other forms: they come after all others. */
  readonly inflected?: ReadonlySet<string>
  /** Those of a partial search, read and in their final order. */
  readonly ranked?: readonly FoundItem[]
  /** Set: no item matches the query; these have the most and rarest of its words. */
  readonly partial?: true
}

/** Number of best matches, two pages, that are sorted by their texts; the others are sorted by rank bucket. */
const RANKED = 30
/** Up to this number of matches, the index returns all of them at once. */
const FEW = 200

export const eachKind = <T>(make: (kind: ItemKind) => T): Record<ItemKind, T> => ({
  note: make('note'),
  link: make('link'),
})

export const byKind = (found: readonly Found[]): Ids =>
  eachKind((of) => found.filter(({ kind }) => kind === of).map(({ id }) => id))

/** For each term that is a prefix, the stems of words that begin with it although their stems do not. */
export async function completionsOf(
  { index, completed }: Scope,
  groups: readonly QueryGroup[],
): Promise<Map<QueryTerm, readonly string[]>> {
  const completions = new Map<QueryTerm, readonly string[]>()
  for (const term of groups.flatMap(termsOf)) {
    if (!term.prefix || [...term.form].length > LONGEST_FORM) continue
    const stems = completed.get(term.form) ?? index.stemsCompleting(term.form)
    completed.set(term.form, stems)
    completions.set(term, await stems)
  }
  return completions
}

export async function findMatches(scope: Scope, query: Query): Promise<Matches> {
  const { index, tags, tag_id, untagged, kinds } = scope
  const completions = await completionsOf(scope, query.groups)
  const all = conditionsOf(query, tags, completions)
  const conditions = tag_id === undefined ? all : within(taggedWith(tag_id), all)
  const indexed = await index.countAndFirst(conditions.found, FEW)
  const matches = { query, conditions, indexed, counts: indexed.counts, narrowed: undefined }
  const hasPhrases = query.phrases.length + query.excludedPhrases.length > 0
  if (!hasPhrases && !untagged) return matches
  const wanted = eachKind((kind) => (kinds.includes(kind) ? indexed.counts[kind] : 0))
  const candidates = await (untagged ? untaggedInBuckets : inBuckets)(scope, matches, wanted)
  const held = hasPhrases && (await heldAmong(scope, matches, candidates))
  const narrowed = held ? held.ids : candidates
  return {
    ...matches,
    ...(held && { inflected: held.inflected }),
    narrowed,
    counts: eachKind((kind) => narrowed[kind].length),
  }
}

/** A page of the matches in another order than the best first. */
export async function sortedPageOf(
  scope: Scope,
  { conditions, counts, narrowed }: Matches,
  { sort, limit, offset }: { sort: Sort; limit: number; offset: number },
): Promise<Ids> {
  const { index, kinds } = scope
  const page = async (kind: ItemKind): Promise<readonly string[]> => {
    if (!kinds.includes(kind)) return []
    const all =
      narrowed?.[kind] ??
      (await index.newest(conditions.found, { kind, limit: counts[kind] })).map(({ id }) => id)
    return index.pageInOrder({ ids: all, sort, limit, offset })
  }
  return { note: await page('note'), link: await page('link') }
}

/** A page of the matches, best first; `items`: those that were read for sorting. */
export async function pageOf(
  scope: Scope,
  matches: Matches,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ ids: Ids; items: readonly FoundItem[] }> {
  const { counts, query, indexed, narrowed, ranked: known } = matches
  if (known && narrowed)
    return { ids: eachKind((kind) => narrowed[kind].slice(offset, offset + limit)), items: known }
  // For one word with many matches the index knows enough: where the word occurs, and whether often.
  const isRanked = (kind: ItemKind): boolean =>
    query.groups.length > 1 || narrowed !== undefined || counts[kind] <= RANKED
  const wanted = eachKind((kind) => {
    if (!scope.kinds.includes(kind)) return 0
    return Math.min(Math.max(offset + limit, isRanked(kind) ? RANKED : 0), counts[kind])
  })
  const areAllRanked = scope.kinds.every((kind) => counts[kind] <= RANKED)
  const candidates =
    narrowed ?? (indexed.all && areAllRanked ? byKind(indexed.all) : await inBuckets(scope, matches, wanted))
  const ofKinds = (idsOf: (kind: ItemKind) => readonly string[]): Ids =>
    eachKind((kind) => (scope.kinds.includes(kind) ? idsOf(kind) : []))
  const ranked = ofKinds((kind) =>
    offset < RANKED && isRanked(kind) ? candidates[kind].slice(0, RANKED) : [],
  )
  const read = ITEM_KINDS.flatMap((kind) => ranked[kind])
  const items = read.length > 0 ? await scope.index.items(read) : []
  const best = byKind(byScore(query, items, matches.inflected))
  const ids = ofKinds((kind) =>
    [...best[kind], ...candidates[kind].slice(ranked[kind].length)].slice(offset, offset + limit),
  )
  return { ids, items }
}

/** Sorts items by the score of their texts, best first, `last` after all others. */
function byScore(
  query: Query,
  items: readonly FoundItem[],
  last: ReadonlySet<string> = new Set(),
): FoundItem[] {
  const matcher = createMatcher(query)
  const scores = new Map(items.map((item) => [item.id, scoreOf(query, matcher, item)]))
  const scoreIn = ({ id }: FoundItem) => scores.get(id) ?? 0
  return items.toSorted(
    (one, other) =>
      Number(last.has(one.id)) - Number(last.has(other.id)) ||
      scoreIn(other) - scoreIn(one) ||
      newestFirst(one, other),
  )
}

/** Factor of items read of both kinds together: most often that is enough of each kind. */
const AMPLE = 2

/** The matches sorted by rank bucket, newest first in each: the wanted number of each kind, or all if they are few. */
export async function inBuckets(
  { index }: Pick<Scope, 'index'>,
  {
    conditions,
    indexed: { all },
  }: Pick<Matches, 'indexed'> & {
    conditions: Omit<QueryConditions, 'groups' | 'suspected'>
  },
  wanted: Counts,
): Promise<Ids> {
  const buckets = conditions.buckets()
  if (all) {
    const better = buckets.slice(0, -1)
    const known = better.length > 0 ? await index.conditionsMet(better) : []
    const places = new Map(known.map(({ id, met }) => [id, firstBit(met)]))
    const placeOf = ({ id }: Found) => places.get(id) ?? better.length
    return byKind(all.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
  const best = eachKind(() => new Set<string>())
  const add = (found: readonly Found[]): void => {
    for (const { id, kind } of found) if (best[kind].size < wanted[kind]) best[kind].add(id)
  }
  const missing = (): ItemKind[] => ITEM_KINDS.filter((kind) => best[kind].size < wanted[kind])
  for (const bucket of buckets) {
    const [kind, other] = missing()
    if (kind === undefined) break
    if (other) {
      const limit = (wanted.note + wanted.link) * AMPLE
      const found = await index.newest(bucket, { limit })
      add(found)
      if (found.length < limit) continue
    }
    // It may find items of earlier buckets again, which keep their places.
    for (const kind of missing()) add(await index.newest(bucket, { kind, limit: wanted[kind] }))
  }
  return eachKind((kind) => [...best[kind]])
}

/** The number of the lowest bit that is set. */
const firstBit = (bits: number): number => 31 - Math.clz32(bits & -bits)

/** All matches without any tag, sorted by rank bucket. Looks for those first: they are few in most accounts. */
async function untaggedInBuckets(scope: Scope, matches: Matches, wanted: Counts): Promise<Ids> {
  const { index, kinds } = scope
  const { conditions, indexed } = matches
  const kind = kinds.length === 1 ? kinds[0] : undefined
  const limit = sumOf(wanted)
  const all = limit > 0 ? await index.newest(conditions.found, { kind, limit, untagged: true }) : []
  if (all.length === 0) return byKind([])
  if (all.length <= FEW) return inBuckets(scope, { conditions, indexed: { ...indexed, all } }, wanted)
  const sorted = await inBuckets(scope, matches, wanted)
  const ids = new Set(all.map(({ id }) => id))
  return eachKind((of) => sorted[of].filter((id) => ids.has(id)))
}

/** Items that have the phrases of a query, those first that have each word in exactly its form. */
export interface Held {
  readonly ids: Ids
  /** The others. */
  readonly inflected: ReadonlySet<string>
}

/** Filters matches by the phrases of their query. Where it requires none, reads only those that may have an excluded one. */
async function heldAmong(scope: Scope, { query, conditions, counts }: Matches, ids: Ids): Promise<Held> {
  if (query.phrases.length > 0) return holdingPhrases(scope, query, ids)
  const limit = counts.note + counts.link
  const found = await scope.index.newest(conditions.suspected, { limit })
  const suspected = new Set(found.map(({ id }) => id))
  const read = eachKind((kind) => ids[kind].filter((id) => suspected.has(id)))
  const { ids: cleared } = await holdingPhrases(scope, query, read)
  const left = eachKind((kind) => new Set(cleared[kind]))
  return {
    ids: eachKind((kind) => ids[kind].filter((id) => !suspected.has(id) || left[kind].has(id))),
    inflected: new Set(),
  }
}

/** Filters items by the phrases of a query, required and excluded; otherwise keeps their order. */
export async function holdingPhrases({ index }: Pick<Scope, 'index'>, query: Query, ids: Ids): Promise<Held> {
  const candidates = ITEM_KINDS.flatMap((kind) => ids[kind])
  const [exact, inflected] = [new Set<string>(), new Set<string>()]
  for await (const items of index.wholeItems(candidates)) {
    for (const item of items) {
      const found = phrasesIn(item, query)
      if (found) (found === 'exact' ? exact : inflected).add(item.id)
    }
  }
  const those = (kind: ItemKind, held: ReadonlySet<string>) => ids[kind].filter((id) => held.has(id))
  return { ids: eachKind((kind) => [...those(kind, exact), ...those(kind, inflected)]), inflected }
}

/** How an item has all phrases of a query: in exactly these forms or in others. Undefined if it has one that is excluded. */
export function phrasesIn(
  { title, body, address, tags }: RankedTexts,
  { phrases, excludedPhrases }: Query,
): 'exact' | 'inflected' | undefined {
  const texts = [title, ...tags, address, body].map(wordsOf)
  const isIn = (phrase: readonly string[]) => texts.some((words) => holdsPhrase(words, phrase))
  if (excludedPhrases.some(isIn)) return undefined
  const others = phrases.filter((phrase) => !isIn(phrase))
  if (others.length === 0) return 'exact'
  return others.every((phrase) => holdsInflected(texts, phrase)) ? 'inflected' : undefined
}

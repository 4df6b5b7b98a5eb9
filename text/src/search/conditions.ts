import { stemsOf } from '../stems.ts'
import { formsOf, tokenGroups } from '../tokenize.ts'
import { type Condition, evaluate } from './condition.ts'
import type { Tag } from './index-reader.ts'
import { groupsOfPhrase, type Query, type QueryGroup, type QueryTerm, tagKey, termsOf } from './query.ts'
import { listOf, TERMS } from './terms.ts'

/** The index conditions of a query. */
export interface QueryConditions {
  /** An item that meets this is a match. */
  readonly found: Condition
  /**
   * Rank buckets, best first: title over tags over text over address, whole words over prefixes. An item belongs to the
   * first bucket that it meets. The last is `found`. They cost more than the rest, and most queries of a suggestion need none.
   */
  readonly buckets: () => readonly [Condition, ...Condition[]]
  /** For each of the query's groups, that it occurs. */
  readonly groups: readonly Condition[]
  /** All matches that may have a phrase that the query excludes, and others. */
  readonly suspected: Condition
}

/** The longest words of an excluded phrase, which are most often the rarest; more would find hardly fewer items. */
const WORDS_OF_SUSPECTS = 4

/** Where a word may occur. */
type Place = 'title' | 'tags' | 'often' | 'text' | 'address'

const EVERYWHERE: readonly Place[] = ['text', 'address', 'tags']

/**
 * `tags`: all of the owner. `completions`: for each term that is a prefix, the stems of longer words that do not begin
 * with it themselves.
 */
export function conditionsOf(
  query: Query,
  tags: readonly Tag[],
  completions: ReadonlyMap<QueryTerm, readonly string[]> = new Map(),
): QueryConditions {
  const { groups, excludedGroups, clauses } = query
  const phraseGroups = query.excludedPhrases.map((words) =>
    groupsOfPhrase(words.toSorted((one, other) => other.length - one.length).slice(0, WORDS_OF_SUSPECTS)),
  )
  const tagsOfTerm = tagsByTerm([...groups, ...excludedGroups, ...phraseGroups.flat()].flatMap(termsOf), tags)
  const tagsOfName = tagsByName(query, tags)

  const termIn = (term: QueryTerm, place: Place, whole: boolean): Condition[] => {
    if (place === 'tags') return (tagsOfTerm.get(term)?.[whole ? 'whole' : 'any'] ?? []).map(taggedWith)
    const ofStem = TERMS[place]
    const ofStems = (stems: Iterable<string>) => Array.from(stems, (stem) => ({ term: ofStem(stem) }))
    if (!term.prefix || whole) return ofStems(term.stems)
    const stems = [...term.stems, ...(completions.get(term) ?? [])].sort()
    const others = new Set(stems.filter((stem) => !stem.startsWith(term.form)))
    return [{ term: ofStem(term.form), prefix: true }, ...ofStems(others)]
  }
  const groupIn = ({ terms, joined }: QueryGroup, places: readonly Place[], whole = false): Condition => {
    const inPlaces = (term: QueryTerm) => anyOf(places.flatMap((place) => termIn(term, place, whole)))
    const apart = terms.length > 0 ? [allOf(terms.map(inPlaces))] : []
    return anyOf([...apart, ...(joined === undefined ? [] : [inPlaces(joined)])])
  }
  const named = (excluded: boolean): Condition[] => [
    ...query.tags
      .filter((tag) => tag.excluded === excluded)
      .map(({ name }) => anyOf((tagsOfName.get(name) ?? []).map(taggedWith))),
    ...query.sites
      .filter((site) => site.excluded === excluded)
      .map(({ name }): Condition => ({ term: TERMS.site(name) })),
  ]

  const occurring = groups.map((group) => groupIn(group, EVERYWHERE))
  const wanted = allOf([...occurring, ...named(false)])
  const unwanted = [...excludedGroups.map((group) => groupIn(group, EVERYWHERE)), ...named(true)]
  const found: Condition = unwanted.length === 0 ? wanted : { these: wanted, but: anyOf(unwanted) }
  const phrases = phraseGroups.map((words) => allOf(words.map((word) => groupIn(word, EVERYWHERE))))
  const buckets = (): readonly [Condition, ...Condition[]] => {
    if (groups.length === 0) return [found]
    const every = (places: readonly Place[], whole = false) =>
      allOf(groups.map((group) => groupIn(group, places, whole)))
    const some = (places: readonly Place[]) =>
      allOf([anyOf(groups.map((group) => groupIn(group, places))), found])
    const all = [
      every(['title'], true),
      every(['title']),
      every(['title', 'tags']),
      ...(groups.length > 1 ? [some(['title']), some(['title', 'tags'])] : []),
      every(['often'], true),
      every(['text'], true),
      every(['text']),
    ]
    // An item in a bucket of plain words is a match; other clauses have to be part of the condition of each bucket.
    const isPlain = clauses.every(({ kind, excluded }) => kind === 'word' && !excluded)
    const [first = found, ...others] = distinct([
      ...(isPlain ? all : all.map((bucket) => allOf([bucket, found]))),
      found,
    ])
    return [first, ...others]
  }
  return { found, buckets, groups: occurring, suspected: allOf([anyOf(phrases), found]) }
}

/** Adds a condition to each of the conditions. */
export const within = (
  also: Condition,
  { found, buckets, groups, suspected }: QueryConditions,
): QueryConditions => {
  const both = (condition: Condition): Condition => ({ all: [condition, also] })
  return {
    found: both(found),
    buckets: () => {
      const [first, ...others] = buckets()
      return [both(first), ...others.map(both)]
    },
    groups: groups.map(both),
    suspected: both(suspected),
  }
}

export const taggedWith = (id: string): Condition => ({ term: TERMS.tag(id) })

/** Any of the conditions; of none, a condition that no item meets. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const [first, ...more] = conditions
  if (!first) return { term: TERMS.none }
  return more.length === 0 ? first : { any: [first, ...more] }
}

/** All of the conditions; of none, a condition that every item meets. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [first, ...more] = conditions
  if (!first) return { term: TERMS.every }
  return more.length === 0 ? first : { all: [first, ...more] }
}

const distinct = (conditions: readonly Condition[]): Condition[] => [
  ...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values(),
]

/** For each tag that an operator names, the ids of the owner's tags. */
function tagsByName(query: Query, tags: readonly Tag[]): Map<string, string[]> {
  const ids = new Map<string, string[]>(query.tags.map(({ name }) => [name, []]))
  if (ids.size > 0) for (const { id, name } of tags) ids.get(tagKey(name))?.push(id)
  return ids
}

/**
 * Most tags in a condition besides those named by operators: with ten thousand the index takes seconds. If the words of a
 * query occur in more tags, each word uses the first of its tags.
 */
const MAX_TAGS = 1_000

/** The ids of the tags in whose names each term occurs: as a whole word, and also as a prefix. */
function tagsByTerm(terms: readonly QueryTerm[], tags: readonly Tag[]) {
  const all = terms.map((term) => ({ term, whole: new Set<string>(), any: new Set<string>() }))
  const { byStem, forms } = namesOf(tags)
  for (const { term, whole, any } of all) {
    for (const id of term.stems.flatMap((stem) => byStem.get(stem) ?? [])) {
      whole.add(id)
      any.add(id)
    }
    if (term.prefix) for (const { form, id } of forms) if (form.startsWith(term.form)) any.add(id)
  }
  const isTooMany = all.reduce((sum, { any }) => sum + any.size, 0) > MAX_TAGS
  // Sorted, so that all conditions on a word omit the same tags.
  const limited = (ids: Set<string>) =>
    isTooMany ? [...ids].sort().slice(0, Math.ceil(MAX_TAGS / terms.length)) : [...ids]
  return new Map(all.map(({ term, whole, any }) => [term, { whole: limited(whole), any: limited(any) }]))
}

interface Names {
  /** The ids of the tags in whose names each stem occurs. */
  readonly byStem: ReadonlyMap<string, readonly string[]>
  /** All words of the names. */
  readonly forms: readonly { readonly form: string; readonly id: string }[]
}

const names = new WeakMap<readonly Tag[], Names>()

/** The words of the names, gathered once for all that one search looks up. */
function namesOf(tags: readonly Tag[]): Names {
  const known = names.get(tags)
  if (known) return known
  const byStem = new Map<string, string[]>()
  const forms = tags.flatMap(({ id, name }) =>
    wordsInName(name).map(({ form, stems }) => {
      for (const stem of stems) {
        const ids = byStem.get(stem)
        if (ids) ids.push(id)
        else byStem.set(stem, [id])
      }
      return { form, id }
    }),
  )
  const gathered = { byStem, forms }
  names.set(tags, gathered)
  return gathered
}

interface NameWord {
  readonly form: string
  readonly stems: readonly string[]
}

/** Caches the words of tag names, which every search reads. */
const cache = new Map<string, readonly NameWord[]>()
const MAX_CACHED = 50_000

function wordsInName(name: string): readonly NameWord[] {
  const known = cache.get(name)
  if (known) return known
  const words = [...tokenGroups(name)].flatMap(formsOf).map((form) => ({ form, stems: stemsOf(form) }))
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(name, words)
  return words
}

/** An item that is in no index: its index terms without those of tags, separated by spaces, and its tags. */
export interface UnindexedItem {
  readonly terms: string
  readonly tags: readonly Tag[]
}

/** Items among which a query finds the same as the index would, besides phrases. Takes some 10 µs an item. */
export function matchingDocuments<Item extends UnindexedItem>(query: Query, items: readonly Item[]): Item[] {
  const tags = new Map(items.flatMap((item) => item.tags.map((tag) => [tag.id, tag])))
  const { found } = conditionsOf(query, [...tags.values()])
  return items.filter((item) => {
    const terms = [...listOf(item.terms), ...item.tags.map(({ id }) => TERMS.tag(id))]
    const known = new Set(terms)
    return evaluate(
      found,
      ({ term, prefix = false }) =>
        known.has(term) || (prefix && terms.some((each) => each.startsWith(term))),
    )
  })
}

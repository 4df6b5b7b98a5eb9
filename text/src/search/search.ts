import { excerptAround } from '../excerpt.ts'
import { highlights, type Range } from '../highlight.ts'
import { stemOf } from '../stems.ts'
import { wordsOf } from '../tokenize.ts'
import { allOf, conditionsOf, taggedWith } from './conditions.ts'
import {
  type CountAndPage,
  type Counts,
  type Form,
  type IndexReader,
  ITEM_KINDS,
  type ItemKind,
  type Sort,
} from './index-reader.ts'
import {
  completionsOf,
  eachKind,
  findMatches,
  type Ids,
  type Matches,
  pageOf,
  type Scope,
  sortedPageOf,
} from './match.ts'
import { findPartial } from './partial.ts'
import {
  asWholeWords,
  isStop,
  NO_QUERY,
  parseQuery,
  type Query,
  type QueryGroup,
  queryOf,
  signsIn,
  termsOf,
  textOf,
  withoutStopWords,
} from './query.ts'
import { createMatcher, type RankedTexts } from './ranking.ts'
import {
  alternativesBy,
  correctedIn,
  createLookup,
  retypedIn,
  spellingCorrections,
  suggest,
  type Typed,
} from './suggest.ts'

export interface SearchRequest {
  /** The query as typed. */
  readonly text: string
  /** Set: a query that finds nothing is neither replaced by a suggestion nor matched in part. */
  readonly exact: boolean
  readonly kinds: readonly ItemKind[]
  /** Only items with this tag. */
  readonly tag_id?: string | undefined
  /** Only items without any tag. */
  readonly untagged?: boolean | undefined
  /** Another order than the best first. */
  readonly sort?: Sort | undefined
  readonly limit: number
  readonly offset: number
  /** Characters of an excerpt. Without it there are neither excerpts nor highlights. */
  readonly excerptLength?: number | undefined
}

/** Ranges of the matching words, in any form. Tags without a match are left out. */
interface Highlights {
  readonly title: Range[]
  readonly excerpt: Range[]
  readonly tags: { readonly name: string; readonly ranges: Range[] }[]
}

interface Excerpt {
  /** The text around the first match. */
  readonly excerpt: string
  readonly highlights: Highlights
}

/** A page of search results. */
export interface SearchResult {
  readonly counts: Counts
  /** Ids of the page, best first or in the requested order. */
  readonly ids: Ids
  /** Excerpts by item id, if they were requested. */
  readonly excerpts: ReadonlyMap<string, Excerpt>
  /** The suggestion that was searched for instead: the other keyboard layout, or a spelling correction. */
  readonly corrected?: { readonly query: string }
  /** Set: no item matches the query; these have the most and rarest of its words. */
  readonly partial?: true
}

/** Searches items: parse, match; where nothing matches suggest, then match in part; rank, highlight. */
export const search = (index: IndexReader, request: SearchRequest): Promise<SearchResult> =>
  searchWith(index, request, { rereads: true })

/**
 * `rereads`: whether words may be read in the other keyboard layout or corrected one by one, for which the query is searched
 * again.
 */
async function searchWith(
  index: IndexReader,
  request: SearchRequest,
  { rereads }: { rereads: boolean },
): Promise<SearchResult> {
  const query = parseQuery(request.text)
  if (!query) return withSigns(index, request)
  const tags = await index.tags()
  const scope: Scope = { ...request, index, tags, completed: new Map() }
  const literal = await findMatches(scope, query)
  if (request.exact || isFound(scope, literal)) return resultOf(scope, literal, request)
  let ofTags: Form[] | undefined
  const tagForms = () => {
    const forms = () => [...new Set(tags.flatMap(({ name }) => wordsOf(name)))]
    ofTags ??= forms().map((form) => ({ form, stem: stemOf(form) }))
    return ofTags
  }
  const lookup = createLookup((words) => occurring(scope, words))
  const whole = wholeScope(scope)
  /** Whether an item of the account has all words, though not as a phrase, or without the tag, or an excluded word as well. */
  const isElsewhere = async (other: Query) => {
    const words = wordsOnly(other)
    const isNew =
      whole !== undefined || other.clauses.some(({ kind, excluded }) => kind !== 'word' || excluded)
    return words !== undefined && isNew && isFound(whole ?? scope, await findMatches(whole ?? scope, words))
  }
  // That no item has all words is said of the whole account.
  const findInPart = async (other: Query) => {
    const partial = await findPartial(scope, other)
    return partial && !(await isElsewhere(other)) ? partial : undefined
  }
  let inPart: ReturnType<typeof findPartial> | undefined
  const findQueryInPart = () => {
    inPart ??= findInPart(query)
    return inPart
  }
  const withAllMeaning = await findAllMeaning(scope, query, findQueryInPart)
  if (withAllMeaning) return resultOf(scope, withAllMeaning, request)
  const correctedOf = alternativesBy((word) => spellingCorrections(index, { word, tagForms }))
  const suggestion = await suggest(query, {
    async find(other) {
      const matches = await findMatches(scope, other)
      return isFound(scope, matches) ? matches : undefined
    },
    findAllMeaning: (other) => findAllMeaning(scope, other, () => findInPart(other)),
    lookup,
    correctedOf,
  })
  if (suggestion)
    return {
      ...(await resultOf(scope, suggestion.found, request)),
      corrected: { query: suggestion.text },
    }
  const foundAs = async (read: Query | undefined): Promise<SearchResult | undefined> => {
    if (!read) return undefined
    const text = textOf(read.clauses)
    const result = await searchWith(index, { ...request, text }, { rereads: false })
    return isFound(scope, result) ? { corrected: { query: text }, ...result } : undefined
  }
  const retyped = rereads ? await foundAs(await retypedIn(query, lookup)) : undefined
  if (retyped) return retyped
  const partial = await findQueryInPart()
  if (partial) return resultOf(scope, partial, request)
  const corrected = rereads ? await foundAs(await correctedIn(query, { lookup, correctedOf })) : undefined
  // Words that another list has are not corrected for this one.
  const isRightElsewhere = async () =>
    whole !== undefined && ((await isElsewhere(query)) || (await findPartial(whole, query)) !== undefined)
  return corrected && !(await isRightElsewhere()) ? corrected : resultOf(scope, literal, request)
}

/** The words that a query asks for, those of phrases too. */
const wordsOnly = ({ clauses }: Query): Query | undefined =>
  queryOf(
    clauses
      .filter(({ kind, excluded }) => !excluded && (kind === 'word' || kind === 'phrase'))
      .flatMap((clause) =>
        clause.kind === 'word'
          ? [clause]
          : wordsOf(clause.text).map((text) => ({ ...clause, kind: 'word' as const, text })),
      ),
  )

/** All items of the account; undefined where the search is not limited to some of them. */
function wholeScope(scope: Scope): Scope | undefined {
  const { kinds, tag_id, untagged } = scope
  const isLimited = kinds.length < ITEM_KINDS.length || tag_id !== undefined || untagged
  return isLimited
    ? { ...scope, kinds: ITEM_KINDS, tag_id: undefined, untagged: undefined, completed: new Map() }
    : undefined
}

/** Partial matches if one of them lacks nothing but stop words: to correct the other words would find something else. */
async function findAllMeaning(
  scope: Scope,
  query: Query,
  findInPart: () => ReturnType<typeof findPartial>,
): Promise<Matches | undefined> {
  const meaning = withoutStopWords(query)
  if (!meaning) return undefined
  const { index, tags, tag_id, kinds } = scope
  const { found } = conditionsOf(meaning, tags, await completionsOf(scope, meaning.groups))
  const condition = allOf([found, ...(tag_id === undefined ? [] : [taggedWith(tag_id)])])
  const { counts } = await index.countAndFirst(condition, 0)
  const partial = kinds.some((kind) => counts[kind] > 0) ? await findInPart() : undefined
  return partial?.isComplete ? partial : undefined
}

/** Searches the titles for signs. */
async function withSigns(index: IndexReader, { kinds, ...request }: SearchRequest): Promise<SearchResult> {
  const signs = signsIn(request.text)
  if (signs === undefined) throw new Error('The text holds nothing to search for.')
  const { tag_id, untagged, sort = 'created', limit, offset, excerptLength } = request
  const found = async (kind: ItemKind): Promise<CountAndPage> =>
    kinds.includes(kind)
      ? await index.titlesWith({ kind, signs, tag_id, untagged, sort, limit, offset })
      : { count: 0, ids: [] }
  const pages = { note: await found('note'), link: await found('link') }
  const ids = eachKind((kind) => pages[kind].ids)
  const shown = excerptLength === undefined ? [] : await index.items(ITEM_KINDS.flatMap((kind) => ids[kind]))
  const excerptOf = excerptsWithSigns(signs, excerptLength ?? 0)
  const excerpts = shown.map((item): [string, Excerpt] => [item.id, excerptOf(item)])
  return {
    counts: eachKind((kind) => pages[kind].count),
    ids,
    excerpts: new Map(excerpts),
  }
}

const excerptsWithSigns =
  (signs: string, length: number) =>
  ({ title, body }: Pick<RankedTexts, 'title' | 'body'>): Excerpt => ({
    excerpt: excerptAround(body, length, () => false),
    highlights: { title: [...placesOf(signs, title)], excerpt: [], tags: [] },
  })

function* placesOf(signs: string, title: string): Generator<Range> {
  for (let start = title.indexOf(signs); start >= 0; start = title.indexOf(signs, start + signs.length))
    yield [start, start + signs.length]
}

/** A word of a query and its token groups, several where it is written with signs between. */
interface LookedUp {
  readonly word: Typed
  readonly groups: readonly QueryGroup[]
}

/** The longest token of a word, the rarest most often: without it the word is not found, joined or not. */
function longestToken(groups: readonly QueryGroup[]): readonly QueryGroup[] {
  const lengthOf = (group: QueryGroup) => Math.max(...termsOf(group).map(({ form }) => form.length))
  return groups
    .toSorted((one, other) => lengthOf(other) - lengthOf(one))
    .slice(0, 1)
    .map(({ terms, joined }) => ({
      terms: terms.toSorted((one, other) => other.form.length - one.form.length).slice(0, 1),
      joined,
    }))
}

const isOneToken = ({ groups }: LookedUp): boolean =>
  groups.length <= 1 && groups.every(({ terms }) => terms.length <= 1)

/** Whether each word is found alone. Stop words count as found: most items have them, and to look at all of these is slow. */
async function occurring(scope: Scope, words: readonly Typed[]): Promise<boolean[]> {
  const { index, tags, tag_id } = scope
  const lookedUp = words.flatMap((word): LookedUp[] => {
    if (isStop(word.clause)) return []
    const groups = queryOf([word.clause])?.groups ?? []
    return [{ word, groups: word.isLast ? groups : groups.map(asWholeWords) }]
  })
  const completions = await completionsOf(
    scope,
    lookedUp.flatMap(({ groups }) => groups),
  )
  const ofTag = tag_id === undefined ? [] : [taggedWith(tag_id)]
  const found = async (some: readonly LookedUp[]): Promise<boolean[]> => {
    if (some.length === 0) return []
    const groups = some.flatMap((one) => one.groups)
    const conditions = conditionsOf({ ...NO_QUERY, groups }, tags, completions).groups
    let at = 0
    const wholes = some.map(({ groups: { length } }) => {
      const own = conditions.slice(at, at + length)
      at += length
      return allOf([...own, ...ofTag])
    })
    return (await index.frequencies(wholes, 1)).map((count) => count !== 0)
  }
  // A word in the other layout is often several: to look for common letters together costs more than for a rare word.
  const areLikely = await found(lookedUp.map(({ word, groups }) => ({ word, groups: longestToken(groups) })))
  const likely = lookedUp.filter((_, at) => areLikely[at])
  const several = likely.filter((one) => !isOneToken(one))
  const areFound = await found(several)
  const missing = new Set(several.filter((_, at) => !areFound[at]))
  const known = new Set(likely.filter((one) => !missing.has(one)).map(({ word }) => word))
  return words.map((word) => isStop(word.clause) || known.has(word))
}

const isFound = ({ kinds }: Scope, { counts }: Pick<Matches, 'counts'>): boolean =>
  kinds.some((kind) => counts[kind] > 0)

async function resultOf(scope: Scope, matches: Matches, request: SearchRequest): Promise<SearchResult> {
  const { sort } = request
  const { ids, items } = sort
    ? { ids: await sortedPageOf(scope, matches, { ...request, sort }), items: [] }
    : await pageOf(scope, matches, request)
  const page = { counts: matches.counts, ids, ...(matches.partial && { partial: matches.partial }) }
  if (request.excerptLength === undefined) return { ...page, excerpts: new Map() }
  const known = new Map(items.map((item) => [item.id, item]))
  const shown = ITEM_KINDS.flatMap((kind) => ids[kind])
  const unread = shown.filter((id) => !known.has(id))
  const read = unread.length > 0 ? await scope.index.items(unread) : []
  for (const item of read) known.set(item.id, item)
  const excerptOf = excerptsFor(matches.query, request.excerptLength)
  const excerpts = shown.flatMap((id) => {
    const item = known.get(id)
    return item ? [[id, excerptOf(item)] as const] : []
  })
  return { ...page, excerpts: new Map(excerpts) }
}

/** The texts of an item in which matches are marked. */
type Shown = Pick<RankedTexts, 'title' | 'body' | 'tags'>

/** The excerpt and the highlights of what a text finds, for what is looked through without an index. */
export function excerptsOf(text: string, length: number): (found: Shown) => Excerpt {
  const query = parseQuery(text)
  return query ? excerptsFor(query, length) : excerptsWithSigns(signsIn(text) ?? '', length)
}

function excerptsFor(query: Query, length: number) {
  const matcher = createMatcher(query)
  const isMatch = (form: string): boolean => matcher(form) !== undefined
  const rangesIn = (text: string) => [...highlights(text, isMatch)]
  return ({ title, body, tags }: Shown): Excerpt => {
    const excerpt = excerptAround(body, length, isMatch)
    const inTags = tags.toSorted().map((name) => ({ name, ranges: rangesIn(name) }))
    return {
      excerpt,
      highlights: {
        title: rangesIn(title),
        excerpt: rangesIn(excerpt),
        tags: inTags.filter(({ ranges }) => ranges.length > 0),
      },
    }
  }
}

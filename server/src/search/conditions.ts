import { readingsOf } from '@kopilka/text/stems.ts'
import { eachRunOf, foldedOf } from '@kopilka/text/tokenize.ts'
import type { Condition, Form } from './index.ts'
import { type AskedRun, type AskedWord, type Query, tagKey, wordsOf } from './query.ts'
import { TRAITS } from './terms.ts'

/** What a query means for one owner. */
export interface Sought {
  readonly query: Query
  /** For each tag that an operator names the ids of the owner's tags. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** For each word the ids of the tags whose names hold it: as a whole word, and at all. */
  readonly tagged: ReadonlyMap<AskedWord, { readonly whole: string[]; readonly any: string[] }>
  /** Words that begin as the last word does, or its joined form, although their stems do not. */
  readonly completions: readonly Form[]
}

interface Tag {
  readonly id: string
  readonly name: string
}

/**
 * Tags that a query asks for besides those it names: with ten thousand in a question the index is at it for seconds.
 * Where its words stand in the names of more, each is looked for in the first of them.
 */
const MOST_TAGS = 1_000

/** `tags`: all of the owner. */
export function soughtOf(query: Query, tags: readonly Tag[], completions: readonly Form[]): Sought {
  const words = [...query.runs, ...query.without].flatMap(wordsOf)
  const held = tagsHolding(words, tags)
  const isTooMany = held.reduce((sum, { any }) => sum + any.size, 0) > MOST_TAGS
  const most = Math.ceil(MOST_TAGS / words.length)
  // By their ids, so that every question about the same word leaves out the same.
  const askedFor = (ids: Set<string>) => (isTooMany ? [...ids].sort().slice(0, most) : [...ids])
  return {
    query,
    named: idsNamed(query, tags),
    tagged: new Map(
      held.map(({ word, whole, any }) => [word, { whole: askedFor(whole), any: askedFor(any) }]),
    ),
    completions,
  }
}

/** For each tag that an operator names the ids of the owner's tags. */
function idsNamed(query: Query, tags: readonly Tag[]): Map<string, string[]> {
  const named = new Map<string, string[]>(query.tags.map(({ name }) => [name, []]))
  if (named.size > 0) for (const { id, name } of tags) named.get(tagKey(name))?.push(id)
  return named
}

/** The tags in whose names each of the words stands: as a whole word, and at all. */
function tagsHolding(words: readonly AskedWord[], tags: readonly Tag[]) {
  const held = words.map((word) => ({ word, whole: new Set<string>(), any: new Set<string>() }))
  const beginnings = held.filter(({ word }) => word.beginning)
  const byStem = new Map<string, typeof held>()
  for (const one of held)
    for (const stem of one.word.stems) byStem.set(stem, [...(byStem.get(stem) ?? []), one])
  for (const { id, name } of tags)
    for (const { folded, stems } of wordsIn(name)) {
      for (const { whole, any } of stems.flatMap((stem) => byStem.get(stem) ?? [])) {
        whole.add(id)
        any.add(id)
      }
      for (const { word, any } of beginnings) if (folded.startsWith(word.folded)) any.add(id)
    }
  return held
}

/** Where a word may stand. */
type Place = 'title' | 'tags' | 'often' | 'text' | 'address'

const EVERYWHERE: readonly Place[] = ['text', 'address', 'tags']
const NOTHING: Condition = { trait: TRAITS.none }

/** None of `conditions` is the same as one that never holds, and all of none as one that always does. */
function anyOf(conditions: readonly Condition[]): Condition {
  const [first, ...more] = conditions
  if (!first) return NOTHING
  return more.length === 0 ? first : { any: [first, ...more] }
}

function allOf(conditions: readonly Condition[]): Condition {
  const [first, ...more] = conditions
  if (!first) return { trait: TRAITS.every }
  return more.length === 0 ? first : { all: [first, ...more] }
}

/** What items must meet to be found. */
export function conditionOf(sought: Sought): Condition {
  const { query } = sought
  const named = [...query.tags.map(taggedWith(sought)), ...query.sites.map(onSite)]
  const wanted = [
    ...query.runs.map((run) => runIn(sought, run, EVERYWHERE)),
    ...named.filter(({ without }) => !without).map(({ condition }) => condition),
  ]
  const unwanted = [
    ...query.without.map((run) => runIn(sought, run, EVERYWHERE)),
    ...named.filter(({ without }) => without).map(({ condition }) => condition),
  ]
  const these = allOf(wanted)
  return unwanted.length === 0 ? these : { these, but: anyOf(unwanted) }
}

/**
 * Conditions from the best matches to all. Title over tags over text over address, whole words over beginnings; an item
 * belongs to the first of them that it meets.
 */
export function tiersOf(sought: Sought): Condition[] {
  const { runs, terms } = sought.query
  const found = conditionOf(sought)
  const every = (places: readonly Place[], whole = false) =>
    allOf(runs.map((run) => runIn(sought, run, places, whole)))
  const some = (places: readonly Place[]) =>
    allOf([anyOf(runs.map((run) => runIn(sought, run, places))), found])
  const inTitleOrTags = [every(['title'], true), every(['title']), every(['title', 'tags'])]
  const partly = runs.length > 1 ? [some(['title']), some(['title', 'tags'])] : []
  const inText = [every(['often'], true), every(['text'], true), every(['text'])]
  // What stands in a title is found: only what else was asked for has to be asked again.
  const isPlain = terms.every(({ kind, without }) => kind === 'word' && !without)
  const tiers = [...inTitleOrTags, ...partly, ...inText]
  return runs.length === 0
    ? [found]
    : unequal([...tiers.map((tier) => (isPlain ? tier : allOf([tier, found]))), found])
}

/** Without those that ask the same as one before. */
const unequal = (conditions: readonly Condition[]): Condition[] => [
  ...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values(),
]

function taggedWith({ named }: Sought) {
  return ({ name, without }: Query['tags'][number]) => ({
    without,
    condition: withTags(named.get(name) ?? []),
  })
}

const withTags = (ids: readonly string[]): Condition => anyOf(ids.map(taggedTrait))

const onSite = ({ name, without }: Query['sites'][number]) => ({
  without,
  condition: { trait: TRAITS.site(name) } satisfies Condition,
})

function runIn(
  sought: Sought,
  { words, joined }: AskedRun,
  places: readonly Place[],
  whole = false,
): Condition {
  const inPlaces = (word: AskedWord) => anyOf(places.flatMap((place) => wordIn(sought, word, place, whole)))
  const apart = words.length > 0 ? [allOf(words.map(inPlaces))] : []
  return anyOf([...apart, ...(joined === undefined ? [] : [inPlaces(joined)])])
}

/** `whole`: not as the beginning of another word. */
function wordIn(sought: Sought, word: AskedWord, place: Place, whole: boolean): Condition[] {
  if (place === 'tags') return (sought.tagged.get(word)?.[whole ? 'whole' : 'any'] ?? []).map(taggedTrait)
  const trait = TRAITS[place]
  const traits = (stems: Iterable<string>) => [...stems].map((stem) => ({ trait: trait(stem) }))
  if (!word.beginning || whole) return traits(word.stems)
  const completed = sought.completions.filter(({ form }) => form.startsWith(word.folded))
  const stems = [...word.stems, ...completed.map(({ stem }) => stem)].sort()
  const others = new Set(stems.filter((stem) => !stem.startsWith(word.folded)))
  return [{ trait: trait(word.folded), beginning: true }, ...traits(others)]
}

const taggedTrait = (id: string): Condition => ({ trait: TRAITS.tag(id) })

interface TagWord {
  readonly folded: string
  readonly stems: readonly string[]
}

/** Names of tags come again with every search. */
const known = new Map<string, readonly TagWord[]>()
const MOST_KNOWN = 50_000

function wordsIn(name: string): readonly TagWord[] {
  const before = known.get(name)
  if (before) return before
  const words = [...eachRunOf(name)]
    .flatMap(foldedOf)
    .map((folded) => ({ folded, stems: readingsOf(folded) }))
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, words)
  return words
}

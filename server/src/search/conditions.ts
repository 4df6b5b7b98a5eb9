import { TRAITS } from './entries.ts'
import type { Condition } from './index.ts'
import { type AskedRun, type AskedWord, type Query, tagKey, wordsOf } from './query.ts'
import { stemOf } from './stems.ts'
import { eachRunOf, foldedOf } from './words.ts'

/** What a query means for one owner. */
export interface Sought {
  readonly query: Query
  /** For each tag that an operator names the ids of the owner's tags. */
  readonly named: ReadonlyMap<string, readonly string[]>
  /** For each word the ids of the tags whose names hold it: as a whole word, and at all. */
  readonly tagged: ReadonlyMap<AskedWord, { readonly whole: string[]; readonly any: string[] }>
  /** Stems of words that begin as the last word does, although the stems themselves do not. */
  readonly completions: readonly string[]
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
export function soughtOf(query: Query, tags: readonly Tag[], completions: readonly string[]): Sought {
  const holding = tagsByWords(tags)
  const words = [...query.runs, ...query.without].flatMap(wordsOf)
  const held = words.map((word) => ({ word, whole: holding(word, true), any: holding(word, false) }))
  const isTooMany = held.reduce((sum, { any }) => sum + any.length, 0) > MOST_TAGS
  const most = Math.ceil(MOST_TAGS / words.length)
  // By their ids, so that every question about the same word leaves out the same.
  const askedFor = (ids: string[]) => (isTooMany ? ids.toSorted().slice(0, most) : ids)
  const idsOf = (name: string) => tags.filter((tag) => tagKey(tag.name) === name).map(({ id }) => id)
  return {
    query,
    named: new Map(query.tags.map(({ name }) => [name, idsOf(name)])),
    tagged: new Map(
      held.map(({ word, whole, any }) => [word, { whole: askedFor(whole), any: askedFor(any) }]),
    ),
    completions,
  }
}

/** Tells in the names of which tags a word stands. */
function tagsByWords(tags: readonly Tag[]) {
  const folded = tags.map(({ id, name }) => ({ id, words: foldedIn(name) }))
  const byStem = new Map<string, Set<string>>()
  for (const { id, words } of folded) {
    for (const stem of words.map(stemOf)) {
      const ids = byStem.get(stem)
      if (ids) ids.add(id)
      else byStem.set(stem, new Set([id]))
    }
  }
  return ({ stems, folded: asked, beginning }: AskedWord, whole: boolean): string[] => {
    const ids = new Set(stems.flatMap((stem) => [...(byStem.get(stem) ?? [])]))
    if (!beginning || whole) return [...ids]
    const begun = folded.filter(({ words }) => words.some((word) => word.startsWith(asked)))
    return [...new Set([...ids, ...begun.map(({ id }) => id)])]
  }
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
    : [...tiers.map((tier) => (isPlain ? tier : allOf([tier, found]))), found]
}

/** Those of a tier that belong to none before it. */
export const beyond = (tier: Condition, before: readonly Condition[]): Condition =>
  before.length === 0 ? tier : { these: tier, but: anyOf(before) }

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
  const stems = word.stems.map((stem) => ({ trait: trait(stem) }))
  if (!word.beginning || whole) return stems
  const completions = sought.completions.filter((stem) => !word.stems.includes(stem))
  return [
    ...stems,
    { trait: trait(word.folded), beginning: true },
    ...completions.map((stem) => ({ trait: trait(stem) })),
  ]
}

const taggedTrait = (id: string): Condition => ({ trait: TRAITS.tag(id) })

/** Whether a word of a text is what was asked for, in any form. */
export const asksFor = (
  { stems, folded: asked, beginning }: AskedWord,
  folded: string,
  whole = false,
): boolean => stems.includes(stemOf(folded)) || (beginning && !whole && folded.startsWith(asked))

/** Names of tags come again with every search. */
const known = new Map<string, readonly string[]>()
const MOST_KNOWN = 10_000

function foldedIn(name: string): readonly string[] {
  const before = known.get(name)
  if (before) return before
  const folded = [...eachRunOf(name)].flatMap(foldedOf)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, folded)
  return folded
}

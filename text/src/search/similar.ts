import { stemsOf } from '../stems.ts'
import { isStopWord } from '../stop-words.ts'
import { wordsOf } from '../tokenize.ts'
import type { Condition } from './condition.ts'
import { anyOf, taggedWith } from './conditions.ts'
import { type Found, type FoundItem, type IndexReader, sumOf } from './index-reader.ts'
import { commonIn, inverseFrequency } from './partial.ts'
import { TERMS } from './terms.ts'

/** Words of an item by which others are found, those of its title beside its text, and its tags. */
const MAX_WORDS = 8
/** Words that are counted where too few of the first are in other items, but not in many. */
const MORE_WORDS = 16
const MAX_OF_TITLE = 5
const MAX_TAGS = 4
/** Shorter words, and numbers of fewer digits, say little. */
const SHORTEST = 3
/** A word of the title says more than one of the text, or a tag. */
const TITLE_WEIGHT = 1.5
const TAG_WEIGHT = 1
/** A word or tag that more items have says little, and to count them costs more than a search for two words. */
const COMMON = 300
/** Items that are compared. */
const MAX_COMPARED = 1_000
/** Another item is alike if it has two of the words or tags at least, and this share of the weights of the heaviest. */
const MIN_SHARED = 2
const MIN_SHARE = 0.1

export interface SimilarRequest {
  readonly id: string
  readonly limit: number
}

/** The items of both kinds that have the most and rarest words and tags in common with an item, most alike first. */
export async function findSimilar(index: IndexReader, { id, limit }: SimilarRequest): Promise<Found[]> {
  const tags = await index.tags()
  const [item] = await index.items([id])
  if (!item) return []
  const items = sumOf(await index.itemCounts())
  const first = wordsToCompare(item)
  const words = await counted(index, first.slice(0, MAX_WORDS))
  if (words.filter(isTelling).length < MIN_SHARED)
    words.push(...(await counted(index, first.slice(MAX_WORDS))))
  const tagIds = tags.flatMap(({ id, name }) => (item.tags.includes(name) ? id : []))
  const tagCounts = await index.tagCounts(tagIds.sort().slice(0, MAX_TAGS))
  const terms = [
    ...words,
    ...tagCounts.map(({ id, count }) => ({ condition: taggedWith(id), factor: TAG_WEIGHT, count })),
  ].map(({ condition, factor, count }) => ({
    ...{ condition, count },
    weight: factor * inverseFrequency(count < COMMON ? count : commonIn(items), items),
  }))
  const heaviest = terms.map(({ weight }) => weight).sort((one, other) => other - one)
  const total = heaviest.slice(0, MAX_WORDS + MAX_TAGS).reduce((sum, weight) => sum + weight, 0)
  let left = MAX_COMPARED
  const rare = terms
    .filter(isTelling)
    .sort((one, other) => one.count - other.count)
    .filter(({ count }) => {
      left -= count
      return left >= 0
    })
  if (rare.length === 0) return []
  const found = await index.conditionsMet(rare.map(({ condition }) => condition))
  return found
    .filter((other) => other.id !== id)
    .map((other) => {
      const shared = rare.filter((_, at) => (other.met & (1 << at)) !== 0)
      return { ...other, count: shared.length, weight: shared.reduce((sum, { weight }) => sum + weight, 0) }
    })
    .filter(({ count, weight }) => count >= MIN_SHARED && weight >= MIN_SHARE * total)
    .sort((one, other) => other.weight - one.weight || other.time - one.time || (one.id < other.id ? 1 : -1))
    .slice(0, limit)
    .map(({ id, kind }) => ({ id, kind }))
}

/** Words with the numbers of items that have them, at most {@link COMMON}. */
async function counted(index: IndexReader, words: readonly Compared[]) {
  const counts = await index.frequencies(
    words.map(({ condition }) => condition),
    COMMON,
  )
  return words.map((word, at) => ({ ...word, count: counts[at] ?? 0 }))
}

/** Whether other items have a word or tag, and not so many that it says little. */
const isTelling = ({ count }: { count: number }): boolean => count > 1 && count < COMMON

interface Compared {
  readonly condition: Condition
  /** How much it counts. */
  readonly factor: number
}

/** Words of the title and of the text: the most frequent, then the longest, which are the rarest most often. */
function wordsToCompare({ title, body }: FoundItem): Compared[] {
  const words = new Map<string, { form: string; count: number; factor: number }>()
  const add = (text: string, factor: number): void => {
    for (const form of wordsOf(text)) {
      if (form.length < SHORTEST || isStopWord(form)) continue
      const [stem] = stemsOf(form)
      const known = words.get(stem) ?? { form, count: 0, factor }
      words.set(stem, { ...known, count: known.count + 1 })
    }
  }
  add(title, TITLE_WEIGHT)
  add(body, 1)
  const inTurn = [...words.values()].sort(
    (one, other) =>
      other.factor - one.factor ||
      other.count - one.count ||
      other.form.length - one.form.length ||
      (one.form < other.form ? -1 : 1),
  )
  const ofTitle = inTurn.filter(({ factor }) => factor === TITLE_WEIGHT)
  const ofText = inTurn.slice(ofTitle.length)
  return [...ofTitle.slice(0, MAX_OF_TITLE), ...ofText, ...ofTitle.slice(MAX_OF_TITLE)]
    .slice(0, MAX_WORDS + MORE_WORDS)
    .map(({ form, factor }) => ({
      condition: anyOf(stemsOf(form).map((stem) => ({ term: TERMS.text(stem) }))),
      factor,
    }))
}

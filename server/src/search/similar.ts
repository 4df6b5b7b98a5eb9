import { stemsOf } from '@kopilka/text/stems.ts'
import { isStopWord } from '@kopilka/text/stop-words.ts'
import { wordsOf } from '@kopilka/text/tokenize.ts'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { anyOf, taggedWith } from './conditions.ts'
import { frequenciesOf, itemCountsOf, sumOf } from './frequencies.ts'
import type { Condition, Found } from './index.ts'
import { searchIndexOf } from './indexes.ts'
import { commonIn, inverseFrequency } from './partial.ts'
import { TERMS } from './terms.ts'
import { type FoundItem, readItems, readTags, SEEN_OF_BODY } from './texts.ts'

/** Words of an item by which others are found, those of its title beside its text, and its tags. */
const MAX_WORDS = 8
const MAX_OF_TITLE = 5
const MAX_TAGS = 4
/** Shorter words, and numbers of fewer digits, say little. */
const SHORTEST = 3
/** A word of the title says more than one of the text, and a tag less. */
const TITLE_WEIGHT = 1.5
const TAG_WEIGHT = 0.5
/** A word or tag that more items have says little, and to count them costs more than a search for two words. */
const COMMON = 300
/** Items that are compared. */
const MAX_COMPARED = 1_000
/** Another item is alike if it has two of the words or tags at least, and this share of their weights. */
const MIN_SHARED = 2
const MIN_SHARE = 0.1

export interface SimilarRequest {
  readonly owner_id: string
  readonly id: string
  readonly limit: number
}

/** The items of both kinds that have the most and rarest words and tags in common with an item, most alike first. */
export async function findSimilar(db: Db, { owner_id, id, limit }: SimilarRequest): Promise<Found[]> {
  const tags = await readTags(db, owner_id)
  const [item] = await readItems(db, tags, { owner_id, ids: [id], length: SEEN_OF_BODY })
  if (!item) return []
  const items = sumOf(await itemCountsOf(db, owner_id))
  const words = wordsToCompare(item)
  const counts = await frequenciesOf(
    db,
    owner_id,
    words.map(({ condition }) => condition),
    COMMON,
  )
  const tagIds = tags.flatMap(({ id, name }) => (item.tags.includes(name) ? id : []))
  const tagCounts = await countsOfTags(db, { owner_id, ids: tagIds.sort().slice(0, MAX_TAGS) })
  const terms = [
    ...words.map(({ condition, factor }, at) => ({ condition, factor, counted: counts[at] ?? 0 })),
    ...tagCounts.map(({ id, count }) => ({ condition: taggedWith(id), factor: TAG_WEIGHT, counted: count })),
  ].map(({ condition, factor, counted }) => {
    const count = counted < COMMON ? counted : commonIn(items)
    return { condition, count, weight: factor * inverseFrequency(count, items) }
  })
  const total = terms.reduce((sum, { weight }) => sum + weight, 0)
  let left = MAX_COMPARED
  const rare = terms
    .filter(({ count }) => count > 1 && count < COMMON)
    .sort((one, other) => one.count - other.count)
    .filter(({ count }) => {
      left -= count
      return left >= 0
    })
  if (rare.length === 0) return []
  const found = await searchIndexOf(db).conditionsMet(
    db,
    owner_id,
    rare.map(({ condition }) => condition),
  )
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
    .slice(0, MAX_WORDS)
    .map(({ form, factor }) => ({
      condition: anyOf(stemsOf(form).map((stem) => ({ term: TERMS.text(stem) }))),
      factor,
    }))
}

/** Numbers of items of tags. */
const countsOfTags = statement(
  (_, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
    sql<{ id: string; count: number }>`select id, notes_count + urllinks_count as count from tags
    where owner_id = ${value('owner_id')} and ${value.among('id', 'ids')} order by id`,
)

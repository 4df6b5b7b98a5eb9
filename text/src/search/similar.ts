import { readableAddress } from '../readable-address.ts'
import { isInfinitive, stemsOf } from '../stems.ts'
import { isStopWord } from '../stop-words.ts'
import { wordsOf } from '../tokenize.ts'
import type { Condition } from './condition.ts'
import { anyOf, taggedWith } from './conditions.ts'
import { type Found, type FoundItem, type IndexReader, newestFirst, sumOf } from './index-reader.ts'
import { commonIn, inverseFrequency } from './partial.ts'
import { TERMS } from './terms.ts'

/** Words and tags of an item by which others are found: the rarest of all its tags and of the words that are counted. */
const [MAX_WORDS, MAX_TAGS] = [8, 4]
const MAX_COUNTED = 24
/** Of these, words of the title and the most frequent ones of the text; the others are its longest, the rarest most often. */
const [MAX_OF_TITLE, MAX_FREQUENT] = [5, 9]
/** Shorter words, and numbers of fewer digits, say little. */
const SHORTEST = 3
/** A word of the title says more than one of the text, or a tag. */
const TITLE_WEIGHT = 1.5
const TAG_WEIGHT = 1
/** A word or tag that more items have says little, and to count them costs more than a search for two words. */
const COMMON = 300
/** In a small account also what is in more than this number of items and in more than this share of them says little. */
const [FEW, MOST_SHARE] = [20, 3 / 4]
/** Items that are compared. */
const MAX_COMPARED = 1_000
/**
 * Another item is alike if it has two of the words or tags at least, and this share of the weights of the heaviest: of what people
 * write about different things two accidental words are up to a sixth.
 */
const MIN_SHARED = 2
const MIN_SHARE = 0.2
/** The same where two of them are tags: somebody has chosen these. */
const MIN_SHARE_WITH_TAGS = 0.1
/** One word or tag is enough with this share: there is hardly another. */
const MIN_SHARE_OF_ONE = 0.6

/** Numerals, times and units stand in texts about anything: two that name the same month and as many metres are not alike. */
const MEASURES = new Set(
  wordsOf(`
    один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать
    шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят
    девяносто сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот тысяча миллион миллиард
    двое трое четверо двух трех четырех двумя тремя двумстам сотня десяток пара половина полтора полторы треть четверть
    первый второй третий четвертый пятый шестой седьмой восьмой девятый десятый раз часть номер штука
    год лет месяц неделя день дней сутки час минута секунда век утро вечер ночь полдень сегодня завтра вчера
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь
    понедельник вторник среда четверг пятница суббота воскресенье
    метр сантиметр миллиметр километр грамм килограмм тонна литр градус процент рубль копейка доллар евро
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half third quarter dozen
    first second fourth fifth sixth seventh eighth ninth tenth once twice time part number
    year month week day hour minute century morning evening night noon today tomorrow yesterday
    january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    metre meter centimetre centimeter kilometre kilometer mile inch feet gram kilogram pound litre liter degree percent euro dollar
  `).map((form) => stemsOf(form)[0]),
)

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
  const weighed = <Term extends { factor: number; count: number }>(term: Term) => ({
    ...term,
    weight: term.factor * inverseFrequency(term.count < COMMON ? term.count : commonIn(items), items),
  })
  const words = (await counted(index, wordsToCount(item)))
    .map((word) => ({ ...weighed(word), isTag: false }))
    .sort(byWeight)
  const names = new Map(tags.flatMap(({ id, name }) => (item.tags.includes(name) ? [[id, name]] : [])))
  const ofTags = (await index.tagCounts([...names.keys()]))
    .map(({ id, count }) => ({
      ...weighed({ condition: taggedWith(id), factor: TAG_WEIGHT, count }),
      isTag: true,
      name: names.get(id) ?? id,
    }))
    // Not by their ids, which say nothing: the same tags are of another order in another account.
    .sort((one, other) => byWeight(one, other) || (one.name < other.name ? -1 : 1))
  const heaviest = [...words.slice(0, MAX_WORDS), ...ofTags.slice(0, MAX_TAGS)]
  const total = heaviest.reduce((sum, { weight }) => sum + weight, 0)
  let left = MAX_COMPARED
  const telling = [
    ...words.filter(isTelling(items)).slice(0, MAX_WORDS),
    ...ofTags.filter(isTelling(items)).slice(0, MAX_TAGS),
  ]
  const rare = telling
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
      const weight = shared.reduce((sum, { weight }) => sum + weight, 0)
      return { ...other, isAlike: weight >= minShareOf(shared) * total, weight }
    })
    .filter(({ isAlike }) => isAlike)
    .sort((one, other) => other.weight - one.weight || newestFirst(one, other))
    .slice(0, limit)
    .map(({ id, kind }) => ({ id, kind }))
}

function minShareOf(shared: readonly { isTag: boolean }[]): number {
  if (shared.length < MIN_SHARED) return MIN_SHARE_OF_ONE
  return shared.filter(({ isTag }) => isTag).length < MIN_SHARED ? MIN_SHARE : MIN_SHARE_WITH_TAGS
}

/** Words with the numbers of items that have them, at most {@link COMMON}. */
async function counted(index: IndexReader, words: readonly Compared[]) {
  const counts = await index.frequencies(
    words.map(({ condition }) => condition),
    COMMON,
  )
  return words.map((word, at) => ({ ...word, count: counts[at] ?? 0 }))
}

const byWeight = (one: { weight: number }, other: { weight: number }): number => other.weight - one.weight

/** Whether other items have a word or tag, and not so many of all that it says little. */
const isTelling =
  (items: number) =>
  ({ count }: { count: number }): boolean =>
    count > 1 && count < COMMON && count <= Math.max(FEW, items * MOST_SHARE)

interface Compared {
  readonly condition: Condition
  /** How much it counts. */
  readonly factor: number
}

interface Word {
  readonly form: string
  readonly count: number
  readonly factor: number
}

const mostFrequent = (one: Word, other: Word): number => other.count - one.count || longest(one, other)

const longest = (one: Word, other: Word): number =>
  other.form.length - one.form.length || (one.form < other.form ? -1 : 1)

/**
 * The words of an item among which the rarest are found by counting: all of a short one, and of a long one those of its
 * title, the most frequent and the longest.
 */
function wordsToCount({ title, body, address }: FoundItem): Compared[] {
  const words = new Map<string, Word>()
  const add = (text: string, factor: number): void => {
    for (const form of wordsOf(text)) {
      if (form.length < SHORTEST || isStopWord(form)) continue
      const [stem] = stemsOf(form)
      if (MEASURES.has(stem)) continue
      const known = words.get(stem) ?? { form, count: 0, factor }
      words.set(stem, { ...known, count: known.count + 1 })
    }
  }
  // A link without a title is called by its address, which says nothing of what it is about.
  if (address === '' || readableAddress(title) !== address) add(title, TITLE_WEIGHT)
  add(body, 1)
  const all = [...words.values()].sort(mostFrequent)
  const ofTitle = all.filter(({ factor }) => factor === TITLE_WEIGHT)
  const ofText = all.filter(({ factor }) => factor !== TITLE_WEIGHT)
  return [
    ...ofTitle.slice(0, MAX_OF_TITLE),
    ...ofText.slice(0, MAX_FREQUENT),
    ...ofText.slice(MAX_FREQUENT).sort(longest),
    ...ofTitle.slice(MAX_OF_TITLE),
  ]
    .slice(0, MAX_COUNTED)
    .map(({ form, factor }) => {
      // Forms of one verb ('gives', 'gave') say little of what a text is about.
      const stems = stemsOf(form).filter((stem, at) => at === 0 || !isInfinitive(stem))
      return { condition: anyOf(stems.map((stem) => ({ term: TERMS.text(stem) }))), factor }
    })
}

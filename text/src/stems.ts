import snowball from 'snowball-stemmers'
import { ENGLISH_FORMS } from './irregular-english.ts'
import { NOUNS } from './irregular-nouns.ts'
import { infinitivesOf, isNoVerb } from './irregular-verbs.ts'
import { isFunctionWord } from './stop-words.ts'

const RUSSIAN = /^[а-я]+$/
const ENGLISH = /^[a-z]+$/

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')

/** Nouns in which Snowball takes -сь for the ending of a verb: 'запись' and 'записи' would get different stems. */
const IN_PIS = /(?:за|под|над|пере|рос|про|(?:лет|жив|рук|тайн|икон|скор|клин)о|^о)пись$/

/** Fleeting vowels: what replaces the vowel before the last letter of a form without an ending in all other forms. */
const FLEETING: readonly (readonly [vowel: RegExp, otherwise: string])[] = [
  // 'копеек' and 'копейка', 'боец' and 'бойца'
  [/(?<=[аеиоуыэюя])е(?=[кц]$)/, 'й'],
  // 'палец' and 'пальца', 'огонек' and 'огонька'
  [/(?<=л)е(?=[кц]$)|(?<=[нрзс])е(?=к$)/, 'ь'],
  // 'список' and 'списка', 'ложек' and 'ложка', 'конец' and 'конца'
  [/(?<=[бвгджзклмнпрстфхцчшщ])о(?=к$)|(?<=[жчшщ])е(?=к$)|(?<=[бвгджзкмнпрстфхцчшщ])е(?=ц$)/, ''],
  // 'важен' and 'важный', 'силен' and 'сильный', 'спокоен' and 'спокойный'
  [/(?<=[бвгджзкмнпрстфхцчшщ])е(?=н$)/, ''],
  [/(?<=л)е(?=н$)/, 'ь'],
  [/(?<=[аеиоуыэюя])е(?=н$)/, 'й'],
]
/** A noun of which Snowball takes the end of the stem for an ending: 'журнал', 'экраны', 'экзамена', 'систему', 'состав', 'Чехов'. */
const BARE = /^[а-я]{2,}(?:ал(?=[ао]?$)|[ия]л(?=о$)|[ая]н(?=[аы]?$)|ен(?=[аоы]?$)|ем(?=у$)|[аеоыи]в(?=$))/
/** Endings of the singular, and what replaces them in the plural: 'гражданин' and 'граждане', 'котенок' and 'котята'. */
const SINGULAR: readonly (readonly [ending: RegExp, plural: string])[] = [
  [/(?<=[ая]н)ин[ауе]?$|(?<=[ая]н)ином$/, ''],
  [/(?<=[а-я]{2})ен(?:ок|к[ауе]|ком)$/, 'ят'],
  [/(?<=[а-я][жчш])он(?:ок|к[ауе]|ком)$/, 'ат'],
]
/**
 * Endings of verbs, and that of the infinitive, which is the other stem of all its forms: no stem of a noun ends so, and 'привел' is
 * not one of 'привет'.
 */
const VERBS: readonly (readonly [ending: RegExp, infinitive: string])[] = [
  // 'рисует', 'рисовал'
  [
    /(?<=[а-я]{2}[^цжчшщ])(?:(?<![вгкнхшщ])ую|у(?:ешь|ет|ем|ете|ют|й|йте)|ова(?:ть|л|ла|ло|ли|в|н|нн[а-я]+))(?:с[яь])?$/,
    'овать',
  ],
  // 'танцует', 'танцевал', 'воюет'
  [
    /(?<=[а-я]{2}[цжчшщ])у(?:ю|ешь|ет|ем|ете|ют|й|йте)(?:с[яь])?$|(?<=[а-я]{2})(?:ю(?:ю|ешь|ет|ем|ете|ют)|ева(?:ть|л|ла|ло|ли|в|н|нн[а-я]+))(?:с[яь])?$/,
    'евать',
  ],
  // 'умеет', 'умел'
  [/(?<=[а-я]{2})е(?:ю|ешь|ет|ем|ете|ют|ть|л|ла|ло|ли|в)(?:с[яь])?$/, 'еть'],
  // 'кинет', 'кинул'
  [/(?<=[а-я]{2}н)(?:у|ешь|ет|ем|ете|ут|уть|ул|ула|уло|ули|ув)(?:с[яь])?$/, 'уть'],
  // 'учат' and 'учить'
  [/(?<=[а-я][жчшщ])ат(?:с[яь])?$/, ''],
  // 'куплю' and 'купить'
  [/(?<=[а-я][бвмпф])лю(?:сь)?$/, ''],
  // 'жарьте', 'стройте'
  [/(?<=[а-я]{3})[йь]те(?:сь)?$/, ''],
]
/** Shorter words have no other stem by rule. */
const LONG_ENOUGH = /^[а-я]{4,}$/

/** Stems of irregular words by those of their forms that would get another. */
const IRREGULAR = new Map(
  [...NOUNS, ...ENGLISH_FORMS].flatMap(([first = '', ...others]) =>
    others.map((form) => [form, snowballStem(first)] as const),
  ),
)

/** Caches stems: computing one takes tens of microseconds, and texts repeat their words. */
const cache = new Map<string, Stems>()
const MAX_CACHED = 100_000

type Stems = readonly [stem: string, ...others: string[]]

/** The first of {@link stemsOf}. */
export const stemOf = (form: string): string => stemsOf(form)[0]

/**
 * The stem of a folded word by Snowball's rules for Russian and English (the word itself if it is neither), then the
 * stems of other words of which it may be a form: Snowball knows neither fleeting vowels nor most conjugations, and takes the end of
 * some stems for an ending. Two forms of one word share a stem.
 */
export function stemsOf(form: string): Stems {
  const known = cache.get(form)
  if (known !== undefined) return known
  const word = copyOf(form)
  const stems: Stems = [snowballStem(word), ...otherStemsOf(word)]
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(word, stems)
  return stems
}

/** Whether a further stem of a form is the infinitive of a verb. */
export const isInfinitive = (stem: string): boolean => /(?:т[ьи]|чь)$/.test(stem)

function otherStemsOf(form: string): string[] {
  const irregular = IRREGULAR.get(form)
  const others = new Set(irregular === undefined ? [] : [irregular])
  if (RUSSIAN.test(form) && (irregular !== undefined || !isFunctionWord(form))) {
    for (const infinitive of infinitivesOf(form)) others.add(infinitive)
    if (irregular === undefined && LONG_ENOUGH.test(form)) addByRules(others, form)
  }
  const stem = snowballStem(form)
  others.delete(stem)
  return [...others]
}

function addByRules(others: Set<string>, form: string): void {
  for (const [ending, otherwise] of [...FLEETING, ...SINGULAR, ...(isNoVerb(form) ? [] : VERBS)])
    if (ending.test(form)) others.add(form.replace(ending, otherwise))
  const [bare = ''] = BARE.exec(form) ?? []
  if (bare.length > snowballStem(form).length) others.add(bare)
}

/**
 * Copies a word: in V8 a slice of 13 characters or more keeps the whole text in memory. A slice of a joined text keeps that
 * alone.
 */
const copyOf = (word: string): string => ` ${word}`.slice(1)

function snowballStem(folded: string): string {
  if (IN_PIS.test(folded)) return russian.stem(`${folded.slice(0, -1)}и`)
  if (RUSSIAN.test(folded)) return russian.stem(folded)
  return ENGLISH.test(folded) ? english.stem(folded) : folded
}

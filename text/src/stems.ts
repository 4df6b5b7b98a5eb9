import snowball from 'snowball-stemmers'
import { NOUNS } from './irregular-nouns.ts'

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
]
/** 'Иванов' is one of 'Иванова' as well as many of 'Иван', and so is 'коров'. */
const IN_OV = /^[а-я]{3,}[ое]в$/
const LONG_ENOUGH = /^[а-я]{4,}$/

/** Stems of irregular nouns by those of their forms that would get another. */
const IRREGULAR = new Map(
  NOUNS.flatMap(([first = '', ...others]) => others.map((form) => [form, snowballStem(first)] as const)),
)

/** Caches stems: computing one takes tens of microseconds, and texts repeat their words. */
const cache = new Map<string, Stems>()
const MAX_CACHED = 100_000

type Stems = readonly [stem: string, ...others: string[]]

/** The first of {@link stemsOf}. */
export const stemOf = (form: string): string => stemsOf(form)[0]

/**
 * The stem of a folded word by Snowball's rules for Russian and English (the word itself if it is neither), then the
 * stems of other words of which it may be a form, because Snowball does not handle fleeting vowels.
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

function otherStemsOf(form: string): string[] {
  const irregular = IRREGULAR.get(form)
  if (irregular !== undefined) return [irregular]
  if (!LONG_ENOUGH.test(form)) return []
  if (IN_OV.test(form)) return [form]
  return FLEETING.filter(([vowel]) => vowel.test(form)).map(([vowel, otherwise]) =>
    form.replace(vowel, otherwise),
  )
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

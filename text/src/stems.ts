import snowball from 'snowball-stemmers'
import { NOUNS } from './irregular-nouns.ts'

const RUSSIAN = /^[а-я]+$/
const ENGLISH = /^[a-z]+$/

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')

/** Nouns in which Snowball takes -сь for the ending of a verb: 'запись' would be no form of 'записи'. */
const IN_PIS = /(?:за|под|над|пере|рос|про|(?:лет|жив|рук|тайн|икон|скор|клин)о|^о)пись$/

/** In forms without an ending, what stands in place of the vowel before the last letter in all the others. */
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

/** The stem of each of these nouns by its forms that have another. */
const IRREGULAR = new Map(
  NOUNS.flatMap(([first = '', ...others]) => others.map((form) => [form, newStemOf(first)] as const)),
)

/** Stems take tens of microseconds to find, and the same words come again and again. */
const known = new Map<string, Stems>()
const MOST_KNOWN = 100_000

type Stems = readonly [stem: string, ...others: string[]]

/**
 * What the grammatical forms of a folded word have in common, by Snowball's rules for Russian and English; the word
 * itself where it is neither.
 */
export const stemOf = (folded: string): string => readingsOf(folded)[0]

/** The stem of a folded word, and those of other words of which it may be a form: Snowball knows no vowels that come and go. */
export function readingsOf(folded: string): Stems {
  const before = known.get(folded)
  if (before !== undefined) return before
  const word = copyOf(folded)
  const stems: Stems = [newStemOf(word), ...otherStemsOf(word)]
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, stems)
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

/** What is cut out of a text keeps all of it in memory (V8, from 13 characters on): a copy keeps nothing but itself. */
const copyOf = (word: string): string => Buffer.from(word, 'utf16le').toString('utf16le')

function newStemOf(folded: string): string {
  if (IN_PIS.test(folded)) return russian.stem(`${folded.slice(0, -1)}и`)
  if (RUSSIAN.test(folded)) return russian.stem(folded)
  return ENGLISH.test(folded) ? english.stem(folded) : folded
}

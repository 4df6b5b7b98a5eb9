import snowball from 'snowball-stemmers'

const RUSSIAN = /^[а-я]+$/
const ENGLISH = /^[a-z]+$/

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')

/** Nouns in which Snowball takes -сь for the ending of a verb: 'запись' would be no form of 'записи'. */
const IN_PIS = /(?:за|под|над|пере|рос|про|(?:лет|жив|рук|тайн|икон|скор|клин)о|^о)пись$/

/** Stems take tens of microseconds to find, and the same words come again and again. */
const known = new Map<string, string>()
const MOST_KNOWN = 100_000

/**
 * What the grammatical forms of a folded word have in common, by Snowball's rules for Russian and English; the word
 * itself where it is neither.
 */
export function stemOf(folded: string): string {
  const before = known.get(folded)
  if (before !== undefined) return before
  const word = copyOf(folded)
  const stem = newStemOf(word)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(word, stem)
  return stem
}

/** What is cut out of a text keeps all of it in memory (V8, from 13 characters on): a copy keeps nothing but itself. */
const copyOf = (word: string): string => Buffer.from(word, 'utf16le').toString('utf16le')

function newStemOf(folded: string): string {
  if (IN_PIS.test(folded)) return russian.stem(`${folded.slice(0, -1)}и`)
  if (RUSSIAN.test(folded)) return russian.stem(folded)
  return ENGLISH.test(folded) ? english.stem(folded) : folded
}

import snowball from 'snowball-stemmers'

const RUSSIAN = /^[а-я]+$/
const ENGLISH = /^[a-z]+$/

const russian = snowball.newStemmer('russian')
const english = snowball.newStemmer('english')

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
  const stem = newStemOf(folded)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(folded, stem)
  return stem
}

function newStemOf(folded: string): string {
  if (RUSSIAN.test(folded)) return russian.stem(folded)
  return ENGLISH.test(folded) ? english.stem(folded) : folded
}

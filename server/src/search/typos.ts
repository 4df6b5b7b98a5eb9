import { stemOf } from '@kopilka/text/stems.ts'

const RUSSIAN = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя']
const ENGLISH = [...'abcdefghijklmnopqrstuvwxyz']

/** Shorter words are one mistake away from too many others. */
const SHORTEST = 5
/** Longer ones are not among the known words (FORM in entries.ts), with a letter left out neither. */
const LONGEST = 33

/**
 * All words that are one typing mistake away from a folded one: a letter too few, too many or another, or two
 * neighbours swapped. None of a word that is short, or no word of Russian or English.
 */
function withOneMistake(word: string): string[] {
  const letters = [...word]
  const alphabet = alphabetOf(word)
  if (letters.length < SHORTEST || letters.length > LONGEST || !alphabet) return []
  const spliced = (at: number, removed: number, ...added: string[]) =>
    letters.toSpliced(at, removed, ...added).join('')
  const places = [...letters.keys()]
  const all = [
    ...places.slice(1).map((at) => spliced(at - 1, 2, letters[at] ?? '', letters[at - 1] ?? '')),
    ...places.map((at) => spliced(at, 1)),
    ...places.flatMap((at) => alphabet.map((letter) => spliced(at, 1, letter))),
    ...[...places, letters.length].flatMap((at) => alphabet.map((letter) => spliced(at, 0, letter))),
  ]
  return [...new Set(all)].filter((other) => other !== word)
}

function alphabetOf(word: string): string[] | undefined {
  if (/^[а-я]+$/.test(word)) return RUSSIAN
  return /^[a-z]+$/.test(word) ? ENGLISH : undefined
}

/** What is known of an owner's words. */
export interface Vocabulary {
  /** The forms of words with these stems that stand in the owner's items. */
  readonly formsOf: (stems: readonly string[]) => Promise<ReadonlySet<string>>
}

/** The words of the owner's items that are one mistake away. */
export async function mended(word: string, { formsOf }: Vocabulary): Promise<string[]> {
  const candidates = withOneMistake(word)
  if (candidates.length === 0) return []
  const forms = await formsOf([...new Set(candidates.map(stemOf))])
  return candidates.filter((candidate) => forms.has(candidate))
}

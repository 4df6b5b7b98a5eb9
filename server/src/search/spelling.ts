import type { Db } from '../db/schema.ts'
import { formsAmong, formsWithPrefix } from './vocabulary.ts'

const RUSSIAN = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя']
const ENGLISH = [...'abcdefghijklmnopqrstuvwxyz']

/** Shortest word to correct: shorter ones are one mistake from too many others. */
const SHORTEST = 5
/** Longest word to correct: forms have at most 32 letters (FORM in document.ts), so a misspelled one has at most 33. */
const LONGEST = 33
/**
 * Letters at the start of a word in which every possible mistake is tried. A word with a mistake after them shares this
 * prefix with the right word, which is found among the forms with that prefix. So a word costs some 260 look-ups whatever
 * its length.
 */
const TRIED = 4

/** Spelling corrections of a folded word: forms in the owner's items and tags that differ by one typing mistake. */
export async function spellingCorrections(
  db: Db,
  { owner_id, word, tagWords }: { owner_id: string; word: string; tagWords: ReadonlySet<string> },
): Promise<string[]> {
  const letters = [...word]
  const alphabet = alphabetOf(word)
  if (letters.length < SHORTEST || letters.length > LONGEST || !alphabet) return []
  const [shortest, longest] = [letters.length - 1, letters.length + 1]
  const prefix = letters.slice(0, TRIED).join('')
  const found = [
    ...(await formsAmong(db, owner_id, mistakesAtStart(letters, alphabet))),
    ...(await formsWithPrefix(db, { owner_id, prefix, shortest, longest })),
    ...tagWords,
  ]
  const ranks = new Map(found.map((form) => [form, mistakeIn(word, form)]))
  const rankOf = (form: string): number => ranks.get(form) ?? Number.POSITIVE_INFINITY
  return [...ranks.keys()]
    .filter((form) => ranks.get(form) !== undefined)
    .sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1))
}

function alphabetOf(word: string): string[] | undefined {
  if (/^[а-я]+$/.test(word)) return RUSSIAN
  return /^[a-z]+$/.test(word) ? ENGLISH : undefined
}

/** Variants of a word with one letter removed, inserted or replaced, or two neighbours swapped, among the first letters. */
function mistakesAtStart(letters: readonly string[], alphabet: readonly string[]): string[] {
  const rest = letters.slice(TRIED).join('')
  const spliced = (at: number, removed: number, added: string) =>
    letters.slice(0, at).join('') + added + letters.slice(at + removed, TRIED).join('') + rest
  return Array.from({ length: TRIED }, (_, at) => [
    letters.slice(0, at).join('') +
      (letters[at + 1] ?? '') +
      (letters[at] ?? '') +
      letters.slice(at + 2).join(''),
    spliced(at, 1, ''),
    ...alphabet.flatMap((letter) => [spliced(at, 1, letter), spliced(at, 0, letter)]),
  ]).flat()
}

/**
 * The kind of the one mistake in a word, likeliest first: two neighbours swapped (0), an extra letter (1), a wrong letter
 * (2), a missing letter (3). Undefined if there is none, or more than one.
 */
function mistakeIn(word: string, right: string): number | undefined {
  if (word === right) return undefined
  let start = 0
  while (start < word.length && word[start] === right[start]) start += 1
  const [a, b] = [word.slice(start), right.slice(start)]
  if (a.slice(2) === b.slice(2) && a[0] === b[1] && a[1] === b[0]) return 0
  if (a.slice(1) === b) return 1
  if (a.slice(1) === b.slice(1)) return 2
  return a === b.slice(1) ? 3 : undefined
}

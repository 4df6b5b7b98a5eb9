import { TRAITS } from './terms.ts'

/** Stands between the spellings of a row's traits. */
const BETWEEN = '+'

const CYRILLIC = 'абвгдежзийклмнопрстуфхцчшщъыьэюя'
const DIGITS_AND_SIGNS = '0123456789.-@+#*'
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

/** Before the letters of anything but small Latin and Cyrillic letters. */
const OTHER = '7'

const LETTERS: ReadonlyMap<string, string> = new Map([
  ...Array.from(CYRILLIC, (letter, at) => [letter, CAPITALS.charAt(at)] as const),
  ...Array.from(DIGITS_AND_SIGNS, (sign, at) => [sign, OTHER + CAPITALS.charAt(at)] as const),
])

/** What says where a word stands. No spelling of a word begins so: one without any stands in title or text, as most do. */
const PLACES: ReadonlyMap<string, string> = new Map([
  [TRAITS.text(''), ''],
  [TRAITS.title(''), '8'],
  [TRAITS.often(''), '9'],
  [TRAITS.address(''), '/'],
])
const TAG = '6'

/** Of each length no other begins with: four small letters or digits, 36^4, are enough for any character of Unicode. */
const letterOf = (character: string): string =>
  LETTERS.get(character) ?? OTHER + (character.codePointAt(0) ?? 0).toString(36).padStart(4, '0')

const lettersOf = (text: string): string => text.replace(/[^a-z]/gu, letterOf)

/**
 * A trait in letters of base64 without `+`, six bits each, so that PostgreSQL keeps a Cyrillic letter in less than a
 * byte and makes the letters from the bytes by itself. It goes character by character: one trait begins with another
 * where their spellings do. Ids of tags, which are asked for as a whole only, are shorter as numbers.
 */
export function spellingOf(trait: string): string {
  const sign = trait.charAt(0)
  const rest = trait.slice(1)
  if (sign === TRAITS.tag('')) return TAG + BigInt(`0x${rest}`).toString(36)
  const place = PLACES.get(sign)
  return place === undefined ? lettersOf(trait) : place + lettersOf(rest)
}

/** Spellings as a row keeps them. Four letters are three bytes: what is left of these is filled with empty spellings. */
export function inBytes(spellings: readonly string[]): Buffer {
  const letters = spellings.join(BETWEEN)
  return Buffer.from(letters.padEnd(Math.ceil(letters.length / 4) * 4, BETWEEN), 'base64')
}

/** The traits that say this one as well: what stands in a title, or often in a text, stands in title or text. */
export const sayingToo = (trait: string): string[] =>
  trait.startsWith(TRAITS.text('')) ? [TRAITS.title(trait.slice(1)), TRAITS.often(trait.slice(1))] : []

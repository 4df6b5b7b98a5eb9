import { fold } from './fold.ts'

/** UTF-16 units of a key at most: its bytes stay below what an index entry of PostgreSQL may have, 2,704. */
const MAX_KEY = 512

const PARTS = /\p{Cf}+|(\s+)|0*(\d+)|([а-я])|([ґєі])|([\p{P}\p{S}])/gu

/** Letters of other Cyrillic alphabets stand beside the Russian ones they come from. */
const NEIGHBOURS: Readonly<Record<string, string>> = { ґ: 'г', є: 'е', і: 'и' }

/** а to я take the 32 places before the Latin letters in ASCII, as Cyrillic comes first in Russian lists. */
const cyrillic = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 0x430 + 0x40)

/**
 * A key whose order by code points is alphabetical order: white space, punctuation, numbers by their value, Cyrillic with ё
 * beside е, Latin, other scripts; case and accents make no difference. The same on every machine and database, unlike the
 * collations of either. Keys are stored: a change here needs a migration that computes them again.
 */
export const sortKey = (text: string): string =>
  fold(text)
    .replace(PARTS, (_, space?: string, digits?: string, letter?: string, other?: string, sign?: string) => {
      if (space !== undefined) return ' '
      // The length comes first, so that a longer number is a greater one.
      if (digits !== undefined) return `0${String.fromCharCode(0x30 + digits.length)}${digits}`
      if (letter !== undefined) return cyrillic(letter)
      if (other !== undefined) return cyrillic(NEIGHBOURS[other] ?? other)
      return sign === undefined ? '' : `!${sign}`
    })
    .slice(0, MAX_KEY)
    .toWellFormed()

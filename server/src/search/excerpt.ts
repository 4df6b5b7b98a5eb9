import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import type { Query } from './query.ts'
import { wordsOf } from './words.ts'

/** How much of the text before the match is shown. */
const LEAD = 30

/** Plain text cut to the length of a list's line, with '...' where it was cut (specification, section 9). */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  // A character is at most two units: so many of them hold one character more than is shown, if there is one.
  const characters = [...line.slice(0, (EXCERPT_LENGTH + 1) * 2)]
  if (characters.length <= EXCERPT_LENGTH) return line
  return `${characters.slice(0, EXCERPT_LENGTH).join('')}...`
}

/** The piece of plain text around the first word that the query asks for; the beginning where none is in it. */
export function excerptAround(text: string, { words }: Query): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const last = words.at(-1) ?? ''
  const match = wordsOf(line).find(({ folded }) => words.includes(folded) || folded.startsWith(last))
  if (!match || match.end <= EXCERPT_LENGTH) return excerptOf(line)
  const space = line.lastIndexOf(' ', match.start - LEAD)
  return `...${excerptOf(line.slice(space + 1))}`
}

import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import { eachMark } from './highlight.ts'
import type { Query } from './query.ts'

/** How much of the text before the match is shown, in characters. */
const LEAD = 30

const SHOWN = new RegExp(`^.{0,${EXCERPT_LENGTH}}`, 'su')

/** The second half of a character that was cut in two. */
const HALF = /^[\uDC00-\uDFFF]/

const lineOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

function cut(line: string): string {
  const [shown = ''] = SHOWN.exec(line) ?? []
  return shown.length === line.length ? line : `${shown}...`
}

/** Plain text cut to the length of a list's line, with '...' where it was cut (specification, section 9). */
export const excerptOf = (text: string): string => cut(lineOf(text))

/** The piece of plain text around the first word that the query asks for; the beginning where none is in it. */
export function excerptAround(text: string, query: Query): string {
  const line = lineOf(text)
  const { value: first } = eachMark(line, query).next()
  if (!first) return cut(line)
  const [start, end] = first
  if (end <= EXCERPT_LENGTH || start <= LEAD) return cut(line)
  return `...${cut(line.slice(beginningBefore(line, start)).replace(HALF, ''))}`
}

/** Where the piece around a match begins: a word's beginning some characters before it, if there is one near. */
function beginningBefore(line: string, match: number): number {
  const from = match - LEAD
  const space = line.indexOf(' ', from)
  return space >= 0 && space < match ? space + 1 : from
}

import { highlights } from './highlight.ts'
import { toLine, truncate } from './truncate.ts'

/** Characters shown before the match. */
const LEAD = 30

/** The second half of a surrogate pair. */
const LOW_SURROGATE = /^[\uDC00-\uDFFF]/

/** The plain text around the first matching word; the start if none matches. */
export function excerptAround(text: string, length: number, isMatch: (form: string) => boolean): string {
  const line = toLine(text)
  const { value: first } = highlights(line, isMatch).next()
  if (!first) return truncate(line, length)
  const [start, end] = first
  if (end <= length || start <= LEAD) return truncate(line, length)
  return `...${truncate(line.slice(startBefore(line, start)).replace(LOW_SURROGATE, ''), length)}`
}

/** Start of the text around a match: at a word some characters before it, if there is one. */
function startBefore(line: string, match: number): number {
  const from = match - LEAD
  const space = line.indexOf(' ', from)
  return space >= 0 && space < match ? space + 1 : from
}

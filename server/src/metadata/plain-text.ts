import { lengthOf, toLine } from '@kopilka/contract/fields.ts'
import { Parser } from 'htmlparser2'

/** Control, invisible and bidirectional formatting characters. */
const UNSEEN = /(?!\s)\p{Cc}|[\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]/gu
/** Most characters of a text that are examined. */
const ENOUGH = 20_000

/** Text on one line: white space collapsed, invisible characters removed. */
export const plainText = (text: string): string =>
  toLine(text.slice(0, ENOUGH).replace(UNSEEN, '').replace(/\s+/g, ' '))

/** The text of a piece of HTML. */
export function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html
  let text = ''
  const parser = new Parser({
    ontext(part) {
      text += part
    },
  })
  parser.end(html.slice(0, ENOUGH))
  return text
}

/** The start of a text, at most `max` characters, cut between words if possible. */
export function cutAtWord(text: string, max: number): string {
  if (lengthOf(text) <= max) return text
  const beginning = [...text].slice(0, max + 1).join('')
  const space = beginning.lastIndexOf(' ')
  return space > 0 ? beginning.slice(0, space) : [...text].slice(0, max).join('')
}

const SENTENCE_END = /[.!?…]["'»”)]*(?= )/g

/** The start of a text up to the sentence end nearest to `length` characters; cut at a word if none is near. */
export function cutAtSentence(text: string, length: number): string {
  if (text.length <= length) return text
  const ends = [...text.matchAll(SENTENCE_END)].map((end) => end.index + end[0].length)
  const near = [...ends, text.length].filter((end) => end >= length / 2 && end <= length * 1.5)
  const [first, ...others] = near
  if (first === undefined) return cutAtWord(text, length)
  const nearest = others.reduce(
    (best, end) => (Math.abs(end - length) < Math.abs(best - length) ? end : best),
    first,
  )
  return text.slice(0, nearest)
}

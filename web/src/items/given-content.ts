import { toLine } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { paragraphsToHtml } from '@kopilka/text/paragraphs.ts'
import { normalizeTagNames } from '../ui/tag-names.ts'
import { completeAddress } from './complete-address.ts'

/** What another program or page hands over: the parameters of `/add` (docs/behaviour.md, section 11). */
export interface Given {
  url?: string | undefined
  title?: string | undefined
  text?: string | undefined
  /** Separated by commas. */
  tags?: string | undefined
}

/** What becomes of it: values of a link's form, or of a note's. */
export type GivenItem =
  | { kind: 'link'; values: { url: string; title: string; description: string; tags: string[] } }
  | { kind: 'note'; values: { title: string; content: string; tags: string[] } }

const ADDRESS = /(?:https?|ftp):\/\/[^\s<>"«»]+/i
/** A host with a name of the top level, as people type one; `1.5` and `т.е` are none. */
const NAMED_HOST = /^(?:\/\/)?(?:[^\s/?#@:.]+\.)+(?:\p{L}{2,}|xn--[\w-]+)\.?(?::\d+)?(?:[/?#]|$)/u
/** What stands between an address and the text beside it. */
const BETWEEN = /[\s:|—–-]/

const PUNCTUATION = /[.,;:!?…'”’*]/

/** The address without the punctuation of the sentence it stands in; a bracket that was opened within stays. */
const withoutPunctuation = (found: string): string => {
  const address = found.slice(0, MAX_LENGTH.url + 1)
  let unopened = address.split(')').length - address.split('(').length
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1)
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!PUNCTUATION.test(last)) break
  }
  return address.slice(0, end)
}

/** The whole text as an address, with a scheme; undefined if it is something else. */
export const wholeAddress = (text: string): string | undefined => {
  const typed = text.trim()
  const hasScheme = /^(?:https?|ftp):\/\//i.test(typed)
  if (/\s/.test(typed) || !(hasScheme || NAMED_HOST.test(typed))) return undefined
  const address = completeAddress(typed)
  return /^(?:https?|ftp):\/\//i.test(address) && URL.canParse(address) ? address : undefined
}

/** The first address in a text. */
const addressIn = (text: string): string | undefined => {
  const [found = ''] = ADDRESS.exec(text) ?? []
  const address = withoutPunctuation(found)
  return address !== '' && URL.canParse(address) ? address : undefined
}

/** The text without what stands between it and an address. Not by one expression: that takes seconds for a hundred thousand blanks. */
const withoutEnds = (text: string): string => {
  let [start, end] = [0, text.length]
  while (start < end && BETWEEN.test(text.charAt(start))) start += 1
  while (start < end && BETWEEN.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** The text without an address that it begins or ends with; one in the middle of a sentence belongs to it. */
const without = (text: string, address: string): string => {
  const whole = text.trim()
  if (wholeAddress(whole) === address) return ''
  if (whole.startsWith(address)) return withoutEnds(whole.slice(address.length))
  if (whole.endsWith(address)) return withoutEnds(whole.slice(0, -address.length))
  return whole
}

const cut = (text: string, most: number): string => [...text].slice(0, most).join('')

/** A text's first line with something in it as a title, and what else there is to say: all of it if the line had to be cut. */
const withTitle = (text: string): { title: string; rest: string } => {
  const [line = '', ...others] = text.trim().split('\n')
  const title = cut(toLine(line), MAX_LENGTH.title)
  return { title, rest: title === toLine(line) ? others.join('\n') : text }
}

/** A text as a note: its first line is the title, of one line also the content, which no note lacks. */
export const noteOf = (text: string): { title: string; content: string; tags: string[] } => {
  const { title, rest } = withTitle(text)
  return { title, content: paragraphsToHtml(rest.trim() === '' ? title : rest), tags: [] }
}

const linkOf = (url: string, title: string, said: string) => {
  if (title !== '') return { url, title, description: toLine(said) === title ? '' : paragraphsToHtml(said) }
  const first = withTitle(said)
  return { url, title: first.title, description: paragraphsToHtml(first.rest) }
}

/** A link where there is an address, in `url` or within the rest; else a note. Values that were not given are empty. */
export const givenItem = (given: Given): GivenItem => {
  const whole = toLine(given.title ?? '')
  const title = cut(whole, MAX_LENGTH.title)
  const named = wholeAddress(given.url ?? '')
  // A url that is no address is text like any other, and so is a title that had to be cut.
  const text = [title === whole ? undefined : whole, named === undefined ? given.url : undefined, given.text]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join('\n')
  // More than a form takes, so that it says there are too many.
  const tags = normalizeTagNames((given.tags ?? '').split(',', 10 * MAX_TAGS_PER_ITEM), [])
  const url = named ?? wholeAddress(text) ?? addressIn(text) ?? wholeAddress(title) ?? addressIn(title)
  if (url !== undefined)
    return { kind: 'link', values: { ...linkOf(url, without(title, url), without(text, url)), tags } }
  if (title === '') return { kind: 'note', values: { ...noteOf(text), tags } }
  return {
    kind: 'note',
    values: { title, content: paragraphsToHtml(text.trim() === '' ? title : text), tags },
  }
}

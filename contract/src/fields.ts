import * as z from 'zod/mini'
import type { FieldMessageRef } from './field-messages.ts'
import {
  MAX_IDS,
  MAX_IDS_IN_QUERY,
  MAX_LENGTH,
  MAX_MERGED,
  MAX_SEARCH_LENGTH,
  MAX_TAGS_PER_ITEM,
  MAX_TOKEN_NAME,
  MIN_PASSWORD_LENGTH,
} from './limits.ts'
import type { MessageRef } from './messages.ts'

/** Error of a base type: a missing value is 'required', anything else of the wrong kind is 'wrongType'. */
export const typeError = {
  error: (issue: { input?: unknown }): FieldMessageRef =>
    issue.input === undefined || issue.input === null ? 'required' : 'wrongType',
}

/** Length in Unicode code points: closest to what people count, an emoji is one (mostly). */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

const rule = (holds: (text: string) => boolean, message: FieldMessageRef) =>
  z.refine<string>(holds, { error: message, abort: true })

/** Zero-width characters and other formatting show nothing: a text of them alone is blank. */
const filled = rule((text) => /[^\s\p{Cf}]/u.test(text), 'required')
/** A code point is one or two UTF-16 units: only a length between the two needs the slow count. */
const atMost = (max: number) =>
  rule((text) => text.length <= max || (text.length <= 2 * max && lengthOf(text) <= max), `tooLong:${max}`)

/**
 * UTF-16 units a text may have before it is normalised, to each character of its limit: two for the code point, and
 * room for accents that NFC puts into their letter and for characters that are dropped.
 */
export const RAW_FACTOR = 8
/** The same for HTML, with less room: as many as a Vietnamese letter with two separate accents takes. */
export const RAW_HTML_FACTOR = 3
/** The first check of every text: nothing is normalised, or searched, that is far too long. */
const rawAtMost = (max: number, factor = RAW_FACTOR) =>
  rule((text) => text.length <= max * factor, `tooLong:${max}`)

/**
 * Matches accents after the 30th of a letter, the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13).
 * Sorting accents takes quadratic time: minutes for the longest note.
 */
const MANY_MARKS = /(\p{M}{30})\p{M}+/gu

/** Unicode NFC without lone surrogates: both databases store the result unchanged. */
const normalised = (text: string): string => text.toWellFormed().replace(MANY_MARKS, '$1').normalize('NFC')
const CONTROL = /\p{Cc}/gu
const CONTROL_BUT_WHITE_SPACE = /(?![\t\n\r])\p{Cc}/gu

/** Characters of most names and titles, of which nothing is normalised or dropped: imports have hundreds of thousands. */
const PLAIN = /^[ -~А-яЁё]*$/

/** One line of text: NFC, control characters dropped, trimmed. */
export const toLine = (text: string): string =>
  (PLAIN.test(text) ? text : normalised(text).replace(CONTROL, '')).trim()
/** HTML or other text of many lines: NFC, control characters dropped, line ends become '\n'. */
export const toText = (text: string): string =>
  normalised(text).replace(CONTROL_BUT_WHITE_SPACE, '').replace(/\r\n?/g, '\n')

/** The length in openapi.json: JSON Schema knows no rules that count code points. */
const lengths = (minLength: number, maxLength: number) => z.meta({ minLength, maxLength })

const line = (max: number) =>
  z.string(typeError).check(rawAtMost(max), z.overwrite(toLine), filled, atMost(max), lengths(1, max))
const emptyOrLine = (max: number) =>
  z.string().check(rawAtMost(max), z.overwrite(toLine), atMost(max), lengths(0, max))

export const title = line(MAX_LENGTH.title)
export const tagName = line(MAX_LENGTH.tagName)
export const personName = line(MAX_LENGTH.personName)
export const tokenName = line(MAX_TOKEN_NAME)
/** A name in the profile: it may be blank (docs/specification.md, section 5). */
export const anyName = emptyOrLine(MAX_LENGTH.personName)

const PICTURE = /^<img\b/i

/** Whether HTML has text between its tags, or an image. Takes linear time for any input. */
function showsSomething(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const tag = text.indexOf('<', at)
    const between = text.slice(at, tag < 0 ? undefined : tag)
    if (between.replace(/&nbsp;|&#160;|\u200B/g, ' ').trim() !== '') return true
    const end = tag < 0 ? -1 : text.indexOf('>', tag)
    if (end < 0) return tag >= 0
    if (PICTURE.test(text.slice(tag, tag + 5))) return true
    at = end + 1
  }
  return false
}

/** HTML as sent. The server cleans it, and refuses it with the same messages if nothing or too much is left. */
export const html = z
  .string(typeError)
  .check(
    rawAtMost(MAX_LENGTH.html, RAW_HTML_FACTOR),
    z.overwrite(toText),
    rule(showsSomething, 'required'),
    atMost(MAX_LENGTH.html),
    lengths(1, MAX_LENGTH.html),
  )

/** ftp, http or https with a host (docs/specification.md, section 5); stored as written, without surrounding white space. */
export const url = line(MAX_LENGTH.url).check(
  rule((text) => /^(?:ftp|https?):\/\//i.test(text) && URL.canParse(text), 'url'),
  z.meta({ format: 'uri' }),
)

/**
 * Something before and after one '@', and a dot in the domain: catches typing mistakes and allows any script. Angle
 * brackets are refused: mail headers drop them, so several accounts would share one address.
 */
export const email = line(MAX_LENGTH.email).check(
  rule((text) => /^[^\s@<>]+@[^\s@.<>]+(?:\.[^\s@.<>]+)+$/u.test(text), 'email'),
  z.meta({ format: 'email' }),
)

/** Key of a tag's name: names that differ only in letter case have the same key. */
export const tagNameKey = (name: string): string => name.toLowerCase()

const presentPassword = z.string(typeError).check(
  rule((text) => text !== '', 'required'),
  atMost(MAX_LENGTH.password),
  lengths(1, MAX_LENGTH.password),
)
/** A password someone signs in with: compared exactly, so nothing is normalised. */
export const password = presentPassword
/** A password someone chooses. */
export const newPassword = presentPassword.check(
  rule((text) => lengthOf(text) >= MIN_PASSWORD_LENGTH, 'passwordTooShort'),
  lengths(MIN_PASSWORD_LENGTH, MAX_LENGTH.password),
)

const TOO_MANY_TAGS = `tooManyTags:${MAX_TAGS_PER_ITEM}` satisfies FieldMessageRef

const distinct = (names: string[]): string[] => {
  const byKey = new Map<string, string>()
  for (const name of names) if (!byKey.has(name.toLowerCase())) byKey.set(name.toLowerCase(), name)
  return [...byKey.values()]
}

/**
 * Removes names that differ only in letter case; the first spelling stays. Elements are validated only if the list,
 * duplicates included, is not far too long.
 */
export const tagNames = z.pipe(
  z.array(z.unknown(), typeError).check(
    z.maxLength(MAX_TAGS_PER_ITEM * RAW_FACTOR, TOO_MANY_TAGS),
    // What the second part checks, as openapi.json shows it.
    z.meta({
      maxItems: MAX_TAGS_PER_ITEM,
      items: { type: 'string', minLength: 1, maxLength: MAX_LENGTH.tagName },
    }),
    // The elements are strings to the compiler already: what callers pass is typed.
  ) as z.ZodMiniType<string[], string[]>,
  z.array(tagName).check(z.overwrite(distinct), z.maxLength(MAX_TAGS_PER_ITEM, TOO_MANY_TAGS)),
)

/** Ids are opaque to clients; one that is not a UUID gets 404. */
export const id = z.uuid()
/** An id in a body: one that is malformed is not found, like any other that does not exist. */
export const anId = z.string(typeError).check(
  z.overwrite((text) => (id.safeParse(text).success ? text : '')),
  z.meta({ format: 'uuid' }),
)
/** Elements are validated only if there are not too many. */
const idsUpTo = (max: number) =>
  z.pipe(
    z.array(z.unknown(), typeError).check(
      z.minLength(1, 'required'),
      z.maxLength(max, `tooManyIds:${max}`),
      // What the second part checks, as openapi.json shows it.
      z.meta({ minItems: 1, maxItems: max, items: { type: 'string', format: 'uuid' } }),
      // The elements are strings to the compiler already: what callers pass is typed.
    ) as z.ZodMiniType<string[], string[]>,
    z.array(anId).check(z.overwrite((all) => [...new Set(all)])),
  )
/** Ids of items that are changed together, each once. */
export const ids = idsUpTo(MAX_IDS)
/** Ids of items that are merged into another. */
export const mergedIds = idsUpTo(MAX_MERGED)
/** ISO 8601 in UTC with milliseconds. */
export const time = z.iso.datetime({ precision: 3 })

/** An opaque secret made by the server, as sent in a body. */
export const token = z
  .string(typeError)
  .check(rawAtMost(MAX_LENGTH.url), filled, atMost(MAX_LENGTH.url), lengths(1, MAX_LENGTH.url))

/** A positive whole number in a query; a huge one means a page past the end. */
const wholeNumber = (message: MessageRef) =>
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d*$/, message)),
    z.transform((digits) => Math.min(Number(digits), 1_000_000_000)),
  )
export const pageNumber = wholeNumber('pageNumber')
/** A whole number up to a limit. */
export const limit = wholeNumber('limit')

/** A search as typed: one line, cut at the limit. Empty means no search. */
export const searchText = z
  .string(typeError)
  .check(
    z.overwrite((text) => toLine(text.slice(0, MAX_SEARCH_LENGTH * RAW_FACTOR)).slice(0, MAX_SEARCH_LENGTH)),
  )

/** An id is shorter. */
const MAX_RAW_ID = 300
/** Characters. */
const ID_AND_COMMA = 37
/** The id of a tag in a query: whatever is no id names no tag. */
export const tagId = z.string().check(z.overwrite((text) => toLine(text.slice(0, MAX_RAW_ID))))

/** Ids in a query, separated by commas, each once: whatever is no id names nothing. */
export const idsInQuery = z.pipe(
  z
    .string()
    .check(
      z.maxLength(MAX_IDS_IN_QUERY * ID_AND_COMMA, `tooManyIds:${MAX_IDS_IN_QUERY}` satisfies MessageRef),
    ),
  z.transform((text) => [...new Set(text.split(','))].filter((one) => id.safeParse(one).success)),
)

/** `1` in the query; anything else is refused. */
export const flag = z.optional(z.literal('1'))

/** Whether an item is pinned. */
export const pinned = z.boolean(typeError)

/** `summary`: items have a short plain-text `excerpt` instead of their whole text. */
export const view = z.literal('summary')

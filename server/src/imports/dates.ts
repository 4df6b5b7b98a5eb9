import { textOf } from './values.ts'

/** Microseconds from 1601, where Windows and WebKit count from, to 1970. */
const WEBKIT_EPOCH = 11_644_473_600_000_000
/** Dates after the year 2200 are mistakes. */
const LATEST = Date.UTC(2200, 0, 1)

const kept = (time: number): number | undefined => (time > 0 && time < LATEST ? Math.round(time) : undefined)

/** A number of seconds, milliseconds, microseconds or nanoseconds since 1970, or of microseconds since 1601: which, its size says. */
export function numericDate(value: number | string | null | undefined): number | undefined {
  const number = Number(value)
  if (!Number.isFinite(number)) return undefined
  if (number < 1e11) return kept(number * 1000)
  if (number < 1e14) return kept(number)
  // Cut, as programs do that show milliseconds.
  if (number < 1e16) return kept(Math.floor(number / 1000))
  if (number < 1e17) return kept(Math.floor((number - WEBKIT_EPOCH) / 1000))
  return kept(Math.floor(number / 1e6))
}

const ISO =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ]\s?(\d\d?):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
/** '2021/1/31' and '2021-1-31', with slashes, dots or single digits. */
const YEAR_FIRST = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?!\d)/
const DAY_FIRST =
  /^(\d\d?)[./-](\d\d?)[./-](\d{4}|\d\d)(?:,?\s+(\d\d?):(\d\d)(?::(\d\d))?(?:\s*([ap])\.?m\.?)?)?$/i
/** The log format of Apache, which old exporters wrote. */
const APACHE = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HAS_ZONE = /(?:Z|UTC|GMT(?:[+-]\d\d?)?|[+-]\d\d:?\d\d)$/i
/** '31 января 2021 г., 10:05', with the day of the week before it perhaps. */
const RUSSIAN =
  /^(?:[а-я]+,?\s+)?(\d\d?)\s+([а-я]{3,8})\.?\s+(\d{4})(?:\s*г(?:\.|ода)?)?(?:,?\s+(?:в\s+)?(\d\d?):(\d\d)(?::(\d\d))?)?$/i
const RUSSIAN_MONTHS = ['янв', 'фев', 'мар', 'апр', 'ма', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек']

/** A date in the files of browsers, as {@link dateOf}: a number, however short, or a text. */
export const bookmarkDate = (value: string | undefined): number | undefined =>
  (value !== undefined && /^\d+$/.test(value.trim()) ? numericDate(value) : undefined) ?? dateOf(value)

/** The time that a text tells, in milliseconds since 1970; undefined where it tells none. A time without a zone is in UTC. */
export function parseDate(value: unknown): number | undefined {
  if (value instanceof Date) return kept(value.getTime())
  if (typeof value === 'number') return numericDate(value)
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (/^(?:19[7-9]|20\d)\d$/.test(text)) return at([text, '1', '1'], 0, 'Z')
  if (/^\d{1,7}$|^\d{9,20}$|^\d{9,10}\.\d+$/.test(text)) return numericDate(text)
  return iso(text) ?? dayFirst(text) ?? apache(text) ?? russian(text) ?? written(text)
}

/** What tools write where there is no date: zero, or the first moment that they know. */
const NO_DATE = /^(?:[0.]*|-|null|none|(?:0000|0001|1970-01-01)(?!\d).*)$/i

/**
 * The time that the first of the values tells that tells one, as {@link parseDate}. Undefined where none is a date at all; `NaN`
 * where something is written that is no date, or none that an item can have: {@link finishRow} remarks on that.
 */
export function dateOf(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const date = parseDate(value)
    if (date !== undefined) return date
  }
  return values.every((value) => NO_DATE.test(textOf(value).trim())) ? undefined : Number.NaN
}

function iso(text: string): number | undefined {
  const twoDigits = (part: string) => part.padStart(2, '0')
  const found = ISO.exec(
    text.replace(YEAR_FIRST, (_, year, month, day) => `${year}-${twoDigits(month)}-${twoDigits(day)}`),
  )
  if (!found) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', half, zone = 'Z'] = found
  return at([year, month, day, hourOf(hour, half), minute, second], Number(`0.${fraction}`) * 1000, zone)
}

/** An hour of the day, where AM or PM may stand behind one of twelve. */
const hourOf = (hour: string, half: string | undefined): string =>
  half === undefined ? hour : String((Number(hour) % 12) + (/p/i.test(half) ? 12 : 0))

function dayFirst(text: string): number | undefined {
  const found = DAY_FIRST.exec(text)
  if (!found) return undefined
  const [, day, month, shortYear = '', hour = '0', minute = '0', second = '0', half] = found
  // As POSIX reads two digits (strptime, %y), but for the year before which no tool saved anything.
  const century = Number(shortYear) < 70 ? '20' : '19'
  const year = shortYear.length === 2 ? century + shortYear : shortYear
  // 12/31/2021 can only be American, and so is what has AM or PM.
  const isAmerican = Number(month) > 12 || (half !== undefined && Number(day) <= 12)
  const [inYear, inMonth] = isAmerican ? [day, month] : [month, day]
  return at([year, inYear, inMonth, hourOf(hour, half), minute, second], 0, 'Z')
}

function apache(text: string): number | undefined {
  const [found, day, name = '', year, hour, minute, second, zone = 'Z'] = APACHE.exec(text) ?? []
  const month = MONTHS.indexOf(name) + 1
  return found && month > 0 ? at([year, String(month), day, hour, minute, second], 0, zone) : undefined
}

function russian(text: string): number | undefined {
  const [found, day, name = '', year, hour, minute, second] = RUSSIAN.exec(text) ?? []
  const month = RUSSIAN_MONTHS.findIndex((start) => name.toLowerCase().startsWith(start)) + 1
  return found && month > 0 ? at([year, String(month), day, hour, minute, second], 0, 'Z') : undefined
}

/** 'Mon, 02 Jan 2023 15:04:05 +0300', 'August 14, 2023 3:15 PM (GMT+3)', 'January 31, 2021 at 9:05 AM'. */
function written(text: string): number | undefined {
  if (!/[a-z]{3}/i.test(text) || text.length > 80) return undefined
  const plain = text
    .replace(/\s*\((GMT[^()]*)\)$/i, ' $1')
    .replace(/\s*\([^()]*\)$/, '')
    .replace(/ at (?=\d)/i, ' ')
  return kept(Date.parse(HAS_ZONE.test(plain) ? plain : `${plain} UTC`))
}

function at(parts: readonly (string | undefined)[], milliseconds: number, zone: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCMonth() === month - 1
  if (month < 1 || day < 1 || !isDay || hour > 24 || minute > 59 || second > 60) return undefined
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return kept(Date.UTC(year, month - 1, day, hour, minute - offset, second) + milliseconds)
}

/** Texts between two marks, found in one pass: a regular expression would look for the end from each beginning again. */

interface Found {
  readonly inner: string
  /** Where the first mark begins, and the second ends. */
  readonly start: number
  readonly end: number
}

/** What stands between the first of two marks and the second, from a place on; undefined where one is missing. */
export function between(text: string, open: string, close: string, from = 0): Found | undefined {
  const start = text.indexOf(open, from)
  if (start < 0) return undefined
  const end = text.indexOf(close, start + open.length)
  if (end < 0) return undefined
  return { inner: text.slice(start + open.length, end), start, end: end + close.length }
}

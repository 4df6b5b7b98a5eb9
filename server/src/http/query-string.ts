import { parse } from 'node:querystring'

/** Most pairs of a query string that are parsed: no call has more than a dozen parameters. */
const MAX_PAIRS = 100

/** The router parses query strings before it calls anything else, also of requests that nothing counts. */
export const parseQueryString = (text: string) => parse(text, '&', '=', { maxKeys: MAX_PAIRS })

/** Whether {@link parseQueryString} left out a part of the query string of an address. */
export function hasTooManyPairs(url: string): boolean {
  let at = url.indexOf('?')
  for (let pairs = 0; at !== -1; pairs += 1) {
    if (pairs === MAX_PAIRS) return true
    at = url.indexOf('&', at + 1)
  }
  return false
}

import { type RawBuilder, sql } from 'kysely'
import { plainText } from './html.ts'

/**
 * Characters of a body in which a match is looked for to be shown and ranked: what forty of the longest notes hold
 * would take seconds to go through. A match further on is found all the same; its item shows how it begins.
 */
export const SEEN_OF_BODY = 20_000

/** So many characters of an item's body, in SQL. */
export const beginningOfBody = (length: RawBuilder<number>): RawBuilder<string> =>
  sql<string>`substr(body, 1, ${length})`

/** The text a reader sees in the beginning of clean HTML, which may end within a tag. */
export const plainTextOfBeginning = (html: string): string => plainText(html.replace(/<[^>]*$/, ''))

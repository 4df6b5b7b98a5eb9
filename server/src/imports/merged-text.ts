import { lengthOf } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { IndexDocument } from '@kopilka/text/search/terms.ts'
import { sha256 } from '../hash.ts'
import { joinBodies, type StoredRow } from '../items/item.ts'

export type Texts = Pick<StoredRow, 'title' | 'url' | 'body'>

/** The analysis of a kept item's texts, as they are once an entry was merged into it. Half a million characters take a second. */
export interface MergedText {
  /** {@link keyOf} of the texts. */
  readonly key: string
  readonly excerpt: string
  readonly document: IndexDocument
}

/** Tells whether texts are those that were analysed. */
export const keyOf = ({ title, url, body }: Texts): string => sha256(JSON.stringify([title, url, body]))

/** Both texts, or the one that holds the other; undefined where they are too long for one item. */
export function mergedBody(body: string, more: string): string | undefined {
  const both = joinBodies(body, more)
  return both === body || lengthOf(both) <= MAX_LENGTH.html ? both : undefined
}

import { addressKey } from '@kopilka/text/address-key.ts'
import { sha256 } from '../hash.ts'
import type { ItemContent } from './item.ts'

/** Characters of a key: 126 bits. */
const LENGTH = 21

/**
 * Two items of an owner with one key are the same: links to one page in whatever spelling (docs/behaviour.md, section 11),
 * notes of one title and one text.
 */
export const identityKeyOf = ({ title, url, body }: ItemContent): string =>
  sha256(url === null ? JSON.stringify([title, body]) : addressKey(url)).slice(0, LENGTH)

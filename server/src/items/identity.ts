import { addressKey } from '@kopilka/text/address-key.ts'
import { withoutSizes } from '../files/picture-sizes.ts'
import { sha256 } from '../hash.ts'
import type { ItemContent } from './item.ts'

/** Characters of a key: 126 bits. */
const LENGTH = 21

/** The key of links to a page. */
export const linkKeyOf = (url: string): string => sha256(addressKey(url)).slice(0, LENGTH)

/**
 * Two items of an owner with one key are the same: links to one page in whatever spelling (docs/behaviour.md, section 11),
 * notes of one title and one text, whether or not it says the sizes of own pictures.
 */
export const identityKeyOf = ({ title, url, body }: ItemContent): string =>
  url === null ? sha256(JSON.stringify([title, withoutSizes(body)])).slice(0, LENGTH) : linkKeyOf(url)

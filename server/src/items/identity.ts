import { addressKey } from '@kopilka/text/address-key.ts'
import { withoutSizes } from '../files/picture-sizes.ts'
import { sha256 } from '../hash.ts'
import type { ItemContent } from './item.ts'

/** Characters of a key: 126 bits. */
const LENGTH = 21

/** The key of links to a page. */
export const linkKeyOf = (url: string): string => sha256(addressKey(url)).slice(0, LENGTH)

const PREFORMATTED = /(<pre\b[\s\S]*?<\/pre>)/
const BLOCK_TAG =
  '</?(?:p|div|br|hr|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|table|caption|thead|tbody|tfoot|tr|th|td|figure|figcaption)\\b[^<>]*>'
/** The lookbehind keeps long white space linear: it is tried from its first character alone. */
const SPACE_BEFORE = new RegExp(`(?<![ \\t\\r\\n\\f])[ \\t\\r\\n\\f]+(?=${BLOCK_TAG}|$)`, 'g')
const SPACE_AFTER = new RegExp(`(^|${BLOCK_TAG})[ \\t\\r\\n\\f]+`, 'g')

/**
 * HTML without what changes nothing that a reader sees, and what Markdown has no signs for: white space around blocks, empty
 * paragraphs, paragraphs right inside items and cells, sections of tables, the end of the last line of code.
 */
const comparable = (html: string): string =>
  html
    .split(PREFORMATTED)
    .map((part, at) =>
      at % 2 === 1
        ? part.replace(/\n(?=(?:<\/code>)?<\/pre>$)/, '')
        : part
            .replace(SPACE_BEFORE, '')
            .replace(SPACE_AFTER, '$1')
            .replace(/<\/?(?:thead|tbody|tfoot)>/g, '')
            .replaceAll('<p></p>', '')
            .replace(/(<(?:li|th|td)\b[^<>]*>)<p>/g, '$1')
            .replace(/<\/p>(?=<\/?(?:li|th|td|ul|ol)\b)/g, '')
            .replace(/<img\b[^<>]*>/g, (tag) => tag.replace(' alt=""', '')),
    )
    .join('')

/**
 * Two items of an owner with one key are the same: links to one page in whatever spelling (docs/behaviour.md, section 11),
 * notes of one title and one text, whether or not it says the sizes of own pictures and however its HTML is laid out.
 */
export const identityKeyOf = ({ title, url, body }: ItemContent): string =>
  url === null
    ? sha256(JSON.stringify([title, comparable(withoutSizes(body))])).slice(0, LENGTH)
    : linkKeyOf(url)

import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import { paragraphsToHtml } from '@kopilka/text/paragraphs.ts'
import { normalizeTagNames } from '../ui/tag-names.ts'

/** More keywords than these are there for search engines, not for people. */
const MAX_TAGS = 10

/** What a page says of itself, as a link's form holds it. */
export const pageValues = ({ title, description, keywords }: PageMetadata) => ({
  title,
  description: paragraphsToHtml(description),
  tags: normalizeTagNames(keywords.split(','), [])
    .filter((name) => [...name].length <= MAX_LENGTH.tagName)
    .slice(0, MAX_TAGS),
})

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A title for a page that says none: the last part of the path as words, then the host as people write it. */
export const titleFromAddress = (address: string): string => {
  if (!URL.canParse(address)) return ''
  const { pathname, host } = new URL(address)
  // As it was typed: a URL object has the host in Punycode.
  const [, typedHost = host] = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(address) ?? []
  const site = typedHost.replace(/^www\./i, '')
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const words = decoded(last)
    .replace(/\.(?:html?|php|aspx?)$/i, '')
    .replace(/[-_+\s]+/g, ' ')
    .trim()
  return [words, site]
    .filter((part) => part !== '')
    .join(' — ')
    .slice(0, MAX_LENGTH.title)
}

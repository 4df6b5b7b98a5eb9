import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import { textToHtml } from '../ui/html-text.ts'
import { tidyTagNames } from '../ui/tag-names.ts'

/** More keywords than these are there for search engines, not for people. */
const MOST_TAGS = 10

/** What a page says of itself, as a link's form holds it. */
export const pageValues = ({ title, description, keywords }: PageMetadata) => ({
  title,
  description: textToHtml(description),
  tags: tidyTagNames(keywords.split(','), [])
    .filter((name) => [...name].length <= MAX_LENGTH.tagName)
    .slice(0, MOST_TAGS),
})

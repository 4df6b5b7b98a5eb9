import { tagNameKey } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import { decodePage } from './charset.ts'
import type { FetchedPage } from './fetch-page.ts'
import { readJsonLd } from './json-ld.ts'
import { partsOf } from './page-parts.ts'
import { cutAtSentence, cutAtWord, plainText } from './plain-text.ts'

const MAX_DESCRIPTION = 1_000
const PARAGRAPH = 300

/** Metadata of a page: for each field the first source that has it (docs/behaviour.md, section 6). */
export function readPage({ bytes, contentType }: FetchedPage): PageMetadata {
  const { metas, title, jsonLd, paragraph } = partsOf(decodePage(bytes, contentType))
  const ld = readJsonLd(jsonLd)
  const meta = (name: string): readonly string[] => metas.get(name) ?? []
  const titles = [...meta('og:title'), ...meta('twitter:title'), ...ld.titles, title, ...meta('title')]
  const descriptions = [
    ...meta('og:description'),
    ...meta('twitter:description'),
    ...ld.descriptions,
    ...meta('description'),
  ]
  const keywords = [...meta('keywords'), ...meta('article:tag'), ...ld.keywords]
  return {
    title: cutAtWord(firstFilled(titles), MAX_LENGTH.title),
    description: cutAtWord(firstFilled(descriptions) || cutAtSentence(paragraph, PARAGRAPH), MAX_DESCRIPTION),
    keywords: distinctNames(keywords).join(', '),
  }
}

function firstFilled(texts: readonly string[]): string {
  for (const text of texts) {
    const plain = plainText(text)
    if (plain !== '') return plain
  }
  return ''
}

/** Names that are valid tags, without duplicates. */
function distinctNames(lists: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const name of lists.flatMap((list) => plainText(list).split(/[,;،、，]/)).map((part) => part.trim())) {
    if (name === '' || name.length > MAX_LENGTH.tagName || byKey.size === MAX_TAGS_PER_ITEM) continue
    if (!byKey.has(tagNameKey(name))) byKey.set(tagNameKey(name), name)
  }
  return [...byKey.values()]
}

import type { ChangesPage } from '@kopilka/contract/changes.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import { addressKey } from '@kopilka/text/address-key.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { sortKey } from '@kopilka/text/sort-key.ts'
import { excerptOf } from '@kopilka/text/truncate.ts'

/** What the API calls one item of a kind. */
export type Kind = 'note' | 'urllink'

/** An item as the copy keeps it, without its text. */
export interface KeptItem {
  readonly id: string
  readonly kind: Kind
  readonly title: string
  /** Of links alone. */
  readonly url?: string
  readonly excerpt: string
  readonly created_at: string
  readonly updated_at: string
  readonly pinned: boolean
  readonly etag: string
  /** The ids of its tags: names change by themselves. */
  readonly tags: readonly string[]
  /** Its place in alphabetical order, as the server computes it. */
  readonly titleKey: string
  /** What all addresses of the page have in common; of links alone. */
  readonly pageKey?: string
}

/** An item and its text, clean HTML. */
export interface KeptWhole {
  readonly item: KeptItem
  readonly text: string
}

type Whole = Omit<ChangesPage['notes'][number], 'content'> & {
  content?: string
  url?: string
  description?: string
}

/** UTF-16 sorts surrogates before the units from U+E000 on; this gives the units the order of code points. */
const inCodePointOrder = (key: string): string =>
  key.replace(/[\uD800-\uFFFF]/g, (unit) => {
    const code = unit.charCodeAt(0)
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800)
  })

/** The fields that follow from others. */
export const derivedFrom = ({
  title,
  url,
  text,
}: {
  title: string
  url?: string | undefined
  text: string
}) => ({
  excerpt: excerptOf(htmlToText(text), EXCERPT_LENGTH),
  titleKey: inCodePointOrder(sortKey(title)),
  ...(url !== undefined && { url, pageKey: addressKey(url) }),
})

/** A whole item of the API as the copy keeps it. */
export function kept({ id, title, created_at, updated_at, pinned, etag, tags, ...rest }: Whole): KeptWhole {
  const { content, url, description } = rest
  const text = content ?? description ?? ''
  const kind: Kind = url === undefined ? 'note' : 'urllink'
  const own = { id, kind, title, created_at, updated_at, pinned, etag, tags: tags.map((tag) => tag.id) }
  return { item: { ...own, ...derivedFrom({ title, url, text }) }, text }
}

/** What a page of changes, or a change by this page, does to the copy, in the order in which it is applied. */
export interface Delta {
  readonly wholes: readonly KeptWhole[]
  /** Of items that the copy may not have. */
  readonly changed: readonly Pick<KeptItem, 'id' | 'etag' | 'updated_at' | 'pinned' | 'tags'>[]
  readonly tags: readonly TagRef[]
  readonly deletedItems: readonly string[]
  readonly deletedTags: readonly string[]
}

/** `wholes`: the items of the page, where they are known already. */
export const deltaOf = (
  page: ChangesPage,
  wholes: readonly KeptWhole[] = [...page.notes, ...page.urllinks].map(kept),
): Delta => ({
  wholes,
  changed: page.changed.map(({ tags, ...item }) => ({ ...item, tags: tags.map(({ id }) => id) })),
  tags: page.tags,
  deletedItems: page.deleted_items,
  deletedTags: page.deleted_tags,
})

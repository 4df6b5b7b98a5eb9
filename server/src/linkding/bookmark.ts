import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { textInHtml, textToHtml } from '@kopilka/text/text-to-html.ts'
import type { ItemRow } from '../items/item.ts'
import { hasState, shownNames } from './tag-names.ts'

/** linkding has two texts where a link has one body. */
export interface Texts {
  description: string
  notes: string
}

/** What separates the two in a body. */
const SEPARATOR = '<hr />'

/** The texts of a body: the notes are what follows its first rule. */
export function textsOf(body: string): Texts {
  const [description = '', ...notes] = body.split(SEPARATOR)
  return { description: textInHtml(description), notes: textInHtml(notes.join(SEPARATOR)) }
}

export const bodyOf = ({ description, notes }: Texts): string => {
  const after = textToHtml(notes)
  return `${textToHtml(description)}${after && `${SEPARATOR}${after}`}`
}

/** The title of a link without one: its address. */
export const titleOr = (title: string, url: string): string =>
  Array.from(title || readableAddress(url))
    .slice(0, MAX_LENGTH.title)
    .join('')

const iso = (time: number): string => new Date(time).toISOString()

/** A link as linkding's clients know it. The names of all fields are linkding's. */
export function toBookmark(row: Omit<ItemRow, 'body'>, id: number, texts: Texts) {
  const names = row.tags.map(({ name }) => name)
  const url = row.url ?? ''
  return {
    id,
    url,
    title: row.title,
    ...texts,
    web_archive_snapshot_url: `https://web.archive.org/web/${iso(row.created_at).replace(/\D/g, '').slice(0, 14)}/${url}`,
    favicon_url: null,
    preview_image_url: null,
    is_archived: hasState(names, 'archived'),
    unread: hasState(names, 'unread'),
    shared: false,
    tag_names: shownNames(names),
    date_added: iso(row.created_at),
    date_modified: iso(row.updated_at),
    website_title: null,
    website_description: null,
  }
}

export type Bookmark = ReturnType<typeof toBookmark>

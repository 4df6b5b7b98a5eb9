import type { Highlights, TagRef } from '@kopilka/contract/items.ts'
import { type Link, type LinkSave, type LinkSummary, links } from '@kopilka/contract/links.ts'
import { type Note, type NoteSave, type NoteSummary, notes } from '@kopilka/contract/notes.ts'
import type { ItemKind } from '../db/schema.ts'

/** What an item shows in a list: all but its body. */
export interface SummaryRow {
  id: string
  title: string
  excerpt: string
  url: string | null
  created_at: number
  updated_at: number
  tags: TagRef[]
  /** In a search only. */
  highlights?: Highlights
}

/** A whole item. */
export interface ItemRow extends SummaryRow {
  body: string
  revision: number
}

/** An item as a caller wants it saved. `tags` undefined: as they are. */
export interface ItemDraft {
  title: string
  body: string
  url: string | null
  tags: readonly string[] | undefined
}

/** Everything in which notes and links differ. Elsewhere nobody asks which of the two an item is. */
export interface Face<Save, Whole, Summary> {
  readonly kind: ItemKind
  readonly draftOf: (save: Save) => ItemDraft
  readonly whole: (row: ItemRow) => Whole
  readonly summary: (row: SummaryRow) => Summary
  /** The field that holds the body. */
  readonly bodyField: 'content' | 'description'
}

const iso = (time: number): string => new Date(time).toISOString()

const shown = ({ excerpt, highlights }: SummaryRow) => ({ excerpt, ...(highlights && { highlights }) })

const common = ({ id, title, created_at, updated_at, tags }: SummaryRow) => ({
  id,
  title,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
  tags,
})

export const noteFace = {
  kind: 'note',
  calls: notes,
  draftOf: ({ title, content, tags }) => ({ title, body: content, url: null, tags }),
  whole: (row) => ({ ...common(row), content: row.body }),
  summary: (row) => ({ ...common(row), ...shown(row) }),
  bodyField: 'content',
} as const satisfies Face<NoteSave, Note, NoteSummary> & { calls: typeof notes }

export const linkFace = {
  kind: 'link',
  calls: links,
  draftOf: ({ title, description, url, tags }) => ({ title, body: description, url, tags }),
  whole: (row) => ({ ...common(row), url: row.url ?? '', description: row.body }),
  summary: (row) => ({ ...common(row), url: row.url ?? '', ...shown(row) }),
  bodyField: 'description',
} as const satisfies Face<LinkSave, Link, LinkSummary> & { calls: typeof links }

import type { Highlights, TagRef, VersionSummary } from '@kopilka/contract/items.ts'
import type { ItemKind, Tables } from '../db/schema.ts'
import { withoutSizes } from '../files/picture-sizes.ts'
import type { TagChanges } from '../tags/item-tags.ts'

type Columns = Tables['items']

/**
 * The columns that callers fill: their field name in the API of each kind (null: the kind lacks the field and the column is
 * null), and whether lists show them. Select lists, inserts, updates, drafts and responses derive from this table, so a new
 * field costs one line here besides the contract, a migration and db/schema.ts.
 */
const FIELDS = {
  title: { note: 'title', link: 'title', inLists: true },
  url: { note: null, link: 'url', inLists: true },
  body: { note: 'content', link: 'description', inLists: false },
} as const satisfies Partial<Record<keyof Columns, Record<ItemKind, string | null> & { inLists: boolean }>>

type Fields = typeof FIELDS
type Column = keyof Fields
type ListColumn = { [C in Column]: Fields[C]['inLists'] extends true ? C : never }[Column]

const columns = Object.keys(FIELDS) as Column[]
const listColumns = columns.filter((column): column is ListColumn => FIELDS[column].inLists)

/** Columns that callers fill. */
export const CONTENT: readonly Column[] = columns

const isIn = (list: readonly string[], column: string): boolean => list.includes(column)

/** Columns that lists read. */
export const SUMMARY = ['id', 'excerpt', 'created_at', 'updated_at', 'pinned', ...listColumns] as const
/** Columns of a single item. */
export const WHOLE = ['id', 'excerpt', 'created_at', 'updated_at', 'pinned', 'revision', ...columns] as const
/** Columns that each save writes, besides `pinned`. */
export const SAVED = ['excerpt', 'title_key', 'identity_key', ...columns] as const

/** All that the journal keeps of an item, so that it can be put back. */
export const STORED = [...WHOLE, ...SAVED.filter((column) => !isIn(WHOLE, column))] as const

/** The values of the columns that callers fill. */
export type ItemContent = Pick<Columns, Column>
/** The values of these columns in a row, which may have been kept before a column existed: then null. */
export function contentOf(row: Partial<ItemContent>): ItemContent {
  // Object.fromEntries loses the names and types; they are those of FIELDS.
  return Object.fromEntries(columns.map((column) => [column, row[column] ?? null])) as ItemContent
}

const BLOCK = /<(?:p|div|h[1-6]|ul|ol|dl|table|pre|blockquote|figure|hr)\b/
const BEGINS_WITH_BLOCK = new RegExp(`^\\s*${BLOCK.source}`)

/** Text that stands in no element, as a program may save it, is a block of its own: its first word does not join the one before it. */
const asBlock = (html: string): string => {
  if (html === '' || BEGINS_WITH_BLOCK.test(html)) return html
  return BLOCK.test(html) ? `<div>${html}</div>` : `<p>${html}</p>`
}

/** Both texts, or the one that holds the other but for the sizes of own pictures. */
export function joinBodies(body: string, more: string): string {
  const [bare, bareMore] = [asBlock(withoutSizes(body)), asBlock(withoutSizes(more))]
  if (bare.includes(bareMore)) return body
  return bareMore.includes(bare) ? more : asBlock(body) + asBlock(more)
}

/** {@link ItemContent} with what is derived from it. */
export type SavedContent = Pick<Columns, (typeof SAVED)[number]>

/** Fields that a save may leave as they are: undefined. */
export interface OptionalFields {
  tags: readonly string[] | undefined
  pinned?: boolean | undefined
  /** Names of tags to add and to remove; `add` wins. In place of `tags`. */
  tagChanges?: TagChanges | undefined
}

/** An item as a caller sends it. */
export interface ItemDraft extends ItemContent, OptionalFields {}

/** An item in a list, without its body. */
export type SummaryRow = Pick<Columns, (typeof SUMMARY)[number]> & {
  tags: TagRef[]
  /** In a search only. */
  highlights?: Highlights
}

/** An item as it is stored. */
export type StoredRow = Pick<Columns, (typeof STORED)[number]>

/** A whole item. */
export type ItemRow = Pick<Columns, (typeof WHOLE)[number]> & { tags: TagRef[] }

/** Fields of a kind in the API, with the types of their columns. */
type FieldsOf<Kind extends ItemKind, C extends Column> = {
  [Name in C as Fields[Name][Kind] extends string ? Fields[Name][Kind] : never]: NonNullable<Columns[Name]>
}

/** What callers send. */
type SaveOf<Kind extends ItemKind> = FieldsOf<Kind, Column> &
  Partial<
    Pick<OptionalFields, 'tags' | 'pinned'> &
      Record<'add_tags' | 'remove_tags', readonly string[] | undefined>
  >

/** Maps items of a kind between the API and rows. */
export interface ItemMapping<Save, Whole, Summary, Version = unknown> {
  readonly kind: ItemKind
  readonly toDraft: (save: Save) => ItemDraft
  readonly toWhole: (row: ItemRow) => Whole
  readonly toSummary: (row: SummaryRow) => Summary
  readonly toVersion: (version: VersionSummary & ItemContent) => Version
}

function fieldsOf<Kind extends ItemKind, C extends Column>(
  kind: Kind,
  names: readonly C[],
  row: Pick<ItemContent, C>,
): FieldsOf<Kind, C> {
  const fields = names.flatMap((column) => {
    const field = FIELDS[column][kind]
    return field === null ? [] : [[field, row[column]]]
  })
  // Object.fromEntries loses the names and types; they are those of FIELDS.
  return Object.fromEntries(fields) as FieldsOf<Kind, C>
}

const iso = (time: number): string => new Date(time).toISOString()

const common = ({ id, created_at, updated_at, pinned, tags }: SummaryRow | ItemRow) => ({
  id,
  created_at: iso(created_at),
  updated_at: iso(updated_at),
  pinned: pinned === 1,
  tags,
})

const mappingOf = <Kind extends ItemKind>(kind: Kind) => ({
  kind,
  toDraft({ tags, pinned, add_tags, remove_tags, ...save }: SaveOf<Kind>): ItemDraft {
    const content = columns.map((column) => {
      const field = FIELDS[column][kind]
      return [column, field === null ? null : Reflect.get(save, field)]
    })
    const tagChanges = (add_tags || remove_tags) && { add: add_tags ?? [], remove: remove_tags ?? [] }
    // Object.fromEntries loses the names and types; they are those of FIELDS.
    return { ...(Object.fromEntries(content) as ItemContent), tags, pinned, tagChanges }
  },
  toWhole: (row: ItemRow) => ({ ...common(row), ...fieldsOf(kind, columns, row) }),
  toSummary: (row: SummaryRow) => ({
    ...common(row),
    ...fieldsOf(kind, listColumns, row),
    excerpt: row.excerpt,
    ...(row.highlights && { highlights: row.highlights }),
  }),
  toVersion: ({ revision, saved_at, title, excerpt, tags, ...content }: VersionSummary & ItemContent) => ({
    ...{ revision, saved_at, excerpt, tags },
    ...fieldsOf(kind, columns, { ...content, title }),
  }),
})

export const noteMapping = mappingOf('note')
export const linkMapping = mappingOf('link')

/** The field of the API that holds the body. */
export const bodyFieldOf = (kind: ItemKind): string => FIELDS.body[kind]

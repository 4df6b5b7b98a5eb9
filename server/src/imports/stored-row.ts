import type { Locale } from '@kopilka/contract/field-messages.ts'
import { lengthOf, RAW_FACTOR, RAW_HTML_FACTOR, toLine, toText } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { type MessageKey, translate } from '@kopilka/contract/messages.ts'
import type { ImportRowsTable } from '../db/schema.ts'
import { cleanHtml } from '../items/html.ts'
import { identityKeyOf } from '../items/identity.ts'
import { countTagsBeyond, cut, fitTags } from './finish-row.ts'
import type { ImportedItem, ImportReason, ItemState, Rejection } from './row.ts'

/** An entry as it is stored; whether its item is new or kept already shows when it is. */
export interface FreshRow extends Omit<ImportRowsTable, 'owner_id' | 'import_id' | 'seq'> {
  /** When it was deleted, where it belongs to the trash; stored with the item. */
  readonly deletedAt?: number | undefined
}

/** What a stored entry has of its item besides the title and the address. The body is clean HTML. */
export type KeptItem = Pick<
  ImportedItem,
  'body' | 'tags' | 'folders' | 'createdAt' | 'updatedAt' | 'pinned' | 'revision' | 'deletedAt' | 'versions'
>

/** What the JSON of a {@link KeptItem} without a text begins with. */
export const WITHOUT_TEXT = '{"body":""'

/** States that Копилка has no field for become tags of these names. */
const STATE_TAGS = {
  archived: 'importTagArchived',
  unread: 'importTagUnread',
  starred: 'importTagStarred',
  private: 'importTagPrivate',
  done: 'importTagDone',
} as const satisfies Record<ItemState, MessageKey>

/**
 * What Копилка has stored, so far as a database stores it: it may have characters that are not normalised, and others that
 * {@link toText} drops, where they were written as references.
 */
const asStored = (html: string): string => html.toWellFormed().replaceAll('\0', '')

/** Clean HTML; undefined where it is too long for an item, or for the cleaner. `isExact`: as of {@link ImportedItem}. */
function cleanBody(html: string, isExact: boolean): string | undefined {
  if (html === '') return ''
  if (html.length > MAX_LENGTH.html * RAW_HTML_FACTOR) return undefined
  const body = cleanHtml(isExact ? asStored(html) : toText(html))
  return body.length > MAX_LENGTH.html && lengthOf(body) > MAX_LENGTH.html ? undefined : body
}

/** Where a text is cut so that no word, tag or character is: at the last white space or tag, unless that is far. */
function withoutEnd(html: string, max: number): string {
  const piece = html.slice(0, max)
  const end = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'), piece.lastIndexOf('<'))
  return end > max - 2000 ? piece.slice(0, end) : piece
}

/** The beginning of a text that is too long for an item, as clean HTML. Cleaning makes some texts longer. */
function cutBody(html: string, isExact: boolean): string | undefined {
  for (const share of [1, 0.9, 0.6, 0.3, 0.15]) {
    const body = cleanBody(withoutEnd(html, MAX_LENGTH.html * share), isExact)
    if (body !== undefined) return body
  }
  return undefined
}

/** Characters of the name of a file within the file that are kept. */
const MAX_FILE_NAME = 1000

/** What is kept of a line, which may have megabytes: many entries are shown and moved between threads at once. */
const lineUpTo = (max: number, text: string): string => cut(toLine(text.slice(0, max * RAW_FACTOR)), max)

/** Makes an entry what is stored of it: its HTML is cleaned, and what is too long for an item is cut for a link, and a note of it is broken. */
export function toStoredRow(row: ImportedItem | Rejection, locale: Locale): FreshRow {
  const { title, url = null, place } = row
  const common = {
    place: JSON.stringify({
      ...place,
      ...(place.file !== undefined && { file: lineUpTo(MAX_FILE_NAME, place.file) }),
    }),
    title: lineUpTo(MAX_LENGTH.title, title ?? ''),
    url: url && lineUpTo(MAX_LENGTH.url, url),
  }
  const rejected = (state: 'broken' | 'ignored', reasons: readonly ImportReason[]): FreshRow => ({
    ...common,
    ...{ state, kind: null, reasons: JSON.stringify(reasons), identity_key: null, item: null },
  })
  if (row.state !== 'item') return rejected(row.state, [row.reason])
  const { isExact } = row
  const whole = cleanBody(row.body, isExact)
  // A link is kept also without the end of what was said of it.
  const body = whole ?? (row.kind === 'link' ? cutBody(row.body, isExact) : undefined)
  if (body === undefined) return rejected('broken', ['importLongEntry'])
  const cutTexts: ImportReason[] = whole === undefined ? ['importTextCut'] : []
  const { kind, tags, folders, createdAt, updatedAt, pinned, states, remarks } = row
  const { revision, deletedAt, versions } = row
  const stateTags = states.map((state) => translate(STATE_TAGS[state], locale))
  const fitting = versions.flatMap((version) => {
    const cleaned = cleanBody(version.body, isExact)
    return cleaned === undefined ? [] : { ...version, body: cleaned }
  })
  const longVersions: ImportReason[] =
    fitting.length < versions.length ? [`importBrokenVersions:${versions.length - fitting.length}`] : []
  const item: KeptItem = {
    // The body is first in the JSON: WITHOUT_TEXT.
    ...{ body, folders, createdAt, updatedAt, pinned, revision, deletedAt },
    versions: fitting,
    tags: fitTags([...tags, ...stateTags]),
  }
  const content = { title: common.title, url: kind === 'link' ? common.url : null, body }
  return {
    ...common,
    ...{
      state: 'new',
      kind,
      reasons: JSON.stringify([
        ...withMoreTags(remarks, countTagsBeyond(item)),
        ...cutTexts,
        ...longVersions,
      ]),
    },
    identity_key: identityKeyOf(content),
    item: JSON.stringify(item),
    deletedAt,
  }
}

const MANY_TAGS = 'importManyTags:'

/** The remarks with the tags that states and folders make too many: beside those of the entry itself in one number. */
function withMoreTags(remarks: readonly ImportReason[], more: number): readonly ImportReason[] {
  if (more === 0) return remarks
  const own = remarks.find((remark) => remark.startsWith(MANY_TAGS))
  const count = more + Number(own?.slice(MANY_TAGS.length) ?? 0)
  return [...remarks.filter((remark) => remark !== own), `${MANY_TAGS}${count}`]
}

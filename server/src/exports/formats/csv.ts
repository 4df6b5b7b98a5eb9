import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { isoTime, type TextFormat } from '../format.ts'

/**
 * A spreadsheet takes a cell that begins so for a formula, and runs it (OWASP, CSV Injection): an apostrophe before it says that
 * it is none. Apostrophes of its own get one more, so that an import takes away no other. In files of earlier versions they got
 * none: there nobody can tell whose the first one is.
 */
const FORMULA = /^'*[=+\-@\t\r]/

/** RFC 4180: quoted, quotes doubled. */
const cell = (value: string): string =>
  `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`

const line = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

const COLUMNS = [
  'kind',
  'title',
  'url',
  'text',
  'html',
  'tags',
  'pinned',
  'created_at',
  'updated_at',
  'deleted_at',
]

/** Names between commas; as JSON where one has a comma, or the cell would look like JSON. */
function tagCell(tags: readonly string[]): string {
  const names = tags.join(', ')
  return tags.some((name) => name.includes(',')) || names.startsWith('["') ? JSON.stringify(tags) : names
}

/** A table with a line for each item, for spreadsheets: its byte order mark tells Excel that it is UTF-8. */
export const csv: TextFormat = {
  begin: () => `\uFEFF${line(COLUMNS)}`,
  write(record) {
    if (record.type !== 'item') return ''
    const { kind, title, url, body, tags, pinned, created_at, updated_at, deleted_at } = record.item
    return line([
      kind === 'link' ? 'urllink' : 'note',
      title,
      url ?? '',
      htmlToText(body),
      body,
      tagCell(tags),
      pinned ? '1' : '0',
      isoTime(created_at),
      isoTime(updated_at),
      deleted_at === undefined ? '' : isoTime(deleted_at),
    ])
  },
  end: () => '',
}

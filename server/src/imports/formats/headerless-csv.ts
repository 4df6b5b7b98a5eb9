import { parse } from 'csv-parse/sync'
import type { Adapter } from '../adapter.ts'
import { BEFORE_HEADER, type CsvRecord, csvRecords, DELIMITERS } from '../csv-records.ts'
import { dateOf, parseDate } from '../dates.ts'
import { encodingOfSample, headOf, textOf } from '../file.ts'
import { type RawRow, remarkOnOthers } from '../row.ts'
import { withScheme } from '../text-body.ts'
import { cellToHtml } from './csv.ts'

/** What of a file shows whether it is such a table: UTF-16 units, and records. */
const SAMPLE = 64 * 1024
const RECORDS = 100

/** Columns that may be that of the addresses. */
const MAX_COLUMNS = 50

const isAddress = (cell: string): boolean => /^(?:https?|ftp):\/\/[^\s<>"]+$/i.test(cell)
const hasLetter = (cell: string): boolean => /\p{L}/u.test(cell)

interface Table {
  readonly delimiter: string
  /** The column of the addresses. */
  readonly column: number
}

/** A table without a header, where one column has addresses. */
export const headerlessCsv: Adapter = {
  id: 'csv',
  recognises: ({ name, head, columns }) =>
    // Texts of other kinds are not parsed as tables.
    columns.length > 1 &&
    columns.some((text) => text.includes('://')) &&
    !/\.(?:md|markdown|mdown|mkd)$/i.test(name) &&
    tableOf(head) !== undefined,
  async *rows(file): AsyncGenerator<RawRow> {
    const head = await headOf(file)
    const table = tableOf(new TextDecoder(encodingOfSample(head)).decode(head, { stream: true }))
    if (!table) return
    const { delimiter, column } = table
    for await (const record of csvRecords(textOf(file), delimiter, { hasHeader: false }))
      yield rowOf(record, column)
  },
}

/**
 * The title stands before the address or else after it. Of what follows, a date is the one of the entry, and words are its text.
 */
function rowOf({ line, cell, filled }: CsvRecord, column: number): RawRow {
  const cells = filled.map((name) => ({ at: Number(name), text: cell(name) }))
  const address = cells.find(({ at }) => at === column) ?? cells.find(({ text }) => isAddress(text))
  const others = cells.filter((one) => one !== address)
  const date = others.find(({ text }) => isDate(text))
  const words = others.filter(({ text }) => hasLetter(text) && !isDate(text))
  const title =
    words.find(({ at, text }) => at === (address?.at ?? 0) - 1 && !isAddress(text)) ??
    words.find(({ at, text }) => at > (address?.at ?? -1) && !isAddress(text)) ??
    words.find(({ text }) => !isAddress(text)) ??
    // '1984' is a title as well; before the address a number is rather that of the row.
    others.find((one) => one !== date && one.at === (address?.at ?? 0) + 1 && !isAddress(one.text))
  const texts = words.filter((one) => one !== title).map(({ text }) => cellToHtml(text))
  const isRead = (one: (typeof others)[number]) => one === title || one === date || words.includes(one)
  const left = others.filter((one) => !isRead(one)).length
  return {
    place: { line },
    url: withScheme(address?.text ?? ''),
    title: title?.text,
    body: texts.join(''),
    createdAt: dateOf(date?.text),
    remarks: remarkOnOthers(left),
  }
}

/** A short number is rather that of the entry, and 'Windows 11' a title, which `Date.parse` takes for a date. */
const isDate = (text: string): boolean =>
  !/^\d{1,8}$/.test(text) && (/^\d/.test(text) || /\d:\d\d/.test(text)) && parseDate(text) !== undefined

function tableOf(head: string): Table | undefined {
  const whole = head.slice(0, SAMPLE)
  const isCut = whole.length < head.length
  const text = (isCut ? whole.slice(0, whole.lastIndexOf('\n') + 1) : whole).replace(BEFORE_HEADER, '')
  for (const delimiter of DELIMITERS) {
    const column = addressColumn(recordsOf(text, delimiter, isCut), delimiter)
    if (column !== undefined) return { delimiter, column }
  }
  return undefined
}

function recordsOf(text: string, delimiter: string, isCut: boolean): string[][] {
  const records: string[][] = []
  try {
    parse(text, {
      ...{ delimiter, bom: true, to: RECORDS },
      ...{ relax_column_count: true, relax_quotes: true, skip_empty_lines: true },
      on_record: (record: string[]) => {
        records.push(record)
        return null
      },
    })
    return records
  } catch {
    // A quote that is not closed: no table, or one that is cut here.
    return isCut ? records : []
  }
}

/** The column that has an address in nearly every record, where other cells show that the marks between them are delimiters. */
function addressColumn(records: readonly string[][], delimiter: string): number | undefined {
  const isMost = (fits: (record: readonly string[]) => boolean, share: number) =>
    records.length > 0 && records.filter(fits).length >= records.length * share
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...records.slice(0, 10).map((record) => record.length)))
  for (let column = 0; column < width; column += 1) {
    const hasAddress = (record: readonly string[]) => record.length > 1 && isAddress(record[column] ?? '')
    if (isMost(hasAddress, 0.8))
      return isMost((record) => isDelimited(record, column, delimiter), 0.5) ? column : undefined
  }
  return undefined
}

/**
 * Whether the cells of a record are no parts of one address ('https://example.org/news/12,34'), no list of addresses, and no
 * address with words after a comma ('https://example.org/, words').
 */
function isDelimited(record: readonly string[], column: number, delimiter: string): boolean {
  const others = record.filter((cell, at) => at !== column && cell.trim() !== '' && !isAddress(cell.trim()))
  if (others.length === 0 || record[column + 1]?.startsWith(' ')) return false
  const address = record[column] ?? ''
  // Not the second half of '…/wiki/Толстой,_Лев_Николаевич' or of '…/?q=Москва,Россия'.
  const isWord = (cell: string) =>
    !address.includes('?') && !/^[_+%-]/.test(cell) && /\s|[^!-~]|^\p{Lu}/u.test(cell)
  const isWhole = /^[a-z]+:\/\/[^/?#]+$|\/$/i.test(address)
  return delimiter === '\t' || column > 0 || isWhole || others.some(isWord)
}

import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { ImportError } from './row.ts'

/** A record's cells by the names of their columns, in lower case, and the line where it begins. */
export interface CsvRecord {
  readonly line: number
  readonly cell: (name: string) => string
  /** Names of the columns that have something, once for each cell. */
  readonly filled: readonly string[]
}

/** UTF-16 units of a record. */
const MAX_RECORD = 8 * 1024 * 1024

const columnName = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()

/** What may stand before the header: empty lines, and the line by which Excel learns the delimiter. */
export const BEFORE_HEADER = /^\uFEFF?(?:[^\S\r\n]*(?:sep=.)?(?:\r\n?|\n))+/i

/** Without a header a bar is no delimiter: OneTab writes 'address | title'. */
export const DELIMITERS = [',', ';', '\t']

/** A table in Markdown: a bar before its first line, or a line under it. */
const MARKDOWN_TABLE = /^\uFEFF?\s*\||^[^\r\n]*(?:\r\n?|\n)[ \t]*:?-{2}[-:| \t]*(?:[\r\n]|$)/

/** Of the delimiters that programs write, the one that the first line has most of. */
export function delimiterOf(text: string): string {
  const head = text.replace(BEFORE_HEADER, '')
  const line = head.slice(0, Math.max(head.search(/\r|\n/), 0) || undefined)
  const delimiters = MARKDOWN_TABLE.test(head) ? DELIMITERS : [...DELIMITERS, '|']
  const counts = delimiters.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter
}

/** The names of the columns, if the first line is a header. */
export function columnsOf(text: string): string[] {
  const head = text.replace(BEFORE_HEADER, '').replace(/^\uFEFF/, '')
  const [line = ''] = head.split(/\r\n?|\n/, 1)
  return line.length > 5000
    ? []
    : line.split(delimiterOf(head)).map((name) => columnName(name.trim().replace(/^"(.*)"$/, '$1')))
}

/** Line breaks as one character each: csv-parse counts those of Windows twice within quotes. */
async function* withLineFeeds(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  for await (const piece of text) {
    const whole = held + piece
    held = whole.endsWith('\r') ? '\r' : ''
    yield whole.slice(0, whole.length - held.length).replace(/\r\n?/g, '\n')
  }
  if (held !== '') yield '\n'
}

const countLines = (text: string): number => text.split('\n').length - 1

/** The records of a CSV file. Without a header the names of the columns are their numbers, from 0; cells beyond it have no name. */
export async function* csvRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  { hasHeader = true } = {},
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    delimiter,
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    record_delimiter: '\n',
    max_record_size: MAX_RECORD,
  })
  let before = 0
  async function* fromHeader(): AsyncGenerator<string> {
    let isFirst = true
    for await (const piece of withLineFeeds(text)) {
      const rest = isFirst ? piece.replace(BEFORE_HEADER, '') : piece
      if (isFirst) before = countLines(piece.slice(0, piece.length - rest.length))
      isFirst = false
      if (rest !== '') yield rest
    }
  }
  const source = Readable.from(fromHeader())
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let columns: readonly string[] | undefined
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[]
      info: { lines: number }
    }>) {
      if (hasHeader && !columns) columns = record.map(columnName)
      else yield recordOf(record, columns, before + info.lines)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ImportError(error.code === 'CSV_MAX_RECORD_SIZE' ? 'importLongEntry' : 'importBrokenCsv')
  } finally {
    source.destroy()
    parser.destroy()
  }
}

/** Of columns of one name a record says what the first says that says anything. */
function recordOf(record: readonly string[], columns: readonly string[] | undefined, end: number): CsvRecord {
  const values = new Map<string, string>()
  const filled: string[] = []
  let breaks = 0
  for (const [at, cell] of record.entries()) {
    breaks += countLines(cell)
    const value = cell.trim()
    if (value === '') continue
    const name = columns ? (columns[at] ?? '') : String(at)
    filled.push(name)
    if (!values.has(name)) values.set(name, value)
  }
  return { line: end - breaks, cell: (name) => values.get(name) ?? '', filled }
}

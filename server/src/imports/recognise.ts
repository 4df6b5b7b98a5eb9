import type { Adapter, Sample } from './adapter.ts'
import { columnsOf } from './csv-records.ts'
import { encodingOfSample, headOf, type ImportFile } from './file.ts'
import { MARKED, STRUCTURED, TABLES, TEXTS } from './formats/index.ts'
import { markdown } from './formats/markdown.ts'
import { jsonShape } from './json-events.ts'

/** What the first bytes of a file say it is. */
export type Container = 'zip' | 'tar' | 'lz4' | 'text' | 'other'

/** What other kinds of files begin with, and the place where: pictures, archives, programs, databases. */
const BEGINNINGS: readonly (readonly [Container, string, number?])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['zip', 'PK\x07\x08'],
  ['lz4', 'mozLz40\0'],
  ['tar', 'ustar', 257],
  ['other', '%PDF'],
  ['other', '\x89PNG'],
  ['other', '\xFF\xD8\xFF'],
  ['other', 'GIF8'],
  ['other', 'RIFF'],
  ['other', 'SQLite format 3'],
  ['other', '\x1F\x8B'],
  ['other', '7z\xBC\xAF'],
  ['other', 'Rar!'],
  ['other', '\x7FELF'],
]

export function containerOf(head: Uint8Array): Container {
  const start = Buffer.from(head.subarray(0, 300)).toString('latin1')
  return BEGINNINGS.find(([, text, at = 0]) => start.startsWith(text, at))?.[0] ?? 'text'
}

/** Whether a file is of text, which has few control characters (some programs let them into titles) and is decoded as a whole. */
function isText(head: string, isDecoded: boolean): boolean {
  const undecoded = isDecoded ? 0 : (head.match(/\uFFFD/g)?.length ?? 0)
  const start = head.slice(0, 4000)
  const controls = start.match(/(?![\s\u0080-\u009F])\p{Cc}/gu)?.length ?? 0
  return undecoded * 10 <= head.length && controls * 20 <= start.length
}

/** Whether all of the bytes mean something: a replacement character may also be written there. */
function isDecodedBy(encoding: string, bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Names of notes in Markdown, which may begin with a link, an attribute or an element. */
const MARKDOWN_NAME = /\.(?:md|markdown|mdown|mkd)$/i

/** The format of a text file, by its content; its name decides only where any text would do. */
export async function recognise(file: ImportFile): Promise<Adapter | undefined> {
  const bytes = await headOf(file)
  // A note may have nothing but its name.
  const named = MARKDOWN_NAME.test(file.name) ? markdown : undefined
  if (bytes.length === 0) return named
  if (containerOf(bytes) !== 'text') return undefined
  const encoding = encodingOfSample(bytes)
  const head = new TextDecoder(encoding).decode(bytes, { stream: true })
  if (!isText(head, isDecodedBy(encoding, bytes))) return undefined
  const sample = (json: ReadonlySet<string>, columns: readonly string[]): Sample => ({
    name: file.name,
    head,
    json,
    columns,
  })
  const start = head.trimStart()
  const find = (adapters: readonly Adapter[], given: Sample) =>
    adapters.find((adapter) => adapter.recognises(given))
  if (start.startsWith('{') || start.startsWith('[')) {
    const found = find(STRUCTURED, sample(jsonShape(start), []))
    // A Markdown file may begin with a link in brackets.
    return (
      found ??
      (start.startsWith('{') || /^\[\s*[\]{["\d]/.test(start) ? named : find(TEXTS, sample(new Set(), [])))
    )
  }
  if (start.startsWith('<')) return find(MARKED, sample(new Set(), [])) ?? named
  const given = sample(new Set(), columnsOf(head))
  return find(TABLES, given) ?? find(TEXTS, given) ?? find(MARKED, given)
}

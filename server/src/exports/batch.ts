import { constants, crc32, deflateRawSync } from 'node:zlib'
import type { ExportFormat } from '@kopilka/contract/exports.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { fileIdsIn } from '../files/references.ts'
import type { TextFormat } from './format.ts'
import { archive, pictureName } from './formats/archive.ts'
import { csv } from './formats/csv.ts'
import { json } from './formats/json.ts'
import { netscape } from './formats/netscape.ts'
import { type ExportFilter, type ExportRecord, PHASES, type Place, recordsAfter } from './records.ts'
import { isOpen, picturesAmong } from './rows.ts'
import { packed } from './zip.ts'

const TEXT_FORMATS = { archive, csv, json, netscape } satisfies Record<
  Exclude<ExportFormat, 'markdown'>,
  TextFormat
>

/** Characters after which a batch ends: what one export holds in memory, many times over. */
const BATCH = 128 * 1024

/** Where an export is. */
export interface Progress {
  readonly place: Place
  readonly begun: boolean
  /** What was written last. */
  readonly before: ExportRecord['type'] | undefined
  /** Of the text so far. */
  readonly crc: number
  /** Items so far. */
  readonly items: number
}

export const START: Progress = {
  place: { phase: 'tags' },
  begun: false,
  before: undefined,
  crc: 0,
  items: 0,
}

export interface BatchRequest {
  readonly format: ExportFormat
  readonly filter: ExportFilter
  readonly progress: Progress
  /** `filter.ids` are a part of those that are wanted: others follow. */
  readonly hasMoreIds: boolean
}

/** A file of a zip: its name without the ending, which others may have as well. */
interface PackedFile {
  readonly name: string
  readonly crc: number
  readonly size: number
  /** Bytes of its packed text. */
  readonly packed: number
}

export interface Batch {
  /**
   * The text in UTF-8; of an archive, packed as a part of one stream; of Markdown, the packed texts of the files, one after
   * the other: bytes of their own would each travel between threads with the memory that they are a part of.
   */
  readonly bytes: Uint8Array
  /** Bytes of the text. */
  readonly size: number
  /** Of all the text so far. */
  readonly crc: number
  /** The files of Markdown. */
  readonly files: readonly PackedFile[]
  /** The ids of the pictures that an archive or the files of Markdown need besides. */
  readonly pictures: readonly string[]
  /** Undefined at the end. */
  readonly next: Progress | undefined
}

/** Reads and writes the next piece of an export. Runs in a worker thread; what it holds depends on the longest text alone. */
export async function exportBatch(
  db: Db,
  { format, filter, progress, hasMoreIds }: BatchRequest,
): Promise<Batch> {
  if ((await isOpen(db, filter)).length === 0) throw new AppError('unauthorized')
  const write = await writerOf(db, format, filter, progress)
  const { phase } = progress.place
  let place = progress.place
  for await (const { record, next } of recordsAfter(db, filter, place)) {
    place = next
    await write.record(record)
    if (write.length() >= BATCH) return write.finish(place)
  }
  if (hasMoreIds) return write.finish({ phase, after: [filter.ids?.at(-1) ?? ''] })
  const following = PHASES[PHASES.indexOf(phase) + 1]
  return write.finish(following && { phase: following })
}

interface Writer {
  readonly record: (record: ExportRecord) => Promise<void> | void
  readonly length: () => number
  readonly finish: (place: Place | undefined) => Batch
}

async function writerOf(
  db: Db,
  format: ExportFormat,
  { owner_id, now }: ExportFilter,
  progress: Progress,
): Promise<Writer> {
  if (format !== 'markdown') return textWriter(format, now, progress)
  // Loaded when it is needed: it takes megabytes in each thread.
  const { markdownFile } = await import('./formats/markdown.ts')
  const files: PackedFile[] = []
  const texts: Buffer[] = []
  const pictures = new Set<string>()
  let [length, { items }] = [0, progress]
  return {
    async record(record) {
      if (record.type !== 'item') return
      const ids = fileIdsIn(record.item.body)
      const found = ids.length === 0 ? [] : await picturesAmong(db, { owner_id, ids })
      const places = new Map(found.map(({ id, type }) => [id, pictureName(id, type)]))
      for (const id of places.keys()) pictures.add(id)
      const { name, text } = markdownFile(record.item, (id) => places.get(id))
      const { bytes, ...file } = packed(Buffer.from(text))
      files.push({ name, ...file })
      texts.push(bytes)
      length += text.length
      items += 1
    },
    length: () => length,
    finish: (place) => ({
      bytes: Buffer.concat(texts),
      size: 0,
      crc: 0,
      files,
      pictures: [...pictures],
      next: place && { ...progress, place, begun: true, items },
    }),
  }
}

function textWriter(format: keyof typeof TEXT_FORMATS, now: number, progress: Progress): Writer {
  const { begin, write, end } = TEXT_FORMATS[format]
  let { before, items } = progress
  let text = progress.begun ? '' : begin(now)
  const pictures = new Set<string>()
  return {
    record(record) {
      const written = write(record, before)
      if (written === '') return
      text += written
      for (const id of format === 'archive' ? fileIdsIn(bodyIn(record)) : []) pictures.add(id)
      before = record.type
      if (record.type === 'item') items += 1
    },
    length: () => text.length,
    finish(place) {
      const raw = Buffer.from(place ? text : text + end(before))
      const crc = crc32(raw, progress.crc)
      const next = place && { place, begun: true, before, crc, items }
      const common = { size: raw.length, crc, files: [], pictures: [...pictures], next }
      if (format !== 'archive') return { bytes: raw, ...common }
      // Each piece ends at a byte, so that the pieces of several threads make one stream; the last one ends it.
      const finishFlush = place ? constants.Z_SYNC_FLUSH : constants.Z_FINISH
      return { bytes: deflateRawSync(raw, { finishFlush }), ...common }
    },
  }
}

function bodyIn(record: ExportRecord): string {
  switch (record.type) {
    case 'tag':
      return ''
    case 'item':
      return record.item.body
    case 'version':
      return record.version.body
  }
}

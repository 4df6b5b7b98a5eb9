import { crc32 } from 'node:zlib'
import type { ExportFormat } from '@kopilka/contract/exports.ts'
import type { FileKey, FileStore } from '../files/store.ts'
import { type IdPiece, type IdPieces, idsInPiece } from '../items/id-pieces.ts'
import type { Pool } from '../threads/pool.ts'
import { type Batch, type BatchRequest, START } from './batch.ts'
import { ARCHIVE_FILE, pictureName, README } from './formats/archive.ts'
import type { ExportFilter } from './records.ts'
import { createZip, lastBlock, packed, storedBlocks } from './zip.ts'

/** What is exported. The ids, sorted, are those of items and of the trash; absent: all that the filter holds. */
export interface ExportRequest {
  readonly format: ExportFormat
  readonly filter: Omit<ExportFilter, 'ids' | 'isNamed'>
  readonly ids?: Readonly<Record<'named' | 'namedTrash', IdPieces>>
}

export interface Reading {
  /** Where the pictures are that a zip holds besides. */
  readonly pictures: Pick<FileStore, 'find' | 'bytesOf'>
  readonly signal?: AbortSignal | undefined
  /** Called with the number of items written so far. */
  readonly onProgress?: ((items: number) => void) | undefined
}

/** Of the threads most stay free for searches. */
const BATCHES = { name: 'batches of exports', total: 1 }

/**
 * The batches of an export. Each is read when the one before is taken, in a transaction of its own. It is given a piece of the
 * ids: their rows are read at once, with short texts.
 */
async function* batchesOf(
  pool: Pool,
  { format, filter, ids }: ExportRequest,
  { signal, onProgress }: Reading,
): AsyncGenerator<Batch> {
  let taken = 0
  for (let progress: Batch['next'] = START; progress; ) {
    const { phase, after } = progress.place
    const named = ids && (phase === 'named' || phase === 'namedTrash') ? ids[phase] : []
    if (after === undefined) taken = 0
    const done = String(after?.[0] ?? '')
    while (taken < named.length && lastIn(named[taken]) <= done) taken += 1
    const request: BatchRequest = {
      format,
      filter: {
        ...filter,
        isNamed: ids !== undefined,
        ids: named.slice(taken, taken + 1).flatMap(idsInPiece),
      },
      progress,
      hasMoreIds: taken + 1 < named.length,
    }
    const { owner_id } = filter
    const options = { owner_id, signal, unlimitedWait: true, group: BATCHES }
    const batch: Batch = await pool.run<Batch>('exportBatch', request, options)
    yield batch
    progress = batch.next
    if (progress) onProgress?.(progress.items)
  }
}

const lastIn = (piece: IdPiece | undefined): string => (piece ? (idsInPiece(piece).at(-1) ?? '') : '')

/** The bytes of a file, made as fast as they are taken: a few hundred kilobytes are held, whatever its size. */
export async function* exportBytes(
  pool: Pool,
  request: ExportRequest,
  reading: Reading,
): AsyncGenerator<Uint8Array> {
  const batches = batchesOf(pool, request, reading)
  switch (request.format) {
    case 'archive':
      return yield* archiveOf(batches, { owner_id: request.filter.owner_id, ...reading })
    case 'markdown':
      return yield* folderOf(batches, { owner_id: request.filter.owner_id, ...reading })
    default:
      for await (const { bytes } of batches) yield bytes
  }
}

async function* archiveOf(
  batches: AsyncIterable<Batch>,
  { owner_id, pictures }: Pick<Reading, 'pictures'> & { owner_id: string },
): AsyncGenerator<Uint8Array> {
  const zip = createZip()
  const about = packed(Buffer.from(README))
  yield zip.file('README.txt', about)
  yield about.bytes
  const { head, end } = zip.begin(ARCHIVE_FILE)
  yield head
  let whole = { crc: crc32(''), size: 0, packed: 0 }
  const named = new Set<string>()
  for await (const { bytes, size, crc, pictures: ids } of batches) {
    for (const id of ids) named.add(id)
    whole = { crc, size: whole.size + size, packed: whole.packed + bytes.length }
    yield bytes
  }
  yield end(whole)
  yield* picturesIn(zip, pictures, { owner_id, ids: named })
  yield* zip.end()
}

async function* picturesIn(
  zip: ReturnType<typeof createZip>,
  pictures: Reading['pictures'],
  { owner_id, ids }: { owner_id: string; ids: Iterable<string> },
): AsyncGenerator<Uint8Array> {
  for (const id of [...ids].sort()) yield* pictureIn(zip, pictures, { owner_id, id })
}

/** A picture as a file of a zip; nothing where the owner has none of that id. */
async function* pictureIn(
  zip: ReturnType<typeof createZip>,
  pictures: Reading['pictures'],
  key: FileKey,
): AsyncGenerator<Uint8Array> {
  const found = await pictures.find(key)
  if (!found) return
  const { head, end } = zip.begin(pictureName(key.id, found.type))
  yield head
  let whole = { crc: crc32(''), size: 0, packed: 0 }
  for await (const bytes of pictures.bytesOf({ ...key, ...found })) {
    let { packed } = whole
    for (const block of storedBlocks(bytes)) {
      packed += block.length
      yield block
    }
    whole = { crc: crc32(bytes, whole.crc), size: whole.size + bytes.length, packed }
  }
  const last = lastBlock()
  yield last
  yield end({ ...whole, packed: whole.packed + last.length })
}

async function* folderOf(
  batches: AsyncIterable<Batch>,
  { owner_id, pictures }: Pick<Reading, 'pictures'> & { owner_id: string },
): AsyncGenerator<Uint8Array> {
  const zip = createZip()
  const nameOf = uniqueNames()
  const ids = new Set<string>()
  for await (const { files, bytes, pictures: named } of batches) {
    for (const id of named) ids.add(id)
    const pieces: Uint8Array[] = []
    let from = 0
    for (const { name, ...file } of files) {
      pieces.push(zip.file(`${nameOf(name)}.md`, file), bytes.subarray(from, from + file.packed))
      from += file.packed
    }
    yield Buffer.concat(pieces)
  }
  yield* picturesIn(zip, pictures, { owner_id, ids })
  yield* zip.end()
}

/**
 * Makes names unique, in whatever letter case: 'План', 'План 2'. Keeps a checksum of each instead of the name; where two
 * have the same one, a name gets a number that it would not need.
 */
function uniqueNames(): (name: string) => string {
  /** The next number for each name. */
  const numbers = new Map<number, number>()
  // File systems fold letters as in capitals: ß is SS, and ς as well as σ is Σ.
  const keyOf = (name: string): number => crc32(name.normalize('NFC').toUpperCase()) | 0
  return (name) => {
    for (let number = numbers.get(keyOf(name)) ?? 1; ; number += 1) {
      const unique = number === 1 ? name : `${name} ${number}`
      if (number > 1 && numbers.has(keyOf(unique))) continue
      numbers.set(keyOf(name), number + 1)
      if (number > 1) numbers.set(keyOf(unique), 2)
      return unique
    }
  }
}

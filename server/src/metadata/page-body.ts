import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { AppError } from '../errors.ts'
import { causeOf } from './connection.ts'

/** Most bytes of a page that are read, counted both before and after decompression. */
const PAGE_BYTES = 2 * 1024 * 1024
/**
 * Most chunks of a body, after which it ends as well: Node parses each on the event loop, in 4 µs, and would go on for seconds
 * with chunks of one byte. Common servers send kilobytes in each.
 */
const MAX_CHUNKS = 2_048
const MAX_ENCODINGS = 2
/** RFC 9659: the largest window of zstd on the web. */
const ZSTD_WINDOW_LOG = 23

type Bytes = AsyncIterable<Buffer>

/** Decoders by encoding. They return what they can of truncated data. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}

/** Encodings for `Accept-Encoding`. `deflate` is accepted but not requested, because it has two formats. */
export const ENCODINGS = 'gzip, br, zstd'

/** Bytes of a body to each of its chunks on average, at least: half of what is read at once. */
const CHUNK_BYTES = 2 * 1024

/** The decompressed body of a response as it arrives, up to `maxBytes`. Throws 'fetchTooSlow' and what a broken connection is. */
export async function* bodyOf(
  response: IncomingMessage,
  signal: AbortSignal,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<Buffer> {
  let isEmpty = true
  try {
    const maxChunks = Math.max(MAX_CHUNKS, maxBytes / CHUNK_BYTES)
    let bytes = firstOf(received(response, signal, maxChunks), maxBytes)
    for (const decoder of decodersOf(response)) bytes = firstOf(decoded(bytes, decoder), maxBytes)
    for await (const part of bytes) {
      isEmpty = false
      yield part
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('fetchTooSlow')
    // What came before is returned.
    if (isEmpty) throw new AppError(causeOf(error, 'fetchDamaged'))
  } finally {
    response.destroy()
  }
}

/**
 * Reads the decompressed body of a response, up to {@link PAGE_BYTES}. If the connection breaks or the data is damaged,
 * returns what came before.
 */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of bodyOf(response, signal, { maxBytes: PAGE_BYTES })) parts.push(part)
  return Buffer.concat(parts)
}

function decodersOf({ headers }: IncomingMessage): Transform[] {
  const names = (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-(?=gzip$)/, ''))
    .filter((name) => name !== '' && name !== 'identity')
  if (names.length > MAX_ENCODINGS) throw new AppError('fetchDamaged')
  return names.toReversed().map((name) => {
    const create = DECODERS[name]
    if (!create) throw new AppError('fetchDamaged')
    return create()
  })
}

/** The body as it arrives. A response that breaks off ends; one that breaks off before its first byte throws. */
async function* received(
  response: IncomingMessage,
  signal: AbortSignal,
  maxChunks: number,
): AsyncGenerator<Buffer> {
  let [waiting, chunks]: [Buffer[], number] = [[], 0]
  let failure: Error | undefined
  let wake = () => {}
  // Not by iteration, which sees less chunks than arrive: those of one read are joined.
  response.on('data', (chunk: Buffer) => {
    waiting.push(chunk)
    chunks += 1
    if (chunks >= maxChunks) response.destroy()
    wake()
  })
  response.on('error', (error) => {
    failure = error
  })
  response.on('close', () => wake())
  while (!response.closed || waiting.length > 0) {
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    const parts = waiting
    waiting = []
    if (parts.length > 0) yield Buffer.concat(parts)
  }
  // It may have broken off before anybody listened.
  if (chunks === 0 && !response.complete) failure ??= Object.assign(new Error(), { code: 'ECONNRESET' })
  if (failure && (chunks === 0 || signal.aborted)) throw failure
}

async function* firstOf(source: Bytes, maxBytes: number): AsyncGenerator<Buffer> {
  let left = maxBytes
  for await (const part of source) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}

async function* decoded(source: Bytes, decoder: Transform): AsyncGenerator<Buffer> {
  // An error of the source also fails the decoder, which reports it.
  pipeline(source, decoder).catch(() => {})
  yield* decoder
}

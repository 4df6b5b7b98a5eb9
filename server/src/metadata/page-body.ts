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

/** Bytes of a page that are read, compressed and decompressed each. */
const PAGE_BYTES = 2 * 1024 * 1024
const MAX_ENCODINGS = 2
/** RFC 9659: windows that every sender on the web keeps to. */
const ZSTD_WINDOW_LOG = 23

type Bytes = AsyncIterable<Buffer>

/** They give what they can of data that ends too early. */
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

/** Encodings the server understands, for `Accept-Encoding`. `deflate` is read but not asked for: it is two formats. */
export const ENCODINGS = 'gzip, br, zstd'

/**
 * The body of an answer as it was before it was compressed, up to {@link PAGE_BYTES}. Where the connection breaks or the
 * data is damaged, what came before that counts.
 */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const parts: Buffer[] = []
  try {
    let bytes = firstOf(received(response, signal))
    for (const decoder of decodersOf(response)) bytes = firstOf(decoded(bytes, decoder))
    for await (const part of bytes) parts.push(part)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('fetchTooSlow')
    if (parts.length === 0) throw new AppError(causeOf(error, 'fetchDamaged'))
  } finally {
    response.destroy()
  }
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

async function* received(response: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  let hasBegun = false
  try {
    for await (const part of response) {
      hasBegun = true
      yield part
    }
  } catch (error) {
    if (!hasBegun || signal.aborted) throw error
  }
}

async function* firstOf(source: Bytes): AsyncGenerator<Buffer> {
  let left = PAGE_BYTES
  for await (const part of source) {
    yield part.subarray(0, left)
    left -= part.length
    if (left <= 0) return
  }
}

async function* decoded(source: Bytes, decoder: Transform): AsyncGenerator<Buffer> {
  // What breaks the source breaks the decoder, and is told there.
  pipeline(source, decoder).catch(() => {})
  yield* decoder
}

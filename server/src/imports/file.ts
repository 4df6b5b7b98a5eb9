import { isAscii } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { encodingOfText } from '../metadata/charset.ts'
import { ImportError } from './row.ts'

/** Bytes that can be read again and again, from the disk or out of an archive. */
export interface ImportFile {
  /** The name or the path within an archive: shown to people, never opened. */
  readonly name: string
  readonly size: number
  readonly bytes: () => AsyncIterable<Uint8Array>
}

export const CHUNK = 64 * 1024
/** What of a file decides its format. */
const HEAD = 256 * 1024
/** Of a file's bytes above ASCII, as many decide its encoding. */
const SAMPLE = 256 * 1024

export async function openFile(path: string, name = basename(path)): Promise<ImportFile> {
  const { size } = await stat(path)
  return { name, size, bytes: () => createReadStream(path, { highWaterMark: CHUNK }) }
}

/** Bytes in memory as a file. */
export const memoryFile = (name: string, bytes: Uint8Array): ImportFile => ({
  name,
  size: bytes.length,
  async *bytes() {
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
  },
})

export async function headOf(file: ImportFile, length = HEAD): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.bytes()) {
    parts.push(chunk)
    size += chunk.length
    if (size >= length) break
  }
  return Buffer.concat(parts).subarray(0, length)
}

/** The text of a file, a piece at a time. Reads the file twice: its encoding may show only in its last line. */
export async function* textOf(file: ImportFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(file))
  for await (const chunk of file.bytes()) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

/** The whole text of a file. Throws 'importLongEntry' where it has more bytes than `max`. */
export async function wholeText(file: ImportFile, max: number): Promise<string> {
  // An entry of a tar that is begun and not ended would end the reading of those behind it.
  if (file.size > max) throw new ImportError('importLongEntry')
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of file.bytes()) {
    size += chunk.length
    if (size > max) throw new ImportError('importLongEntry')
    parts.push(chunk)
  }
  const bytes = Buffer.concat(parts)
  return new TextDecoder(encodingOfSample(bytes)).decode(bytes)
}

/** The encoding of a text of which these are the first bytes, and perhaps all. */
export const encodingOfSample = (bytes: Uint8Array): string => utf16Without(bytes) ?? encodingOfText(bytes)

/** From the first chunk and those that are not ASCII: both parts of a character that is cut between two chunks are none. */
async function encodingOf(file: ImportFile): Promise<string> {
  const sample: Uint8Array[] = []
  let [size, isFirst] = [0, true]
  for await (const chunk of file.bytes()) {
    if (isFirst) {
      const wide = utf16Without(chunk)
      if (wide) return wide
    }
    if (isFirst || !isAscii(chunk)) {
      sample.push(chunk)
      size += chunk.length
      if (size >= SAMPLE) break
    }
    isFirst = false
  }
  return encodingOfText(Buffer.concat(sample))
}

/** UTF-16 without a byte order mark: text holds no zero bytes otherwise. */
function utf16Without(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return undefined
  const [even, odd] = [0, 0].map((_, from) => {
    let zeros = 0
    for (let at = from; at < Math.min(bytes.length, 2000); at += 2) if (bytes[at] === 0) zeros += 1
    return zeros
  })
  if (even === undefined || odd === undefined || even + odd < Math.min(bytes.length, 2000) / 20)
    return undefined
  return odd > even ? 'utf-16le' : 'utf-16be'
}

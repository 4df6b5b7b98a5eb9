import { createReadStream, createWriteStream, type Dirent } from 'node:fs'
import { opendir, rm, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { extract } from 'tar-stream'
import { type Entry, openPromise } from 'yauzl'
import { CHUNK, type ImportFile } from './file.ts'
import { ImportError, type ImportMessage } from './row.ts'

/** Many files: an archive or a folder. Each pass over them reads again; a file of a tar can be read only in its turn. */
export interface FileTree {
  readonly files: () => AsyncIterable<ImportFile>
}

/** Files that one import looks at. */
const MAX_FILES = 500_000
/** Bytes that one pass over an archive unpacks, whatever the archive promises. */
export const MAX_UNPACKED = 4 * 1024 ** 3
/** How deep a folder may lie: deeper ones are links in a circle, or mischief. */
const MAX_DEPTH = 50

/** Counts what a pass reads; throws where an archive unpacks to more than any real one. */
function unpackingLimit(maxBytes = MAX_UNPACKED) {
  let [files, bytes] = [0, 0]
  return {
    file(): void {
      files += 1
      if (files > MAX_FILES) throw new ImportError('importManyFiles')
    },
    async *count(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) throw new ImportError('importZipBomb')
        yield chunk
      }
    },
  }
}

function nameOf({ fileNameRaw, generalPurposeBitFlag }: Entry): string {
  const isUtf8 = (generalPurposeBitFlag & 0x800) !== 0
  return decodeName(fileNameRaw, isUtf8).replaceAll('\\', '/')
}

/** Names in old zips and on old disks are in a code page of the Windows that made them: of Russian ones 866, or 1251. */
function decodeName(bytes: Uint8Array, isUtf8 = false): string {
  try {
    return new TextDecoder('utf-8', { fatal: !isUtf8 }).decode(bytes)
  } catch {
    return new TextDecoder(isIn1251(bytes) ? 'windows-1251' : 'ibm866').decode(bytes)
  }
}

/** Whether all bytes that are not ASCII are Russian letters of the code page 1251, and some are none of 866. */
function isIn1251(bytes: Uint8Array): boolean {
  const others = bytes.filter((byte) => byte >= 0x80)
  const isLetter = (byte: number) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8
  const isNoneOf866 = (byte: number) => (byte >= 0xb0 && byte <= 0xdf) || byte >= 0xf2
  return others.every(isLetter) && others.some(isNoneOf866)
}

/** A zip's files by their central directory. What is encrypted or packed in a way that yauzl does not know throws when read. */
export const zipTree = (path: string, maxBytes = MAX_UNPACKED): FileTree => ({
  async *files() {
    const limit = unpackingLimit(maxBytes)
    let packed = 0
    const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(() => {
      throw new ImportError('importBrokenZip')
    })
    try {
      for await (const entry of brokenZip(zip.eachEntry())) {
        // Only files that lie upon each other, as in a bomb, are packed into more bytes than the archive has.
        packed += entry.compressedSize
        if (packed > zip.fileSize) throw new ImportError('importZipBomb')
        const name = nameOf(entry)
        if (name.endsWith('/')) continue
        limit.file()
        yield { name, size: entry.uncompressedSize, bytes: () => limit.count(unpacked(entry)) }
      }
    } finally {
      zip.close()
    }

    async function* unpacked(entry: Entry): AsyncGenerator<Uint8Array> {
      if (entry.isEncrypted()) throw new ImportError('importEncryptedZip')
      if (!entry.canDecodeFileData()) throw new ImportError('importBrokenZip')
      const stream = await zip.openReadStreamPromise(entry).catch(() => {
        throw new ImportError('importBrokenZip')
      })
      try {
        yield* brokenZip<Uint8Array>(stream)
      } finally {
        stream.destroy()
      }
    }
  },
})

/** Errors of reading an archive as errors of the import. */
async function* brokenZip<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError('importBrokenZip')
  }
}

/** A tar's files, in the order of the archive. */
export const tarTree = (path: string): FileTree => ({
  async *files() {
    const limit = unpackingLimit()
    const unpack = extract()
    const source = createReadStream(path)
    source.on('error', (error) => unpack.destroy(error))
    source.pipe(unpack)
    try {
      for await (const entry of brokenZip(unpack)) {
        const { name, type, size = 0 } = entry.header
        if (type === 'file') {
          limit.file()
          // Its type says of the chunks only that they are unknown: a tar's are bytes.
          const chunks = entry as AsyncIterable<Uint8Array>
          yield { name, size, bytes: () => limit.count(brokenZip(chunks)) }
        }
        entry.resume()
      }
    } finally {
      source.destroy()
      unpack.destroy()
    }
  },
})

/** The files of a folder and its folders. Links are not followed; these, and what cannot be read, throw when read. */
export const folderTree = (root: string): FileTree => ({
  async *files() {
    const limit = unpackingLimit()
    for await (const file of walk(Buffer.from(root), '', 0)) {
      limit.file()
      yield file
    }
  },
})

/** Paths are bytes: a name may be in any encoding. */
async function* walk(folder: Buffer, name: string, depth: number): AsyncGenerator<ImportFile> {
  if (depth > MAX_DEPTH) throw new ImportError('importTooDeep')
  // Its type leaves out that names can be bytes.
  const options = { encoding: 'buffer' as BufferEncoding }
  const entries = await opendir(folder, options).catch(() => undefined)
  if (!entries) return yield unreadable(name, 'importUnreadableFile')
  for await (const entry of entries as AsyncIterable<Dirent<Buffer>>) {
    const path = Buffer.concat([folder, Buffer.from(sep), entry.name])
    const inner = name === '' ? decodeName(entry.name) : `${name}/${decodeName(entry.name)}`
    if (entry.isDirectory()) yield* walk(path, inner, depth + 1)
    else if (!entry.isFile()) yield unreadable(inner, 'importLinkToFile')
    else
      yield await stat(path).then(
        ({ size }) => ({ name: inner, size, bytes: () => bytesOf(path) }),
        () => unreadable(inner, 'importUnreadableFile'),
      )
  }
}

async function* bytesOf(path: Buffer): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: CHUNK })
  } catch {
    throw new ImportError('importUnreadableFile')
  }
}

const unreadable = (name: string, reason: ImportMessage): ImportFile => ({
  name,
  size: 0,
  bytes: () => {
    throw new ImportError(reason)
  },
})

/** Where a zip within a zip is unpacked to, and most bytes of one. */
export interface Unpacking {
  readonly path: string
  readonly maxBytes: number
}

/** Lays a file on the disk for as long as `use` reads it: a zip within a zip has to be read from its end. */
export async function* onDisk<T>(
  file: ImportFile,
  { path, maxBytes }: Unpacking,
  use: (path: string) => AsyncIterable<T>,
): AsyncGenerator<T> {
  try {
    const limit = unpackingLimit(maxBytes)
    await pipeline(limit.count(file.bytes()), createWriteStream(path, { mode: 0o600 }))
    yield* use(path)
  } finally {
    await rm(path, { force: true })
  }
}

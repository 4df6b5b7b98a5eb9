import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'

/** What the directory of a zip says of a file. */
interface ZipFile {
  readonly crc: number
  /** Bytes of the file. */
  readonly size: number
  /** Bytes of the file as it is packed. */
  readonly packed: number
}

/** Bits 3 and 11: sizes follow the file; its name is in UTF-8. */
const SIZES_FOLLOW = 0x08
const UTF8 = 0x800
const DEFLATE = 8
/** Version 4.5: sizes of 64 bits. */
const VERSION = 45
/** 1980-01-01: the same contents give the same bytes. */
const DATE = 0x21
const IN_64_BITS = 0xffff_ffff
/** Bytes of the directory that are packed together. */
const PIECE = 64 * 1024

/**
 * Writes a zip (PKWARE's APPNOTE 6.3.10) file by file: no file is held, and of each only its packed line of the directory.
 * Libraries hold an object for each of a million files, and pack on the event loop. Only the caller knows the bytes between
 * `begin` and `end` of a file that is packed in pieces.
 */
export function createZip() {
  /** The directory, packed: a million names take some 30 MB. */
  const directory: Buffer[] = []
  let lines: Buffer[] = []
  let [lineBytes, directoryBytes, files, offset] = [0, 0, 0, 0]

  function list(name: Buffer, { crc, size, packed }: ZipFile, flags: number, start: number): void {
    const line = Buffer.alloc(46 + name.length + 28)
    line.writeUInt32LE(0x0201_4b50, 0)
    writeCommon(line, 4, { flags, crc })
    line.writeUInt16LE(VERSION, 4)
    line.writeUInt32LE(IN_64_BITS, 20)
    line.writeUInt32LE(IN_64_BITS, 24)
    line.writeUInt16LE(name.length, 28)
    line.writeUInt16LE(28, 30)
    line.writeUInt32LE(IN_64_BITS, 42)
    name.copy(line, 46)
    writeSizes(line, 46 + name.length, [size, packed, start])
    lines.push(line)
    lineBytes += line.length
    directoryBytes += line.length
    files += 1
    if (lineBytes >= PIECE) flush()
  }

  function flush(): void {
    if (lineBytes > 0) directory.push(deflateRawSync(Buffer.concat(lines), { level: 1 }))
    ;[lines, lineBytes] = [[], 0]
  }

  /** The bytes before those of a file; those after it, once they are known. */
  function open(name: string, file: ZipFile | undefined) {
    const bytes = Buffer.from(name)
    const start = offset
    const flags = UTF8 | (file ? 0 : SIZES_FOLLOW)
    const head = Buffer.alloc(30 + bytes.length + 20)
    head.writeUInt32LE(0x0403_4b50, 0)
    writeCommon(head, 4, { flags, crc: file?.crc ?? 0 })
    head.writeUInt32LE(IN_64_BITS, 18)
    head.writeUInt32LE(IN_64_BITS, 22)
    head.writeUInt16LE(bytes.length, 26)
    head.writeUInt16LE(20, 28)
    bytes.copy(head, 30)
    writeSizes(head, 30 + bytes.length, file ? [file.size, file.packed] : [0, 0])
    offset += head.length
    return {
      head,
      close(known: ZipFile): void {
        offset += known.packed
        list(bytes, known, flags, start)
      },
    }
  }

  return {
    /** A whole file: the bytes before `packed`. */
    file(name: string, file: ZipFile): Buffer {
      const { head, close } = open(name, file)
      close(file)
      return head
    },

    /** A file whose size is not known yet. `end` returns the bytes after it. */
    begin(name: string): { head: Buffer; end: (file: ZipFile) => Buffer } {
      const { head, close } = open(name, undefined)
      return {
        head,
        end(file) {
          close(file)
          const descriptor = Buffer.alloc(24)
          descriptor.writeUInt32LE(0x0807_4b50, 0)
          descriptor.writeUInt32LE(file.crc, 4)
          descriptor.writeBigUInt64LE(BigInt(file.packed), 8)
          descriptor.writeBigUInt64LE(BigInt(file.size), 16)
          offset += descriptor.length
          return descriptor
        },
      }
    },

    /** The directory and the end of the zip. */
    *end(): Generator<Buffer> {
      flush()
      for (const piece of directory) yield inflateRawSync(piece)
      const end = Buffer.alloc(56 + 20 + 22)
      end.writeUInt32LE(0x0606_4b50, 0)
      end.writeBigUInt64LE(44n, 4)
      end.writeUInt16LE(VERSION, 12)
      end.writeUInt16LE(VERSION, 14)
      for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(files), at)
      end.writeBigUInt64LE(BigInt(directoryBytes), 40)
      end.writeBigUInt64LE(BigInt(offset), 48)
      end.writeUInt32LE(0x0706_4b50, 56)
      end.writeBigUInt64LE(BigInt(offset + directoryBytes), 64)
      end.writeUInt32LE(1, 72)
      end.writeUInt32LE(0x0605_4b50, 76)
      for (const at of [84, 86]) end.writeUInt16LE(Math.min(files, 0xffff), at)
      end.writeUInt32LE(Math.min(directoryBytes, IN_64_BITS), 88)
      end.writeUInt32LE(Math.min(offset, IN_64_BITS), 92)
      yield end
    },
  }
}

/** The fields that the local header and the directory have in common, up to the checksum. */
function writeCommon(buffer: Buffer, at: number, { flags, crc }: { flags: number; crc: number }): void {
  const from = buffer.readUInt32LE(0) === 0x0201_4b50 ? at + 2 : at
  buffer.writeUInt16LE(VERSION, from)
  buffer.writeUInt16LE(flags, from + 2)
  buffer.writeUInt16LE(DEFLATE, from + 4)
  buffer.writeUInt16LE(DATE, from + 8)
  buffer.writeUInt32LE(crc, from + 10)
}

/** The extra field of 64-bit sizes, and of the offset in the directory. */
function writeSizes(buffer: Buffer, at: number, sizes: readonly number[]): void {
  buffer.writeUInt16LE(1, at)
  buffer.writeUInt16LE(8 * sizes.length, at + 2)
  for (const [index, size] of sizes.entries()) buffer.writeBigUInt64LE(BigInt(size), at + 4 + 8 * index)
}

/** Bytes of the window of deflate, and of the smallest: a larger one than a file is of no use to it. */
const [LARGEST_WINDOW, SMALLEST_WINDOW] = [15, 9]
/** The usual memory of deflate. */
const MEM_LEVEL = 8

/** Packs a file at once, with as little memory as its size asks for: most of an export have a few hundred bytes. */
export function packed(bytes: Buffer): ZipFile & { bytes: Buffer } {
  const bits = Math.ceil(Math.log2(bytes.length + 1))
  const windowBits = Math.min(LARGEST_WINDOW, Math.max(SMALLEST_WINDOW, bits))
  const memLevel = MEM_LEVEL - (LARGEST_WINDOW - windowBits)
  const chunkSize = Math.max(64, bytes.length)
  const deflated = deflateRawSync(bytes, { windowBits, memLevel, chunkSize })
  return { crc: crc32(bytes), size: bytes.length, packed: deflated.length, bytes: deflated }
}

/** Most bytes of a block that is not compressed (RFC 1951, section 3.2.4). */
const BLOCK = 65_535

/** The blocks of bytes that are not worth to be compressed, as a part of a deflated stream. */
export function* storedBlocks(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    yield blockHead(block.length, false)
    yield block
  }
}

/** The end of a stream of such blocks: an empty one. */
export const lastBlock = (): Uint8Array => blockHead(0, true)

function blockHead(length: number, isLast: boolean): Uint8Array {
  const head = Buffer.alloc(5)
  head[0] = isLast ? 1 : 0
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(length ^ 0xffff, 3)
  return head
}

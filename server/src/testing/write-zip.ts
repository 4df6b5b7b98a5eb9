import { crc32, deflateRawSync } from 'node:zlib'

interface ZipFile {
  /** A text in UTF-8, or the bytes of a name in another encoding. */
  readonly name: string | Uint8Array
  readonly data: string | Uint8Array
  /** Bytes that the archive says the file has; absent: the truth. */
  readonly claimedSize?: number
  readonly isEncrypted?: boolean
  /** One more name for the bytes of the file before, which `data` repeats. */
  readonly isAgain?: boolean
}

const UTF8_NAME = 0x800
const ENCRYPTED = 1
const DEFLATE = 8

/** A zip for tests, with the faults that real ones have: foreign names, wrong sizes, names with a path out of the folder. */
export function writeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let [offset, before] = [0, 0]
  for (const { name, data, claimedSize, isEncrypted = false, isAgain = false } of files) {
    const nameBytes = Buffer.from(name)
    const bytes = Buffer.from(data)
    const packed = deflateRawSync(bytes)
    const flags = (typeof name === 'string' ? UTF8_NAME : 0) | (isEncrypted ? ENCRYPTED : 0)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(DEFLATE, 4)
    common.writeUInt32LE(0x58_21_00_00, 6)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimedSize ?? bytes.length, 18)
    common.writeUInt16LE(nameBytes.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, nameBytes, packed])
    const tail = Buffer.alloc(14)
    if (!isAgain) before = offset
    tail.writeUInt32LE(before, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, tail, nameBytes]))
    if (isAgain) continue
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

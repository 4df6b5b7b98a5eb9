import { type ImportFile, memoryFile } from './file.ts'
import { ImportError } from './row.ts'

/** Firefox's own header before one LZ4 block: these letters, then the unpacked size as 32 bits. */
const MAGIC = Buffer.from('mozLz40\0', 'latin1')
/** Bytes of unpacked bookmarks. */
const MAX_UNPACKED = 64 * 1024 * 1024

export const isMozLz4 = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, MAGIC.length)).equals(MAGIC)

/** A .jsonlz4 file as the JSON that it packs. */
export async function unpackMozLz4(file: ImportFile): Promise<ImportFile> {
  const parts: Uint8Array[] = []
  if (file.size > MAX_UNPACKED) throw new ImportError('importLongEntry')
  for await (const chunk of file.bytes()) parts.push(chunk)
  const bytes = Buffer.concat(parts)
  if (bytes.length < MAGIC.length + 4) throw new ImportError('importCutFile')
  const size = bytes.readUInt32LE(MAGIC.length)
  if (size > MAX_UNPACKED) throw new ImportError('importLongEntry')
  return memoryFile(file.name, unpackBlock(bytes.subarray(MAGIC.length + 4), size))
}

/** The LZ4 block format: literals, then a match of at least four bytes that were unpacked before, again and again. */
function unpackBlock(block: Uint8Array, size: number): Uint8Array {
  const unpacked = new Uint8Array(size)
  let [from, to] = [0, 0]
  const length = (nibble: number): number => {
    let sum = nibble
    if (nibble === 15)
      for (let more = 255; more === 255; ) {
        more = block[from] ?? 0
        from += 1
        sum += more
      }
    return sum
  }
  while (from < block.length) {
    const token = block[from] ?? 0
    from += 1
    const literals = length(token >> 4)
    if (from + literals > block.length || to + literals > size) throw new ImportError('importCutFile')
    unpacked.set(block.subarray(from, from + literals), to)
    from += literals
    to += literals
    if (from >= block.length) break
    const offset = (block[from] ?? 0) | ((block[from + 1] ?? 0) << 8)
    from += 2
    const matched = length(token & 15) + 4
    if (offset === 0 || offset > to || to + matched > size) throw new ImportError('importCutFile')
    for (let count = 0; count < matched; count += 1) unpacked[to + count] = unpacked[to - offset + count] ?? 0
    to += matched
  }
  if (to < size) throw new ImportError('importCutFile')
  return unpacked
}

import { crc32 } from 'node:zlib'
import { type ByteSource, type CleanPicture, damaged, Parts } from '../byte-source.ts'
import { dataOf, isSideways, orientationOf } from './exif.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Chunks that are kept (PNG, third edition, sections 11 and 4.8): pixels, colours and animation. All others go: texts, times,
 * and private ones. Of Exif only the orientation stays.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'hIST', 'pHYs', 'sBIT', 'sPLT'],
  ...['cHRM', 'gAMA', 'iCCP', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'acTL', 'fcTL', 'fdAT'],
])

/** The longest Exif: a longer one is no camera's. */
const LONGEST_EXIF = 1024 * 1024

/** Bytes whose checksum is computed at once. */
const PIECE = 64 * 1024

export const isPng = (head: Buffer): boolean => head.subarray(0, 8).equals(SIGNATURE)

export function cleanPng(source: ByteSource): CleanPicture {
  const parts = new Parts()
  parts.keep(0, 8)
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  let orientation: number | undefined
  for (let at = 8; ; ) {
    const head = source.read(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const end = at + 12 + length
    if (end > source.size || !/^[A-Za-z]{4}$/.test(type)) throw damaged()
    if ((size === undefined) !== (type === 'IHDR')) throw damaged()
    if (KEPT.has(type)) {
      if (!hasRightSum(source, at + 4, end - 4)) throw damaged()
      parts.keep(at, end)
    }
    if (type === 'IHDR') {
      if (length !== 13) throw damaged()
      const header = source.read(at + 8, 8)
      size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
    }
    // Behind the pixels browsers read none.
    if (type === 'eXIf' && !hasPixels && orientation === undefined && length <= LONGEST_EXIF) {
      const isWhole = hasRightSum(source, at + 4, end - 4)
      orientation = isWhole ? orientationOf(Buffer.from(source.read(at + 8, length))) : 1
      if (orientation !== 1) parts.add(chunkOf('eXIf', dataOf(orientation)))
    }
    if (type === 'IDAT' && length > 0) hasPixels = true
    if (type === 'IEND') break
    at = end
  }
  if (!size || !hasPixels) throw damaged()
  const { width, height } = size
  return isSideways(orientation ?? 1) ? { width: height, height: width, parts } : { width, height, parts }
}

function chunkOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}

/** Whether the checksum after the bytes is theirs. */
function hasRightSum(source: ByteSource, from: number, to: number): boolean {
  let sum = 0
  for (let at = from; at < to; at += PIECE) sum = crc32(source.read(at, Math.min(PIECE, to - at)), sum)
  return source.read(to, 4).readUInt32BE(0) === sum
}

import { crc32 } from 'node:zlib'
import { type ByteSource, type CleanPicture, damaged, Parts } from '../byte-source.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * Chunks that are kept (PNG, third edition, sections 11 and 4.8): pixels, colours and animation. All others go: texts, times,
 * Exif, and private ones.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'bKGD', 'hIST', 'pHYs', 'sBIT', 'sPLT'],
  ...['cHRM', 'gAMA', 'iCCP', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'acTL', 'fcTL', 'fdAT'],
])

/** Bytes whose checksum is computed at once. */
const PIECE = 64 * 1024

export const isPng = (head: Buffer): boolean => head.subarray(0, 8).equals(SIGNATURE)

export function cleanPng(source: ByteSource): CleanPicture {
  const parts = new Parts()
  parts.keep(0, 8)
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  for (let at = 8; ; ) {
    const head = source.read(at, 8)
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4, 8)
    const end = at + 12 + length
    if (end > source.size || !/^[A-Za-z]{4}$/.test(type)) throw damaged()
    if ((size === undefined) !== (type === 'IHDR')) throw damaged()
    if (KEPT.has(type)) {
      checkSum(source, at + 4, end - 4)
      parts.keep(at, end)
    }
    if (type === 'IHDR') {
      if (length !== 13) throw damaged()
      const header = source.read(at + 8, 8)
      size = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) }
    }
    if (type === 'IDAT' && length > 0) hasPixels = true
    if (type === 'IEND') break
    at = end
  }
  if (!size || !hasPixels) throw damaged()
  return { ...size, parts }
}

/** Throws where the checksum after the bytes is another one. */
function checkSum(source: ByteSource, from: number, to: number): void {
  let sum = 0
  for (let at = from; at < to; at += PIECE) sum = crc32(source.read(at, Math.min(PIECE, to - at)), sum)
  if (source.read(to, 4).readUInt32BE(0) !== sum) throw damaged()
}

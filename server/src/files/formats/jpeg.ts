import { type ByteSource, type CleanPicture, damaged, Parts } from '../byte-source.ts'
import { dataOf, isSideways, orientationOf } from './exif.ts'

/** Markers (ITU T.81, table B.1). */
const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef

/** SOF0 to SOF15 without DHT, JPG and DAC, which lie between them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
/** RST0 to RST7 and TEM have no length. */
const isAlone = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01
/** APPn, COM and the JPGn that nothing uses. */
const isApplication = (marker: number): boolean => (marker >= APP0 && marker <= APP15) || marker >= 0xf0

export const isJpeg = (head: Buffer): boolean => head[0] === 0xff && head[1] === SOI && head[2] === 0xff

/**
 * Drops all that programs wrote beside the picture, also what follows its end, where phones keep videos. Stays: the resolution
 * (JFIF), colours (ICC, Adobe), and of Exif the orientation.
 */
export function cleanJpeg(source: ByteSource): CleanPicture {
  const parts = new Parts()
  parts.keep(0, 2)
  let orientation = 1
  let size: { width: number; height: number } | undefined
  let hasPixels = false
  /** Tables and pixels: they follow all that is kept of application segments. */
  const rest = new Parts()
  for (let at = 2; ; ) {
    const { marker, start } = markerAt(source, at)
    if (marker === EOI) {
      rest.keep(start - 2, start)
      break
    }
    if (marker === SOI) throw damaged()
    if (isAlone(marker)) {
      at = start
      continue
    }
    const length = source.read(start, 2).readUInt16BE(0)
    const end = start + length
    if (length < 2 || end > source.size) throw damaged()
    if (isApplication(marker)) {
      if (marker === APP1 && orientation === 1) orientation = orientationIn(source, start + 2, end)
      else keepSegment(parts, source, { marker, start, end })
    } else if (isFrame(marker)) {
      if (size || length < 8) throw damaged()
      const frame = source.read(start + 3, 4)
      size = { height: frame.readUInt16BE(0), width: frame.readUInt16BE(2) }
      rest.keep(start - 2, end)
    } else rest.keep(start - 2, end)
    at = end
    if (marker === SOS) {
      if (!size) throw damaged()
      const scanned = endOfScan(source, end)
      rest.keep(end, scanned)
      hasPixels ||= scanned > end
      at = scanned
    }
  }
  if (!size || !hasPixels) throw damaged()
  if (orientation !== 1) parts.add(exifOf(orientation))
  parts.addAll(rest)
  const { width, height } = size
  return isSideways(orientation) ? { width: height, height: width, parts } : { width, height, parts }
}

/** The marker at a place, which any number of 0xFF may precede, and the place after it. */
function markerAt(source: ByteSource, at: number): { marker: number; start: number } {
  if (source.read(at, 1)[0] !== 0xff) throw damaged()
  for (let start = at + 1; ; start += 1) {
    const marker = source.read(start, 1)[0] ?? 0
    if (marker === 0) throw damaged()
    if (marker !== 0xff) return { marker, start: start + 1 }
  }
}

/** Bytes of pixels that are looked through at once. */
const PIECE = 64 * 1024

/** The place of the first marker after the pixels of a scan. Throws where there is none: the file was cut. */
function endOfScan(source: ByteSource, from: number): number {
  for (let at = from; ; ) {
    const piece = source.read(at, Math.min(PIECE, source.size - at))
    if (piece.length < 2) throw damaged()
    let found = piece.indexOf(0xff)
    while (found !== -1 && found + 1 < piece.length) {
      const next = piece[found + 1] ?? 0
      if (next !== 0 && next !== 0xff && !isAlone(next)) return at + found
      found = piece.indexOf(0xff, next === 0xff ? found + 1 : found + 2)
    }
    at += found === -1 ? piece.length : found
    if (found !== -1 && at + 1 >= source.size) throw damaged()
  }
}

interface Segment {
  readonly marker: number
  /** Where its length stands, after the marker. */
  readonly start: number
  readonly end: number
}

function keepSegment(parts: Parts, source: ByteSource, { marker, start, end }: Segment): void {
  const length = end - start - 2
  const holds = (id: string): boolean =>
    length >= id.length && source.read(start + 2, id.length).toString('latin1') === id
  if (marker === APP0 && holds('JFIF\0') && length >= 14) {
    // Without the thumbnail, which may show what was cut off the picture since.
    const header = Buffer.from(source.read(start + 2, 14))
    header.fill(0, 12)
    parts.add(Buffer.concat([Buffer.from([0xff, APP0, 0, 16]), header]))
  } else if ((marker === APP2 && holds('ICC_PROFILE\0')) || (marker === APP14 && holds('Adobe')))
    parts.keep(start - 2, end)
}

const EXIF = 'Exif\0\0'

/** The orientation in a segment of Exif, 1 to 8; 1 where there is none. */
function orientationIn(source: ByteSource, from: number, to: number): number {
  const bytes = Buffer.from(source.read(from, to - from))
  if (bytes.toString('latin1', 0, 6) !== EXIF) return 1
  return orientationOf(bytes.subarray(6))
}

/** A segment of Exif that says nothing but the orientation. */
function exifOf(orientation: number): Buffer {
  const data = dataOf(orientation)
  return Buffer.concat([
    Buffer.from([0xff, APP1, 0, 2 + EXIF.length + data.length]),
    Buffer.from(EXIF, 'latin1'),
    data,
  ])
}

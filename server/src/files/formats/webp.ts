import { type ByteSource, type CleanPicture, damaged, Parts } from '../byte-source.ts'

/** Flags of VP8X (RFC 9649, section 2.7.1). */
const HAS_EXIF = 0x08
const HAS_XMP = 0x04
const IS_ANIMATED = 0x02

/** Bytes of a frame's header before its chunks. */
const FRAME_HEADER = 16

export const isWebp = (head: Buffer): boolean =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'

interface Chunk {
  readonly type: string
  readonly start: number
  /** Where its data begins and ends; after it, a byte may fill it up to an even length. */
  readonly data: number
  readonly dataEnd: number
  readonly end: number
}

interface Size {
  readonly width: number
  readonly height: number
}

function* chunksIn(source: ByteSource, from: number, to: number): Generator<Chunk> {
  for (let start = from; start < to; ) {
    const head = source.read(start, 8)
    const length = head.readUInt32LE(4)
    const dataEnd = start + 8 + length
    const end = dataEnd + (length % 2)
    if (end > to) throw damaged()
    yield { type: head.toString('latin1', 0, 4), start, data: start + 8, dataEnd, end }
    start = end
  }
}

/** Keeps pixels, colours and animation; Exif, XMP and unknown chunks go, also those within frames. */
export function cleanWebp(source: ByteSource): CleanPicture {
  const end = 8 + source.read(4, 4).readUInt32LE(0)
  if (end > source.size) throw damaged()
  const parts = new Parts()
  let canvas: Size | undefined
  let [isAnimated, frames] = [false, 0]
  for (const chunk of chunksIn(source, 12, end)) {
    const { type, start, data } = chunk
    if (type === 'VP8X') {
      if (start !== 12) throw damaged()
      const bytes = Buffer.from(source.read(start, 18))
      const flags = bytes[8] ?? 0
      bytes[8] = flags & ~(HAS_EXIF | HAS_XMP)
      isAnimated = (flags & IS_ANIMATED) !== 0
      canvas = { width: 1 + bytes.readUIntLE(12, 3), height: 1 + bytes.readUIntLE(15, 3) }
      parts.add(bytes)
      if (chunk.end !== start + 18) throw damaged()
    } else if (type === 'VP8 ' || type === 'VP8L') {
      if (isAnimated || frames > 0) throw damaged()
      const size = sizeOf(source, chunk)
      canvas ??= size
      if (size.width !== canvas.width || size.height !== canvas.height) throw damaged()
      frames += 1
      parts.keep(start, chunk.end)
    } else if (type === 'ANMF') {
      if (!canvas || !isAnimated) throw damaged()
      const frame = source.read(data, FRAME_HEADER)
      const [x, y, width, height] = [
        2 * frame.readUIntLE(0, 3),
        2 * frame.readUIntLE(3, 3),
        1 + frame.readUIntLE(6, 3),
        1 + frame.readUIntLE(9, 3),
      ]
      if (x + width > canvas.width || y + height > canvas.height) throw damaged()
      addFrame(parts, source, chunk, { width, height })
      frames += 1
    } else if (type === 'ICCP' || type === 'ANIM' || type === 'ALPH') parts.keep(start, chunk.end)
  }
  if (!canvas || frames === 0) throw damaged()
  const header = Buffer.alloc(12)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(4 + parts.length, 4)
  header.write('WEBP', 8, 'latin1')
  parts.list.unshift(header)
  return { ...canvas, parts }
}

/** The size that the pixels themselves have (RFC 6386, section 9.1; RFC 9649, section 3.4). */
function sizeOf(source: ByteSource, { type, data, dataEnd }: Chunk): Size {
  if (type === 'VP8L') {
    if (dataEnd - data < 5) throw damaged()
    const head = source.read(data, 5)
    if (head[0] !== 0x2f) throw damaged()
    const bits = head.readUInt32LE(1)
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (dataEnd - data < 10) throw damaged()
  const head = source.read(data, 10)
  if (((head[0] ?? 1) & 1) !== 0 || head.readUIntBE(3, 3) !== 0x9d012a) throw damaged()
  return { width: head.readUInt16LE(6) & 0x3fff, height: head.readUInt16LE(8) & 0x3fff }
}

function addFrame(parts: Parts, source: ByteSource, { data, dataEnd }: Chunk, size: Size): void {
  const inner = new Parts()
  inner.keep(data, data + FRAME_HEADER)
  let hasPixels = false
  for (const chunk of chunksIn(source, data + FRAME_HEADER, dataEnd)) {
    if (!['ALPH', 'VP8 ', 'VP8L'].includes(chunk.type)) continue
    if (chunk.type !== 'ALPH') {
      const own = sizeOf(source, chunk)
      if (hasPixels || own.width !== size.width || own.height !== size.height) throw damaged()
      hasPixels = true
    }
    inner.keep(chunk.start, chunk.end)
  }
  if (!hasPixels) throw damaged()
  const header = Buffer.alloc(8)
  header.write('ANMF', 0, 'latin1')
  header.writeUInt32LE(inner.length, 4)
  parts.add(header)
  parts.addAll(inner)
}

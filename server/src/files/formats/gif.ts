import { type ByteSource, type CleanPicture, damaged, Parts } from '../byte-source.ts'

/** Blocks and extensions (GIF89a, appendix A). */
const IMAGE = 0x2c
const EXTENSION = 0x21
const TRAILER = 0x3b
const GRAPHIC_CONTROL = 0xf9
const APPLICATION = 0xff

/** Applications whose data is a part of the picture: how often it repeats, and its colours. Others hold XMP and the like. */
const KEPT = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/

export const isGif = (head: Buffer): boolean => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))

/** Bytes of the colours that these flags announce. */
const coloursOf = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

export function cleanGif(source: ByteSource): CleanPicture {
  const parts = new Parts()
  const screen = source.read(6, 7)
  let [width, height] = [screen.readUInt16LE(0), screen.readUInt16LE(2)]
  const start = 13 + coloursOf(screen[4] ?? 0)
  if (start > source.size) throw damaged()
  parts.keep(0, start)
  let images = 0
  for (let at = start; ; ) {
    // Browsers show whole images that no trailer follows.
    if (at === source.size && images > 0) {
      parts.add(Buffer.from([TRAILER]))
      break
    }
    const kind = source.read(at, 1)[0]
    if (kind === TRAILER) {
      parts.keep(at, at + 1)
      break
    }
    if (kind === IMAGE) {
      const frame = source.read(at + 1, 9)
      const [left, top, wide, high] = [0, 2, 4, 6].map((place) => frame.readUInt16LE(place)) as [
        number,
        number,
        number,
        number,
      ]
      if (wide === 0 || high === 0) throw damaged()
      // Browsers enlarge the screen to the first image.
      if (images === 0) [width, height] = [Math.max(width, left + wide), Math.max(height, top + high)]
      else if (left + wide > width || top + high > height) throw damaged()
      images += 1
      // The size of the codes stands between the colours and the pixels.
      const end = endOfBlocks(source, at + 11 + coloursOf(frame[8] ?? 0))
      parts.keep(at, end)
      at = end
    } else if (kind === EXTENSION) {
      const label = source.read(at + 1, 1)[0]
      const end = endOfBlocks(source, at + 2)
      if (label === GRAPHIC_CONTROL || (label === APPLICATION && isKept(source, at + 2))) parts.keep(at, end)
      at = end
    } else throw damaged()
  }
  if (images === 0) throw damaged()
  return { width, height, parts }
}

/** The place after blocks of data, of which the last is empty. */
function endOfBlocks(source: ByteSource, from: number): number {
  for (let at = from; ; ) {
    const length = source.read(at, 1)[0] ?? 0
    at += 1 + length
    if (length === 0) return at
  }
}

function isKept(source: ByteSource, at: number): boolean {
  const length = source.read(at, 1)[0] ?? 0
  return length === 11 && KEPT.test(source.read(at + 1, 11).toString('latin1'))
}

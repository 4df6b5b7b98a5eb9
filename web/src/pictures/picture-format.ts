/** What a file is by its content; `heic` and `svg` are known to be named in a sentence. */
export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' | 'heic' | 'svg'

const AVIF_BRANDS = ['avif', 'avis']
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

const textAt = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end))

/** The brands of an ISO media file (ISO/IEC 14496-12, `ftyp`), of which AVIF and HEIC are two. */
function brandsOf(bytes: Uint8Array): string[] {
  if (textAt(bytes, 4, 8) !== 'ftyp') return []
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const brands = [textAt(bytes, 8, 12)]
  for (let at = 16; at + 4 <= Math.min(size, bytes.length); at += 4) brands.push(textAt(bytes, at, at + 4))
  return brands
}

/** The format of a file by its beginning, some hundred bytes of it; undefined where it is no picture. */
export function formatOf(head: Uint8Array): PictureFormat | undefined {
  if (textAt(head, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (textAt(head, 0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (/^GIF8[79]a/.test(textAt(head, 0, 6))) return 'gif'
  if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 12) === 'WEBP') return 'webp'
  const brands = brandsOf(head)
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'avif'
  if (brands.some((brand) => HEIC_BRANDS.includes(brand))) return 'heic'
  const text = new TextDecoder().decode(head)
  return /^\uFEFF?\s*<(?:\?xml|!--|!doctype svg|svg)/i.test(text) && /<svg[\s>]/i.test(text)
    ? 'svg'
    : undefined
}

/** The position behind the sub-blocks of a GIF that begin at one: each has its length before it, the last has none. */
function afterSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at] !== 0) at += (bytes[at] ?? 0) + 1
  return at + 1
}

/** The length of a GIF's colour table by the flags before it. */
const colourTable = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

function hasTwoFrames(gif: Uint8Array): boolean {
  let frames = 0
  let at = 13 + colourTable(gif[10])
  while (at < gif.length) {
    if (gif[at] === 0x21) at = afterSubBlocks(gif, at + 2)
    else if (gif[at] === 0x2c) {
      frames += 1
      if (frames === 2) return true
      at = afterSubBlocks(gif, at + 11 + colourTable(gif[at + 9]))
    } else return false
  }
  return false
}

/** Whether a PNG says before its pixels that it is animated. */
function hasAnimationChunk(png: Uint8Array): boolean {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  for (let at = 8; at + 8 <= png.length; at += view.getUint32(at) + 12) {
    const chunk = textAt(png, at + 4, at + 8)
    if (chunk === 'acTL') return true
    if (chunk === 'IDAT') return false
  }
  return false
}

/** Whether a picture moves: redrawn it would stand still. `bytes` is the whole file. */
export function isAnimated(format: PictureFormat, bytes: Uint8Array): boolean {
  if (format === 'gif') return hasTwoFrames(bytes)
  if (format === 'png') return hasAnimationChunk(bytes)
  // The flags of the extended header (RFC 9649, section 2.7.1).
  if (format === 'webp') return textAt(bytes, 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0
  return format === 'avif' && brandsOf(bytes).includes('avis')
}

import type { PictureFormat } from './picture-format.ts'

/** The longer side of a kept picture, in pixels, and about the most bytes of it (docs/behaviour.md, section 17). */
export const MAX_SIDE = 2_560
export const MAX_BYTES = 1_000_000

export interface Size {
  width: number
  height: number
}

/** A picture as it was chosen. */
export interface Source extends Size {
  format: PictureFormat
  animated: boolean
  bytes: number
}

/** A size within {@link MAX_SIDE}, in proportion. */
const fitted = ({ width, height }: Size): Size => {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * The size at which a picture is redrawn; undefined where its file is kept as it is: it is small enough, it moves, or
 * `original` is wanted. HEIC, which few browsers show, is drawn in any case.
 */
export const drawnSize = (source: Source, original: boolean): Size | undefined => {
  const { format, animated, width, height, bytes } = source
  if (format === 'heic') return original ? { width, height } : fitted(source)
  if (original || animated) return undefined
  return Math.max(width, height) <= MAX_SIDE && bytes <= MAX_BYTES ? undefined : fitted(source)
}

/** Of the pixels looked at, a picture with so few colours is a drawing or a screenshot: PNG keeps it sharp. */
const FEW_COLOURS = 256

/** What pixels (RGBA) say about how to write them. */
export const pixelProperties = (pixels: Uint8ClampedArray): { fewColours: boolean; opaque: boolean } => {
  const colours = new Set<number>()
  let opaque = true
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4)
    if (alpha < 255) opaque = false
    if (colours.size <= FEW_COLOURS) colours.add(((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0)
  }
  return { fewColours: colours.size <= FEW_COLOURS, opaque }
}

type Encode = (type: string, quality?: number) => Promise<Blob>

const QUALITIES = [0.85, 0.75, 0.6]
/** Most bytes of a picture whose `original` is wanted and that must be written again: FILE_LIMIT is 10 MB by default. */
export const MAX_BYTES_OF_ORIGINALS = 9_500_000

/** Quality of a picture whose `original` is wanted and that must be written again. */
const QUALITY_OF_ORIGINALS = 0.95

/**
 * Writes a drawn picture: as PNG where that has few colours and stays within {@link MAX_BYTES}, else as WebP in the best
 * quality that does; where the `original` is wanted, in the best one. Browsers that do not write WebP
 * give PNG: then an opaque picture becomes JPEG.
 */
export const encoded = async (
  encode: Encode,
  { fewColours, opaque }: { fewColours: boolean; opaque: boolean },
  original = false,
): Promise<Blob> => {
  let smallest: Blob | undefined
  if (fewColours) smallest = await encode('image/png')
  for (const quality of original ? [QUALITY_OF_ORIGINALS] : QUALITIES) {
    if (smallest && (original || smallest.size <= MAX_BYTES)) break
    const webp = await encode('image/webp', quality)
    const made = webp.type !== 'image/webp' && opaque ? await encode('image/jpeg', quality) : webp
    if (!smallest || made.size < smallest.size) smallest = made
  }
  return smallest ?? encode('image/png')
}

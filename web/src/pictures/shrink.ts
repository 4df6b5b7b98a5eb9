import { MAX_PIXELS } from '@kopilka/contract/limits.ts'
import { t } from '../messages/pictures-messages.ts'
import { formatOf, isAnimated } from './picture-format.ts'
import {
  drawnSize,
  encoded,
  MAX_BYTES,
  MAX_BYTES_OF_ORIGINALS,
  MAX_SIDE,
  pixelProperties,
  type Size,
} from './shrink-plan.ts'

/** Why a file cannot become a picture of a text, as a sentence for people. Trying again would not help. */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused'
}

/** Enough for the brands of HEIC and for the comments before an SVG. */
const HEAD_BYTES = 4_096
/** Pixels looked at to count colours, a side. */
const SAMPLE_SIDE = 400
/** A picture that stays far too large in the lowest quality is drawn smaller, so often at most. */
const MAX_SHRINKS = 3

function draw(bitmap: ImageBitmap, { width, height }: Size, smooth: boolean) {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.imageSmoothingEnabled = smooth
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  return { canvas, context }
}

/**
 * Writes a bitmap at a size; or smaller where it would stay far over {@link MAX_BYTES}, or over
 * {@link MAX_BYTES_OF_ORIGINALS} where the `original` is wanted.
 */
async function write(bitmap: ImageBitmap, size: Size, original: boolean): Promise<Blob> {
  const sample = { width: Math.min(bitmap.width, SAMPLE_SIDE), height: Math.min(bitmap.height, SAMPLE_SIDE) }
  const { context } = draw(bitmap, sample, false)
  const properties = pixelProperties(context.getImageData(0, 0, sample.width, sample.height).data)
  const most = original ? MAX_BYTES_OF_ORIGINALS : MAX_BYTES * 1.25
  let { width, height } = size
  for (let shrinks = 0; ; shrinks += 1) {
    const { canvas } = draw(bitmap, { width, height }, true)
    const blob = await encoded(
      (type, quality) => canvas.convertToBlob({ type, ...(quality && { quality }) }),
      properties,
      original,
    )
    if (blob.size <= most || shrinks === MAX_SHRINKS) return blob
    width = Math.max(1, Math.round(width * 0.8))
    height = Math.max(1, Math.round(height * 0.8))
  }
}

/** A picture as an element, which knows its size. Nothing is decoded yet: that could take more memory than there is. */
async function elementOf(file: File): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = URL.createObjectURL(file)
  try {
    await new Promise((resolve, reject) => {
      image.onload = resolve
      image.onerror = reject
    })
    return image
  } finally {
    URL.revokeObjectURL(image.src)
  }
}

/** How files end: the marker EOI, the chunk IEND. */
const ENDS: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
  'image/jpeg': Uint8Array.of(0xff, 0xd9),
  'image/png': Uint8Array.of(0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82),
}
/** Rows of a JPEG without its end that Chromium may not show, though they are in the file: those of its last blocks. */
const LAST_ROWS = 32

/** Whether a JPEG without its end has all but its last rows: what is not there is transparent, on a side that Exif decides. */
function isNearlyWhole(image: HTMLImageElement): boolean {
  const { naturalWidth: width, naturalHeight: height } = image
  if (Math.min(width, height) <= LAST_ROWS) return true
  const context = new OffscreenCanvas(2, 1).getContext('2d')
  context?.drawImage(image, LAST_ROWS, LAST_ROWS, 1, 1, 0, 0, 1, 1)
  context?.drawImage(image, width - 1 - LAST_ROWS, height - 1 - LAST_ROWS, 1, 1, 1, 0, 1, 1)
  const [, , , first, , , , last] = context?.getImageData(0, 0, 2, 1).data ?? []
  return first === 255 && last === 255
}

/**
 * A file and its pixels. Chromium shows a file without its end, but makes no bitmap of it: it gets one. A PNG that lacks more
 * is damaged all the same; of a JPEG the rest would be made up.
 */
async function decoded(file: File, image: HTMLImageElement): Promise<readonly [File, ImageBitmap]> {
  try {
    return [file, await createImageBitmap(file)]
  } catch (failure) {
    const end = ENDS[file.type]
    if (!end || (file.type === 'image/jpeg' && !isNearlyWhole(image))) throw failure
    const ended = new File([file, end], file.name, { type: file.type })
    return [ended, await createImageBitmap(ended)]
  }
}

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/webp': 'webp',
  'image/jpeg': 'jpg',
}

/**
 * A chosen file as it is to be sent: at most {@link MAX_SIDE} pixels and about {@link MAX_BYTES}, upright where Exif
 * turns it; pictures that move, and all where the `original` is wanted, as they are. `anew`: written again unless it moves. Fails
 * with {@link PictureRefused}.
 */
export async function shrink(chosen: File, original: boolean, anew = false): Promise<File> {
  const { name } = chosen
  const head = await chosen.slice(0, HEAD_BYTES).arrayBuffer()
  const format = formatOf(new Uint8Array(head))
  if (format === undefined) throw new PictureRefused(t('pictures.notPicture', { name }))
  if (format === 'svg') throw new PictureRefused(t('pictures.svg', { name }))
  // What it is by its content: the type that came with it may be any, even that of a page.
  let file = new File([chosen], name, { type: `image/${format}` })
  let bitmap: ImageBitmap
  try {
    const image = await elementOf(file)
    if (image.naturalWidth * image.naturalHeight > MAX_PIXELS)
      throw new PictureRefused(t('pictures.manyPixels', { name }))
    ;[file, bitmap] = await decoded(file, image)
  } catch (failure) {
    if (failure instanceof PictureRefused) throw failure
    throw new PictureRefused(t(format === 'heic' ? 'pictures.heic' : 'pictures.damaged', { name }))
  }
  try {
    const { width, height } = bitmap
    const animated = isAnimated(format, new Uint8Array(await file.arrayBuffer()))
    const own = anew && !animated ? { width, height } : undefined
    const size = drawnSize({ format, animated, width, height, bytes: file.size }, original) ?? own
    if (!size) return file
    const blob = await write(bitmap, size, original)
    const fits = !anew && format !== 'heic' && Math.max(width, height) <= MAX_SIDE
    if (fits && blob.size >= file.size) return file
    return new File([blob], `${name.replace(/\.\w+$/, '')}.${ENDINGS[blob.type] ?? 'png'}`, {
      type: blob.type,
    })
  } finally {
    bitmap.close()
  }
}

import { pixelProperties } from './shrink-plan.ts'

/** Pixels of the pictures that are copied at once, some twenty photos: the page waits while they are written. */
const MOST_PIXELS = 100_000_000
/** Pixels looked at to count colours, a side. */
const SAMPLE_SIDE = 200
const QUALITY = 0.9

function draw(image: HTMLImageElement, width: number, height: number) {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0, width, height)
  return { canvas, context }
}

let pixels = 0

/**
 * A picture of the user that the page shows, as a `data:` address: other programs have no token to load it with. Undefined
 * for one that has not loaded, or that comes after very many others.
 */
export function pictureData(id: string): string | undefined {
  const image = document.querySelector(`img[data-file="${id}"][src^="blob:"]`)
  if (!(image instanceof HTMLImageElement) || !image.complete || image.naturalWidth === 0) return undefined
  const { naturalWidth: width, naturalHeight: height } = image
  // What is copied at once is copied without a pause.
  if (pixels === 0)
    setTimeout(() => {
      pixels = 0
    })
  pixels += width * height
  if (pixels > MOST_PIXELS) return undefined
  const sample = draw(image, Math.min(width, SAMPLE_SIDE), Math.min(height, SAMPLE_SIDE)).context
  const data = sample?.getImageData(0, 0, sample.canvas.width, sample.canvas.height).data
  if (!data) return undefined
  const { fewColours, opaque } = pixelProperties(data)
  const { canvas } = draw(image, width, height)
  return fewColours || !opaque ? canvas.toDataURL('image/png') : canvas.toDataURL('image/jpeg', QUALITY)
}

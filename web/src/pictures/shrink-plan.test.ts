import { describe, expect, test } from 'vitest'
import { drawnSize, encoded, MAX_BYTES, pixelProperties, type Source } from './shrink-plan.ts'

const photo: Source = { format: 'jpeg', animated: false, width: 4_000, height: 3_000, bytes: 6_000_000 }

test.each<[string, Partial<Source>, boolean, object | undefined]>([
  ['a large photo', {}, false, { width: 2_560, height: 1_920 }],
  ['one upright', { width: 3_000, height: 4_000 }, false, { width: 1_920, height: 2_560 }],
  ['many bytes of few pixels', { width: 800, height: 600 }, false, { width: 800, height: 600 }],
  ['few bytes of many pixels', { bytes: 100_000 }, false, { width: 2_560, height: 1_920 }],
  ['a small one', { width: 2_560, height: 1_000, bytes: MAX_BYTES }, false, undefined],
  ['a line', { width: 30_000, height: 1 }, false, { width: 2_560, height: 1 }],
  ['one that moves', { format: 'gif', animated: true }, false, undefined],
  ['a large one whose original is wanted', {}, true, undefined],
  ['a small HEIC', { format: 'heic', width: 8, height: 6, bytes: 9 }, false, { width: 8, height: 6 }],
  ['a HEIC whose original is wanted', { format: 'heic' }, true, { width: 4_000, height: 3_000 }],
])('%s: drawn anew, and how large', (_, source, original, size) => {
  expect(drawnSize({ ...photo, ...source }, original)).toEqual(size)
})

describe('written', () => {
  /** A browser that writes each type with so many bytes, times the quality. */
  const browser = (sizes: Record<string, number>) => {
    const asked: string[] = []
    const encode = async (type: string, quality = 1) => {
      asked.push(`${type.slice('image/'.length)} ${quality}`)
      const written = type in sizes ? type : 'image/png'
      return new Blob([new Uint8Array(Math.round((sizes[written] ?? 0) * quality))], { type: written })
    }
    return { asked, encode }
  }
  const sizes = { 'image/png': 9_000_000, 'image/webp': 500_000, 'image/jpeg': 700_000 }
  const PHOTO = { fewColours: false, opaque: true }

  test('a photo is WebP', async () => {
    const { asked, encode } = browser(sizes)
    expect((await encoded(encode, PHOTO)).type).toBe('image/webp')
    expect(asked).toEqual(['webp 0.85'])
  })

  test('one without compression is written once, almost as it was', async () => {
    const { asked, encode } = browser({ ...sizes, 'image/webp': 4_000_000 })
    expect((await encoded(encode, PHOTO, true)).size).toBe(3_800_000)
    expect(asked).toEqual(['webp 0.95'])
    const { 'image/webp': _, ...safari } = sizes
    expect((await encoded(browser(safari).encode, PHOTO, true)).type).toBe('image/jpeg')
  })

  test('where the browser writes no WebP an opaque picture is JPEG, another PNG', async () => {
    const { 'image/webp': _, ...safari } = sizes
    expect((await encoded(browser(safari).encode, PHOTO)).type).toBe('image/jpeg')
    expect((await encoded(browser(safari).encode, { ...PHOTO, opaque: false })).type).toBe('image/png')
  })

  test('a drawing stays PNG while that is small enough', async () => {
    const drawing = { fewColours: true, opaque: true }
    expect((await encoded(browser({ ...sizes, 'image/png': 900_000 }).encode, drawing)).type).toBe(
      'image/png',
    )
    expect((await encoded(browser(sizes).encode, drawing)).type).toBe('image/webp')
  })

  test('what stays too large is written in lower qualities, and the smallest is taken', async () => {
    const { asked, encode } = browser({ ...sizes, 'image/webp': 4_000_000 })
    expect((await encoded(encode, PHOTO)).size).toBe(2_400_000)
    expect(asked).toEqual(['webp 0.85', 'webp 0.75', 'webp 0.6'])
  })
})

test('pixels say whether they have few colours, and whether something shines through', () => {
  const pixels = (colours: number, alpha: number) =>
    Uint8ClampedArray.from(
      Array.from({ length: colours }, (_, colour) => [colour & 255, colour >> 8, 0, alpha]).flat(),
    )
  expect(pixelProperties(pixels(256, 255))).toEqual({ fewColours: true, opaque: true })
  expect(pixelProperties(pixels(257, 254))).toEqual({ fewColours: false, opaque: false })
})

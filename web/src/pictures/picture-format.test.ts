import { expect, test } from 'vitest'
import { formatOf, isAnimated } from './picture-format.ts'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? [...part].map((character) => character.charCodeAt(0)) : part,
    ),
  )

const ftyp = (...brands: string[]) =>
  bytes([0, 0, 0, 8 + 4 * (brands.length + 1)], 'ftyp', brands[0] ?? '', [0, 0, 0, 0], ...brands.slice(1))

test.each([
  ['png', bytes('\x89PNG\r\n\x1a\n')],
  ['jpeg', bytes('\xff\xd8\xff\xe0')],
  ['gif', bytes('GIF89a')],
  ['webp', bytes('RIFF', [1, 0, 0, 0], 'WEBPVP8 ')],
  ['avif', ftyp('mif1', 'avif', 'miaf')],
  ['heic', ftyp('mif1', 'heic')],
  ['heic', ftyp('heix', 'mif1')],
  ['svg', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['svg', new TextEncoder().encode('\uFEFF <?xml version="1.0"?>\n<!-- x --><svg>')],
  [undefined, bytes('<!doctype html><svg>')],
  [undefined, bytes('<?xml version="1.0"?><feed/>')],
  [undefined, ftyp('isom', 'mp42')],
  [undefined, bytes('%PDF-1.7')],
  [undefined, bytes()],
])('%s is known by its content', (format, head) => {
  expect(formatOf(head)).toBe(format)
})

const FRAME = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
/** A GIF of one pixel with a colour table, a comment and frames. */
const gif = (frames: number): Uint8Array =>
  bytes(
    'GIF89a',
    [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xfe, 2, 0x2c, 0x2c, 0],
    Array.from({ length: frames }, () => FRAME).flat(),
    [0x3b],
  )
const chunk = (name: string, length = 0) => bytes([0, 0, 0, length], name, new Array(length + 4).fill(0))
const png = (...names: string[]) => bytes('\x89PNG\r\n\x1a\n', ...names.map((name) => [...chunk(name, 8)]))
const webp = (flags: number) => bytes('RIFF', [9, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, flags, 0])

test.each([
  ['a GIF of two frames', 'gif', gif(2), true],
  ['a GIF of one frame', 'gif', gif(1), false],
  ['a GIF that is cut off', 'gif', gif(2).subarray(0, 40), false],
  ['an animated PNG', 'png', png('IHDR', 'acTL', 'IDAT'), true],
  ['a PNG', 'png', png('IHDR', 'IDAT', 'acTL'), false],
  ['a PNG that is cut off', 'png', png('IHDR', 'acTL').subarray(0, 30), false],
  ['an animated WebP', 'webp', webp(0x02), true],
  ['a WebP with transparency', 'webp', webp(0x10), false],
  ['an AVIF sequence', 'avif', ftyp('avis', 'msf1'), true],
  ['an AVIF', 'avif', ftyp('avif', 'mif1'), false],
  ['a JPEG', 'jpeg', bytes('\xff\xd8\xff'), false],
] as const)('%s: animated or not', (_, format, file, animated) => {
  expect(isAnimated(format, file)).toBe(animated)
})

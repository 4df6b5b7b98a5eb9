import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  exif,
  jpegSegment,
  jpegWith,
  largePng,
  png,
  pngChunk,
  SAMPLES,
  type SampleName,
  sample,
} from '../testing/pictures.ts'
import { cleanPictureBytes, cleanPictureFile, type PictureFacts } from './clean-picture.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

const paths = () => ({ from: join(folder, 'from'), to: join(folder, 'to') })

async function clean(bytes: Uint8Array): Promise<PictureFacts & { clean: Buffer }> {
  await writeFile(paths().from, bytes)
  const facts = cleanPictureFile(paths())
  return { ...facts, clean: await readFile(paths().to) }
}

/** The error code of bytes that are not kept. */
const fault = (bytes: Uint8Array): Promise<unknown> =>
  clean(bytes).then(
    () => 'kept',
    (error: { code?: unknown }) => error.code,
  )

const typeOf = (name: SampleName): string => `image/${/^[a-z]+/.exec(name)?.[0]}`

describe.each(SAMPLES)('%s', (name) => {
  it('is known by its content, with its size', async () => {
    const facts = await clean(sample(name))
    expect(facts).toMatchObject({ type: typeOf(name), width: 40, height: 20, bytes: facts.clean.length })
  })

  it('holds nothing private, and cleaned again is the same', async () => {
    const { clean: bytes, id } = await clean(sample(name))
    expect(bytes.includes('Canary')).toBe(false)
    const again = await clean(bytes)
    expect([again.clean.equals(bytes), again.id]).toEqual([true, id])
    expect(cleanPictureBytes(bytes)?.facts.id).toBe(id)
  })

  it('is damaged wherever it is cut', async () => {
    const whole = sample(name)
    for (let length = 16; length < whole.length; length += 7) {
      const code = await fault(whole.subarray(0, length))
      // The second of three images ends there: nothing tells it from an animation of two without a trailer.
      const isWhole = name === 'gifAnimated' && length === 261
      expect([length, code]).toEqual([length, isWhole ? 'kept' : 'fileDamaged'])
    }
  })
})

it('keeps other bytes as they are', async () => {
  for (const name of ['png', 'jpeg', 'webp', 'webpLossless', 'gif', 'avif'] as const)
    expect([name, (await clean(sample(name))).clean.equals(sample(name))]).toEqual([name, true])
})

describe('a JPEG', () => {
  it.each([1, 2, 3, 4])('of orientation %i is not turned on its side', async (orientation) => {
    const facts = await clean(jpegWith(jpegSegment(0xe1, exif(orientation))))
    expect(facts).toMatchObject({ width: 40, height: 20 })
  })

  it.each([5, 6, 7, 8])('of orientation %i has the size that is shown', async (orientation) => {
    const facts = await clean(jpegWith(jpegSegment(0xe1, exif(orientation))))
    expect(facts).toMatchObject({ width: 20, height: 40 })
    const at = facts.clean.indexOf('Exif\0\0', 'latin1')
    // The only entry is the orientation, in big-endian order.
    expect(facts.clean.subarray(at + 6, at + 32).toString('hex')).toBe(
      `4d4d002a0000000800010112000300000001000${orientation}000000000000`,
    )
    expect(await clean(facts.clean)).toMatchObject({ id: facts.id, width: 20, height: 40 })
  })

  it('keeps colours, and loses where it was taken, texts, thumbnails and what follows its end', async () => {
    const icc = jpegSegment(0xe2, Buffer.from('ICC_PROFILE\0\x01\x01colours', 'latin1'))
    const adobe = jpegSegment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\x01', 'latin1'))
    const private_ = [
      jpegSegment(0xe1, exif(6)),
      jpegSegment(0xe1, Buffer.from('http://ns.adobe.com/xap/1.0/\0Canary')),
      jpegSegment(0xed, Buffer.from('Photoshop 3.0\0Canary')),
      jpegSegment(0xe2, Buffer.from('MPF\0Canary')),
      jpegSegment(0xe0, Buffer.from('JFXX\0Canary')),
      jpegSegment(0xfe, Buffer.from('Canary')),
    ]
    const { clean: bytes } = await clean(
      Buffer.concat([jpegWith(...private_, icc, adobe), Buffer.from('Canary: a video')]),
    )
    expect(bytes.includes('Canary')).toBe(false)
    for (const kept of [icc, adobe]) expect(bytes.includes(kept)).toBe(true)
    expect(bytes.subarray(-2).toString('hex')).toBe('ffd9')
  })

  it('has one frame, and pixels', async () => {
    const plain = sample('jpeg')
    const frame = plain.indexOf(Buffer.from([0xff, 0xc0]))
    const length = plain.readUInt16BE(frame + 2) + 2
    const twice = Buffer.concat([
      plain.subarray(0, frame + length),
      plain.subarray(frame, frame + length),
      plain.subarray(frame + length),
    ])
    expect(await fault(twice)).toBe('fileDamaged')
    expect(await fault(Buffer.concat([plain.subarray(0, frame), plain.subarray(frame + length)]))).toBe(
      'fileDamaged',
    )
  })
})

describe('a PNG', () => {
  it('loses texts, times, Exif and unknown chunks', async () => {
    const more = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'prVt', 'caBX'].map((type) =>
      pngChunk(type, Buffer.from('Canary\0Canary')),
    )
    const gamma = pngChunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f]))
    const { clean: bytes } = await clean(
      Buffer.concat([png(1, 8, 8, [...more, gamma]), Buffer.from('Canary')]),
    )
    expect(bytes.equals(png(1, 8, 8, [gamma]))).toBe(true)
  })

  const turned = (orientation: number) => pngChunk('eXIf', exif(orientation).subarray(6))

  it.each([
    [1, 8, 4, ''],
    [3, 8, 4, '4d4d002a00000008000101120003000000010003000000000000'],
    [6, 4, 8, '4d4d002a00000008000101120003000000010006000000000000'],
  ])(
    'of orientation %i has the size that is shown, and of Exif that alone',
    async (orientation, width, height, kept) => {
      const facts = await clean(png(1, 8, 4, [turned(orientation)]))
      expect(facts).toMatchObject({ width, height })
      expect(facts.clean.includes('Canary')).toBe(false)
      const at = facts.clean.indexOf('eXIf')
      expect(at < 0 ? '' : facts.clean.subarray(at + 4, at + 30).toString('hex')).toBe(kept)
      expect(await clean(facts.clean)).toMatchObject({ id: facts.id, width, height })
    },
  )

  it('is not turned by Exif behind its pixels, or by a second one', async () => {
    const plain = png(1, 8, 4)
    const behind = Buffer.concat([plain.subarray(0, -12), turned(6), plain.subarray(-12)])
    expect((await clean(behind)).clean.equals(plain)).toBe(true)
    expect(await clean(png(1, 8, 4, [turned(3), turned(6)]))).toMatchObject({ width: 8, height: 4 })
  })

  it('of other bytes than its checksums say is damaged', async () => {
    const bytes = png(1)
    for (const at of [17, 45]) {
      const wrong = Buffer.from(bytes)
      wrong[at] = (wrong[at] ?? 0) ^ 1
      expect(await fault(wrong)).toBe('fileDamaged')
    }
  })

  it('is cleaned when it is many times longer than what is read at once', async () => {
    const bytes = largePng(1_000_000)
    expect((await clean(bytes)).clean.equals(bytes)).toBe(true)
  })
})

describe('a GIF', () => {
  it('keeps how often it repeats, and loses comments and XMP', async () => {
    const plain = sample('gifAnimated')
    const repeats = plain.indexOf('NETSCAPE2.0')
    expect(repeats).toBeGreaterThan(0)
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 6]), Buffer.from('Canary\0')])
    const xmp = Buffer.concat([
      Buffer.from([0x21, 0xff, 11]),
      Buffer.from('XMP DataXMP\x06Canary\0', 'latin1'),
    ])
    const bytes = Buffer.concat([plain.subarray(0, repeats - 3), comment, xmp, plain.subarray(repeats - 3)])
    expect((await clean(bytes)).clean.equals(plain)).toBe(true)
  })

  it.each([
    ['gif', 95],
    ['gifAnimated', 136],
  ] as const)('whose end is not marked is whole, but not within its first image: %s', async (name, first) => {
    const plain = sample(name)
    expect((await clean(plain.subarray(0, -1))).clean.equals(plain)).toBe(true)
    expect(await fault(plain.subarray(0, first))).toBe('kept')
    for (let length = 8; length < first; length += 1)
      expect([length, await fault(plain.subarray(0, length))]).toEqual([length, 'fileDamaged'])
  })
})

describe('a WebP', () => {
  it('loses Exif, and says so in its header', async () => {
    const { clean: bytes } = await clean(sample('webpExif'))
    expect(bytes.includes('EXIF')).toBe(false)
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
    expect((bytes[20] ?? 0) & 0x0c).toBe(0)
  })

  it('whose header tells another size than its pixels is damaged', async () => {
    const bytes = sample('webpExif')
    bytes.writeUIntLE(99, 24, 3)
    expect(await fault(bytes)).toBe('fileDamaged')
  })
})

/** A box of AVIF. */
const boxOf = (type: string, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + content.length, 0)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, content])
}
const avif = sample('avif')

describe('an AVIF', () => {
  // Of one item, whose place and length come at 14 and 18.
  const places = Buffer.from(`0000000044000001000100000001${'00'.repeat(8)}`, 'hex')
  const sequence = () => {
    const content = Buffer.concat([Buffer.alloc(4), boxOf('iloc', places)])
    return boxOf('moov', boxOf('trak', boxOf('meta', content)))
  }
  const data = boxOf('mdat', Buffer.from('Canary'))
  const dataAt = avif.length + sequence().length + 8

  it('loses what its tracks name beside the pixels', async () => {
    places.writeUInt32BE(dataAt, 14)
    places.writeUInt32BE(6, 18)
    const bytes = Buffer.concat([avif, sequence(), data])
    const { clean: kept, id } = await clean(bytes)
    expect([kept.length, kept.includes('Canary')]).toEqual([bytes.length, false])
    expect(kept.subarray(0, avif.length).equals(avif)).toBe(true)
    // Readers skip the box.
    expect(kept.toString('latin1', avif.length + 20, avif.length + 24)).toBe('free')
    expect((await clean(kept)).id).toBe(id)
  })

  it('whose tracks name what is beyond its end is damaged', async () => {
    places.writeUInt32BE(dataAt, 14)
    places.writeUInt32BE(7, 18)
    expect(await fault(Buffer.concat([avif, sequence(), data]))).toBe('fileDamaged')
  })
})

describe('what a small file makes many of is damaged', () => {
  const metaAt = avif.indexOf('meta') - 4
  const meta = avif.subarray(metaAt, metaAt + avif.readUInt32BE(metaAt))
  const after = avif.subarray(metaAt + meta.length)
  const avifOf = (...boxes: readonly Buffer[]) => Buffer.concat([avif.subarray(0, metaAt), ...boxes, after])

  it('parts of a JPEG', async () => {
    // Marks of a restart, which go, between tables, which stay.
    const tables = Buffer.alloc(6 * 500_000, Buffer.from('ffd0ffc40002', 'hex'))
    expect(await fault(jpegWith(tables))).toBe('fileDamaged')
  })

  it('parts of a frame of WebP', async () => {
    const plain = sample('webpAnimated')
    const frame = plain.indexOf('ANMF')
    const length = plain.readUInt32LE(frame + 4)
    const chunks = Buffer.alloc(16 * 300_000, Buffer.from('ALPH\0\0\0\0XXXX\0\0\0\0', 'latin1'))
    const end = frame + 8 + length
    const bytes = Buffer.concat([plain.subarray(0, end), chunks, plain.subarray(end)])
    bytes.writeUInt32LE(length + chunks.length, frame + 4)
    bytes.writeUInt32LE(plain.readUInt32LE(4) + chunks.length, 4)
    expect(await fault(bytes)).toBe('fileDamaged')
  })

  it('private boxes of AVIF', async () => {
    const boxes = Buffer.alloc(9 * 300_000, boxOf('free', Buffer.alloc(1)))
    expect(await fault(avifOf(meta, boxOf('moov', boxes)))).toBe('fileDamaged')
    expect(await fault(avifOf(meta, boxes))).toBe('fileDamaged')
  })

  it('extents of AVIF', async () => {
    const places = Buffer.alloc(8 + 6 * 10)
    places.writeUInt16BE(10, 6)
    for (let item = 0; item < 10; item += 1) {
      places.writeUInt16BE(item + 1, 8 + 6 * item)
      places.writeUInt16BE(10_000, 12 + 6 * item)
    }
    const at = meta.indexOf('iloc') - 4
    const content = Buffer.concat([
      ...[meta.subarray(8, at), boxOf('iloc', places)],
      meta.subarray(at + meta.readUInt32BE(at)),
    ])
    expect(await fault(avifOf(boxOf('meta', content)))).toBe('fileDamaged')
  })

  it('descriptions of AVIF', async () => {
    expect(await fault(avifOf(meta, meta))).toBe('fileDamaged')
  })
})

describe('what is refused', () => {
  const bomb = Buffer.from(png(1))
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29)
  const wide = Buffer.from(sample('gif'))
  wide.writeUInt16LE(65_535, 6)
  wide.writeUInt16LE(65_535, 8)
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

  it.each<[string, string, Uint8Array]>([
    ['a picture of 100,000 by 100,000 pixels', 'fileManyPixels', bomb],
    ['a GIF of 65,535 by 65,535 pixels', 'fileManyPixels', wide],
    ['nothing', 'fileEmpty', Buffer.alloc(0)],
    ['SVG', 'fileSvg', Buffer.from(svg)],
    ['SVG after a declaration', 'fileSvg', Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!-- x -->\n${svg}`)],
    ['packed SVG', 'fileNotPicture', gzipSync(svg)],
    ['HTML', 'fileNotPicture', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a script that begins as a GIF', 'fileDamaged', Buffer.from('GIF89a=1;/*                  */alert(1)')],
    ['a PDF', 'fileNotPicture', Buffer.from('%PDF-1.7 …')],
    ['a zip', 'fileNotPicture', Buffer.from('504b0304140000000000', 'hex')],
    ['a video', 'fileNotPicture', Buffer.from('0000001c66747970697336d0000000006d7034326d703431', 'hex')],
    ['HEIC', 'fileNotPicture', Buffer.from('000000186674797068656963000000006d69663168656963', 'hex')],
    ['a BMP', 'fileNotPicture', Buffer.from('BM                                  ')],
  ])('%s', async (_, code, bytes) => {
    expect(await fault(bytes)).toBe(code)
  })

  it('are broken bytes, in words, unless they are still a picture', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
      return (seed >>> 8) % below
    }
    const kept = SAMPLES.map((name) => {
      let pictures = 0
      for (let run = 0; run < 500; run += 1) {
        const bytes = sample(name)
        for (let change = random(4); change >= 0; change -= 1) bytes[random(bytes.length)] = random(256)
        // Throws errors that are none of a picture.
        if (cleanPictureBytes(bytes)) pictures += 1
      }
      return pictures
    })
    expect(kept.some((pictures) => pictures < 500)).toBe(true)
  })
})

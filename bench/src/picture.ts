import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}

/** A PNG of about so many bytes (PNG specification, section 5), one row at least; another `number` gives another picture. */
export function pictureOf(bytes: number, number: number, width = 1000): Buffer {
  const row = 1 + 4 * width
  const height = Math.ceil(bytes / row)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  // Eight bits, with transparency.
  head.set([8, 6], 8)
  const pixels = Buffer.alloc(height * row)
  pixels.writeUInt32BE(number, 1)
  const parts = [
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([SIGNATURE, ...parts])
}

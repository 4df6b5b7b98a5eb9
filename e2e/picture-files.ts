import { deflateSync } from 'node:zlib'
import type { Page } from '@playwright/test'

/* Files of pictures for journeys, made where they are used. */

const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const chunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  let crc = -1
  for (const byte of named) crc = (CRC[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeInt32BE(~crc)
  return Buffer.concat([length, named, sum])
}

/** A PNG of one colour. */
export const png = (width: number, height: number, colour = [200, 60, 60]): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const row = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A small PNG of very many pixels, all black. */
export const hugePng = (side: number): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const GIF_FRAME = [0x21, 0xf9, 4, 4, 20, 0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]

/** A GIF of one pixel that blinks, with a comment that makes it at least so large. */
export const animatedGif = (bytes = 0): Buffer => {
  const comment = Buffer.alloc(Math.ceil(bytes / 256) * 256, 'x')
  for (let at = 0; at < comment.length; at += 256) comment[at] = 255
  return Buffer.from([
    ...Buffer.from('GIF89a', 'latin1'),
    ...[1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
    ...[0x21, 0xfe, ...comment, 0],
    ...GIF_FRAME,
    ...GIF_FRAME,
    0x3b,
  ])
}

/** 40 by 20 pixels, written by libvips. */
export const AVIF = Buffer.from(
  'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA' +
    'AAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAAC0AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAA' +
    'AA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACgAAAAUAAAAEHBpeGkAAAAA' +
    'AwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAA1bWRhdBIACgk4FSebSAhoNIAyHkawmLk4AAUAAQDjvDHDswDJEIH+4vzn' +
    'LbzNM99OaA==',
  'base64',
)

/** Exif that turns a picture by a quarter and names where it was taken: an orientation of 6 and a GPS directory. */
const EXIF = Buffer.from([
  ...Buffer.from('Exif\0\0MM\0*\0\0\0\x08', 'latin1'),
  ...[0, 2],
  ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0],
  ...[0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38],
  ...[0, 0, 0, 0],
  ...[0, 1],
  ...[0, 1, 0, 2, 0, 0, 0, 2, 0x4e, 0, 0, 0],
  ...[0, 0, 0, 0],
])

/** The entry of Exif that leads to where a picture was taken. */
export const GPS_ENTRY = Buffer.from([0x88, 0x25, 0, 4, 0, 0, 0, 1])

/** A photo that no compression makes small, lying on its side: the browser shows it upright. */
export async function sidewaysPhoto(page: Page, width: number, height: number): Promise<Buffer> {
  const made = await page.evaluate(
    async ([width, height]) => {
      const canvas = new OffscreenCanvas(width, height)
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      const noise = context.createImageData(width, height)
      for (let at = 0, seed = 1; at < noise.data.length; at += 1) {
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
        noise.data[at] = at % 4 === 3 ? 255 : (((at >> 2) % width) / width) * 200 + ((seed >> 16) & 15)
      }
      context.putImageData(noise, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 })
      const reader = new FileReader()
      reader.readAsDataURL(blob)
      await new Promise((done) => {
        reader.onload = done
      })
      return String(reader.result).split(',')[1] ?? ''
    },
    [width, height] as const,
  )
  const jpeg = Buffer.from(made, 'base64')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(EXIF.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, EXIF, jpeg.subarray(2)])
}

/** Drops files on an element, in its middle; returns whether the page took them. */
export const dropFiles = (
  page: Page,
  selector: string,
  files: readonly { name: string; mimeType: string; buffer: Buffer }[],
): Promise<boolean> =>
  page.evaluate(
    ([selector, files]) => {
      const dataTransfer = new DataTransfer()
      for (const { name, type, base64 } of files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
        dataTransfer.items.add(new File([bytes], name, { type }))
      }
      const target = document.querySelector(selector)
      if (!target) throw new Error(`nothing to drop on: ${selector}`)
      const { left, top, width, height } = target.getBoundingClientRect()
      const at = { clientX: left + width / 2, clientY: top + height / 2 }
      return !target.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...at }),
      )
    },
    [
      selector,
      files.map(({ name, mimeType, buffer }) => ({
        name,
        type: mimeType,
        base64: buffer.toString('base64'),
      })),
    ] as const,
  )

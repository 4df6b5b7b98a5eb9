import { crc32, deflateSync } from 'node:zlib'
import type { Picture } from '@kopilka/contract/files.ts'
import type { TestApp } from './create-test-app.ts'
import type { Account } from './new-account.ts'

/** Pictures of 40 by 20 pixels, written by libvips. Those named after Exif have it, with the word 'Canary'. */
const ENCODED = {
  png: [
    'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAMAAADImI+JAAAABlBMVEX////MAADNd7xaAAAACXBIWXMAAAsTAAALEwEAmpwY',
    'AAAAGElEQVQokWNgxAIYsAHGUYX0DZ5RMEgBAOuLAMlsjVGvAAAAAElFTkSuQmCC',
  ],
  jpeg: [
    '/9j/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//',
    '2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAAR',
    'CAAUACgDASIAAhEBAxEB/8QAGAABAAMBAAAAAAAAAAAAAAAAAAQFBgf/xAApEAEAAAIGCgMAAAAAAAAAAAAABREBAgMGExYE',
    'BxIVIjFFVaPSUYPC/8QAGAEBAQADAAAAAAAAAAAAAAAAAAQCBQb/xAAeEQACAgEFAQAAAAAAAAAAAAAAAgED0QQUFTFRof/a',
    'AAwDAQACEQMRAD8Ayw6zk273b/Naexk273b/ADWnsj27HScxR5PzJQ6sep/V+28QIXBofCMXd+j4OLLb461acpy500/NKepr',
    'WVWIk0msuW65rF6nAAZkwAAAAAAB/9k=',
  ],
  webp: [
    'UklGRoIAAABXRUJQVlA4IHYAAABwBACdASooABQAPrVSo0wnJKMiKqgA4BaJQBg1XAW/+AorCDQgx6jrldvIAAD+68wPdd/m',
    'oj6BbfX3kuAiWq5ZV/+hJ/+5dgLe/pJVP1g+/skqgP4IDg+Xv7sOseL8I/4O66j/q9nsSj9+wsGYBZsDEL1GAAAA',
  ],
  webpLossless: ['UklGRi4AAABXRUJQVlA4TCEAAAAvJ8AEAA+w/2/+3//5jwcQZhvNYP60+98JRPR/AkoYewQA'],
  webpExif: [
    'UklGRmoBAABXRUJQVlA4WAoAAAAIAAAAJwAAEwAAVlA4IHYAAABwBACdASooABQAPrVSo0wnJKMiKqgA4BaJQBg1XAW/+Aor',
    'CDQgx6jrldvIAAD+68wPdd/moj6BbfX3kuAiWq5ZV/+hJ/+5dgLe/pJVP1g+/skqgP4IDg+Xv7sOseL8I/4O66j/q9nsSj9+',
    'wsGYBZsDEL1GAAAARVhJRs4AAABFeGlmAABJSSoACAAAAAcADwECAAcAAAByAAAAEgEDAAEAAAABAAAAGgEFAAEAAABiAAAA',
    'GwEFAAEAAABqAAAAKAEDAAEAAAACAAAAEwIDAAEAAAABAAAAaYcEAAEAAAB6AAAAAAAAAEgAAAABAAAASAAAAAEAAABDYW5h',
    'cnkAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAAAoAAAAA6AEAAEA',
    'AAAUAAAAAAAAAA==',
  ],
  webpAnimated: [
    'UklGRkgDAABXRUJQVlA4WAoAAAACAAAAJwAAEwAAQU5JTQYAAAD/////AABBTk1GmAAAAAAAAAAAACcAABMAAGQAAAJWUDgg',
    'gAAAAFAGAJ0BKigAFAA+bTKVRyQjIiElbMiADYlnAMogcj/9t/7oBvf62/0wC3AfwDa/yRmI/BhZhWYdssWQAP58xMFaL2dY',
    'KztGXHHBNunGWwG2i/UEqZl+vjRKOGNHgDjGUKSz8AKgbbcwgvzqLKHZRy7SAsumAX1ShqsI7zqrAAAAQU5NRhYBAAAAAAAC',
    'AAAnAAAPAABkAAAAVlA4IP4AAAA0BwCdASooABAAPmkskEWDVYCAAADQlqAJ0yhIK+grwHlo5+Zuj38A9gD9AEn/vAB/APQZ',
    '/hiolNsI/vdWSK+KngAA/okUzEM/6Zc9PAZ9XjBP28j39JDCFkw8mRKGe0HKshsFZBiWVQKcdu5mH0+Ch269CXyXzXzajK43',
    'X3o/62lyhza+lNc4YRfq2Ba0qpH/rH2yWyhuQ3g4+4tvOo/ZUdy6DStpuYYlN6KobvXKTJV8a3ObVZnZsjcGdZ4VVfo547fr',
    'eDRIEmLu5/Znx2/W8GiQJMVQBTNHZgA/8FwfyB1fVQMUoOMGXuzYRx+hJG/e7KYSP9TddcUXD4AAAEFOTUZeAQAAAAAAAAAA',
    'JwAAEwAAZAAAAFZQOCBGAQAANAsAnQEqKAAUAD5tMJJGAwGqgAAA2JYgCdMsW1dZ34o9KPoA8tDPxvQB/5ukA/inoAatRbwK',
    '57+Z/hXp+dpZ/gGsB/AO1n5k/536If9z5SB+bmktOwFiQVor7yDEFKOTRAAA/ZqjXb5QWvsCg4x+hyfn0Rg/hoXnTQ7hV2Wp',
    '4t93N8klV5xPRRxzusjwC8nSTfUO8NSwWpjeamH2egPx9ZwMBITz62md058QitlJO/7hX9GYWUFhm9ZckkcVCdkJYmC3Myt/',
    'UMYY9IMN8U18Vu9HHzAg70hHZlLtuExexedRJEl8DxAKP4Eaf/CET13Dyn4uHnvSeZytqiQBrpAfcczvKYvq86rCu4yjmwHg',
    'H2od3rlLTu1B0ok2UuoNdkg+JLgJ01Fr8kNrX1lmt+wu/WA5yFguu9T5sfomWBAF6J6eh4h4AAA=',
  ],
  gif: [
    'R0lGODlhKAAUAIEAAExpccwAAP///wAAACH5BAUAAAAALAAAAAAoABQAAAIxjI+Zwu3/lJSw1omP3S1nznkYuIkTaZkUCqkK',
    '27oIHMkajef6zvf+DwwKh8Si8QgqAAA7',
  ],
  gifAnimated: [
    'R0lGODlhKAAUAIIAAExpcQD/AADMAMwA//8AzAAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh+QQFCgAAACwAAAAAKAAU',
    'AAADOygUo+xtxSehrZjqye/2XRZ+ImiWKKmO7Lm6bRq/MmzXOK3P/L37vVzwJwQai0iicsg8Lp3NZPQphUITACH5BAUKAAAA',
    'LAAABgAoAA4Ag0xpccwA/wDMAAD/AP8AzAAAzP8AAMz/AADM/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAQ4EMhJq7WomJN35xro',
    'hV9JnmMqrqbasijsxm9N33Mu77be8zigL/grEo/DpHBpVDaZSKgz+qxSSREAIfkEBQoAAAAsAAAAACgAFACDTGlxzAD/AMwA',
    'AP8A/wDMAADM/wAAzP8AAMz/AAAAAAAAAAAAAAAAAAAAAAAAAAAABF2wmIMktXXmq7HvICdu5DeaZZieKuq2MCuv9DvbdZzf',
    'ugX8wKBwSCwaj8ikcslsOp/QqHSqJAwCAitWm712t16uOEwGm7/o8VmdLrfXbrY8Tofb3/j5XZ+v9/d+WhEAOw==',
  ],
  avif: [
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA',
    'AAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAAC0AAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAA',
    'AA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACgAAAAUAAAAEHBpeGkAAAAA',
    'AwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAA1bWRhdBIACgk4FSebSAhoNIAyHkawmLk4AAUAAQDjvDHDswDJEIH+4vzn',
    'LbzNM99OaA==',
  ],
  avifExif: [
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAARdtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAA',
    'AAAAADRpbG9jAAAAAERAAAIAAQAAAAABOwABAAAAAAAAAC0AAgAAAAABaAABAAAAAAAAANIAAAA4aWluZgAAAAAAAgAAABVp',
    'bmZlAgAAAAABAABhdjAxAAAAABVpbmZlAgAAAQACAABFeGlmAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxh',
    'djFDgSACAAAAABRpc3BlAAAAAAAAACgAAAAUAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAaaXJl',
    'ZgAAAAAAAAAOY2RzYwACAAEAAQAAAQdtZGF0EgAKCTgVJ5tICGg0gDIeRrCYuTgABQABAOO8McOzAMkQgf7i/OctvM0z305o',
    'AAAABkV4aWYAAElJKgAIAAAABwAPAQIABwAAAHIAAAASAQMAAQAAAAEAAAAaAQUAAQAAAGIAAAAbAQUAAQAAAGoAAAAoAQMA',
    'AQAAAAIAAAATAgMAAQAAAAEAAABphwQAAQAAAHoAAAAAAAAASAAAAAEAAABIAAAAAQAAAENhbmFyeQAABgAAkAcABAAAADAy',
    'MTABkQcABAAAAAECAwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAACgAAAADoAQAAQAAABQAAAAAAAAA',
  ],
} as const

export type SampleName = keyof typeof ENCODED

export const sample = (name: SampleName): Buffer => Buffer.from(ENCODED[name].join(''), 'base64')

export const SAMPLES = Object.keys(ENCODED) as SampleName[]

/** A chunk of PNG. */
export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), chunk.length - 4)
  return chunk
}

/** A grey PNG whose pixels follow from the number: each number makes another picture. */
export function png(number: number, width = 8, height = 8, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const pixels = Buffer.alloc((width + 1) * height)
  pixels.writeUInt32LE(number, 1)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND'),
  ])
}

/** A PNG of about so many bytes that do not compress. */
export function largePng(bytes: number, seed = 1): Buffer {
  const noise = Buffer.alloc(bytes)
  let state = seed
  for (let at = 0; at + 4 <= bytes; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    noise.writeUInt32LE(state, at)
  }
  const width = 1000
  const height = Math.ceil(bytes / (width + 1))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const pixels = Buffer.alloc((width + 1) * height)
  noise.copy(pixels)
  for (let row = 0; row < height; row += 1) pixels[row * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels, { level: 0 })),
    pngChunk('IEND'),
  ])
}

/** A segment of a JPEG. */
export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A JPEG with more segments after its first two bytes. */
export const jpegWith = (...segments: readonly Buffer[]): Buffer => {
  const plain = sample('jpeg')
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)])
}

/** Exif of a camera: its name, an orientation, and where it was. */
export function exif(orientation: number): Buffer {
  const tiff = Buffer.alloc(120)
  tiff.write('II*\0', 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(3, 8)
  const entry = (at: number, [tag, type, count, value]: readonly [number, number, number, number]) => {
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  entry(10, [0x010f, 2, 7, 50])
  entry(22, [0x0112, 3, 1, orientation])
  entry(34, [0x8825, 4, 1, 60])
  tiff.write('Canary\0', 50, 'latin1')
  tiff.writeUInt16LE(1, 60)
  entry(62, [1, 2, 2, 0x4e])
  tiff.write('Canary GPS', 90, 'latin1')
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

interface Upload {
  readonly type?: string
  readonly headers?: Record<string, string>
}

/** Sends a picture. */
export async function sendPicture(
  app: Pick<TestApp, 'address'>,
  { auth }: Pick<Account, 'auth'>,
  content: Uint8Array | ReadableStream | string,
  { type = 'application/octet-stream', headers = {} }: Upload = {},
): Promise<{ status: number; body: Picture & { detail?: string; file?: string[] } }> {
  const response = await fetch(`${app.address}/api/v1/files/`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${auth.token}`, ...headers },
    body: content,
    ...(content instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
  // Its callers check what it is.
  const body = (await response.json()) as Picture & { detail?: string; file?: string[] }
  return { status: response.status, body }
}

/** Sends a picture that must be kept. */
export async function keepPicture(
  app: Pick<TestApp, 'address'>,
  account: Pick<Account, 'auth'>,
  content: Uint8Array,
): Promise<Picture> {
  const { status, body } = await sendPicture(app, account, content)
  if (status !== 201) throw new Error(`${status} ${body.detail}`)
  return body
}

/** Reads a picture. */
export async function readPicture(
  app: Pick<TestApp, 'address'>,
  { auth }: Pick<Account, 'auth'>,
  id: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const response = await fetch(`${app.address}/api/v1/files/${id}/`, {
    headers: { authorization: `Bearer ${auth.token}`, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

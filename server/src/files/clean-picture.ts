import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import type { PictureType } from '@kopilka/contract/files.ts'
import { MAX_PIXELS } from '@kopilka/contract/limits.ts'
import { AppError } from '../errors.ts'
import {
  type ByteSource,
  bytesOf,
  type CleanPicture,
  fileSource,
  memorySource,
  PictureFault,
} from './byte-source.ts'
import { cleanAvif, isAvif } from './formats/avif.ts'
import { cleanGif, isGif } from './formats/gif.ts'
import { cleanJpeg, isJpeg } from './formats/jpeg.ts'
import { cleanPng, isPng } from './formats/png.ts'
import { cleanWebp, isWebp } from './formats/webp.ts'

interface Format {
  readonly type: PictureType
  readonly recognises: (head: Buffer) => boolean
  /** Throws {@link PictureFault}. */
  readonly clean: (source: ByteSource) => CleanPicture
}

const FORMATS: readonly Format[] = [
  { type: 'image/png', recognises: isPng, clean: cleanPng },
  { type: 'image/jpeg', recognises: isJpeg, clean: cleanJpeg },
  { type: 'image/webp', recognises: isWebp, clean: cleanWebp },
  { type: 'image/gif', recognises: isGif, clean: cleanGif },
  { type: 'image/avif', recognises: isAvif, clean: cleanAvif },
]

/** What of a file shows its format. */
const HEAD = 512

/** The longest side: more pixels in a row are no picture that a browser shows. */
const MAX_SIDE = 65_535

/** What is kept of a picture besides its bytes. */
export interface PictureFacts {
  readonly id: string
  readonly type: PictureType
  readonly width: number
  readonly height: number
  readonly bytes: number
}

/** Cleans a picture and gives its bytes to `write`, a piece at a time. Throws {@link PictureFault}. */
function clean(source: ByteSource, write: (piece: Uint8Array) => void): PictureFacts {
  if (source.size === 0) throw new PictureFault('fileEmpty')
  const head = Buffer.from(source.read(0, Math.min(HEAD, source.size)))
  const format = FORMATS.find(({ recognises }) => recognises(head))
  if (!format) throw new PictureFault(isSvg(head) ? 'fileSvg' : 'fileNotPicture')
  const { width, height, parts } = format.clean(source)
  if (width === 0 || height === 0) throw new PictureFault('fileDamaged')
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new PictureFault('fileManyPixels')
  const hash = createHash('sha256')
  let bytes = 0
  for (const piece of bytesOf(source, parts)) {
    hash.update(piece)
    write(piece)
    bytes += piece.length
  }
  return { id: idOf(hash.digest()), type: format.type, width, height, bytes }
}

/** Whether a text that begins so is SVG. */
function isSvg(head: Buffer): boolean {
  const text = head.toString('utf8').replace(/^\uFEFF?\s*/, '')
  return text.startsWith('<') && /<!doctype svg|<(?:\w+:)?svg[\s>]/i.test(text)
}

/**
 * The id of a picture: the first 122 bits of the SHA-256 of its clean bytes, as a UUID of version 8 (RFC 9562, section 5.8). The
 * same picture has the same id in every account, so that an archive keeps its addresses; only its owner can read it.
 */
function idOf(hash: Buffer): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Cleans the file at one path into a new one. Runs in a worker thread, which it blocks. Throws the codes of {@link PictureFault}. */
export function cleanPictureFile({ from, to }: { from: string; to: string }): PictureFacts {
  const input = openSync(from, 'r')
  try {
    const output = openSync(to, 'w', 0o600)
    try {
      const source = fileSource(input, fstatSync(input).size)
      return clean(source, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(output, piece, at)
      })
    } finally {
      closeSync(output)
    }
  } catch (error) {
    throw error instanceof PictureFault ? new AppError(error.code) : error
  } finally {
    closeSync(input)
  }
}

/** A picture cleaned in memory; undefined where it is none that can be kept. */
export function cleanPictureBytes(bytes: Buffer): { facts: PictureFacts; pieces: Uint8Array[] } | undefined {
  const pieces: Uint8Array[] = []
  try {
    const facts = clean(memorySource(bytes), (piece) => pieces.push(piece))
    return { facts, pieces }
  } catch (error) {
    if (error instanceof PictureFault) return undefined
    throw error
  }
}

import { readSync } from 'node:fs'

/** Bytes that are read by their place, from a file or from memory. */
export interface ByteSource {
  readonly size: number
  /** The bytes from a place on. Throws {@link PictureFault} beyond the end. */
  readonly read: (at: number, length: number) => Buffer
}

/** Why bytes are not kept as a picture: an error code. */
export class PictureFault extends Error {
  override name = 'PictureFault'
  readonly code: 'fileDamaged' | 'fileNotPicture' | 'fileSvg' | 'fileManyPixels' | 'fileEmpty'

  constructor(code: PictureFault['code']) {
    super(code)
    this.code = code
  }
}

export const damaged = (): PictureFault => new PictureFault('fileDamaged')

/** Bytes of a file that are read at once: parsers go forward in small steps. */
const WINDOW = 64 * 1024

/** An open file. Reads block the thread. */
export function fileSource(descriptor: number, size: number): ByteSource {
  let window = Buffer.alloc(0)
  let start = 0
  return {
    size,
    read(at, length) {
      if (at < 0 || length < 0 || at + length > size) throw damaged()
      if (at < start || at + length > start + window.length) {
        window = Buffer.alloc(Math.min(Math.max(WINDOW, length), size - at))
        start = at
        const got = readSync(descriptor, window, 0, window.length, at)
        if (got < length) throw damaged()
      }
      return window.subarray(at - start, at - start + length)
    },
  }
}

export const memorySource = (bytes: Buffer): ByteSource => ({
  size: bytes.length,
  read(at, length) {
    if (at < 0 || length < 0 || at + length > bytes.length) throw damaged()
    return bytes.subarray(at, at + length)
  },
})

/** A part of a cleaned picture: bytes of the source from a place up to another, or new bytes. */
type Part = readonly [from: number, to: number] | Uint8Array

/** Most parts of a picture: an animation of thousands of frames has some for each. */
export const MAX_PARTS = 50_000

/** The parts of a cleaned picture in order. Throws {@link PictureFault} beyond {@link MAX_PARTS}. */
export class Parts {
  readonly list: Part[] = []

  /** Adds the bytes of the source from a place up to another. */
  keep(from: number, to: number): void {
    const last = this.list.at(-1)
    if (last && !(last instanceof Uint8Array) && last[1] === from)
      this.list[this.list.length - 1] = [last[0], to]
    else if (to > from) this.#push([from, to])
  }

  add(bytes: Uint8Array): void {
    this.#push(bytes)
  }

  /** Adds the parts of others. */
  addAll({ list }: Parts): void {
    for (const part of list) this.#push(part)
  }

  #push(part: Part): void {
    if (this.list.length >= MAX_PARTS) throw damaged()
    this.list.push(part)
  }

  get length(): number {
    let length = 0
    for (const part of this.list) length += part instanceof Uint8Array ? part.length : part[1] - part[0]
    return length
  }
}

/** A picture without private data. Width and height are those that browsers show. */
export interface CleanPicture {
  readonly width: number
  readonly height: number
  readonly parts: Parts
}

/** The bytes of the parts, a piece at a time. */
export function* bytesOf(source: ByteSource, { list }: Parts): Generator<Uint8Array> {
  for (const part of list) {
    if (part instanceof Uint8Array) yield part
    else for (let [at, to] = part; at < to; at += WINDOW) yield source.read(at, Math.min(WINDOW, to - at))
  }
}

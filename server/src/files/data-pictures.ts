import { fileUrl } from '@kopilka/contract/files.ts'
import { AppError } from '../errors.ts'
import type { Pool } from '../threads/pool.ts'
import { cleanPictureBytes, type PictureFacts } from './clean-picture.ts'
import { CHUNK, type FileStore } from './store.ts'

/** Pictures that one save keeps: further ones stay in the text until the next. */
const MOST = 50

/** Images of clean HTML whose address is the picture itself. */
const DATA_PICTURE = /(<img\b[^>]*?\ssrc=")(data:image\/[^",;]+;base64,([^"]*))(?=")/gi

/** A size in the tag of an image. */
const SIZE = /\s(?:width|height)="/i

/** HTML without the addresses of some pictures, which stand between its pieces. */
export interface SplitHtml {
  readonly pieces: string[]
  readonly pictures: {
    readonly address: string
    readonly facts: PictureFacts
    readonly bytes: Uint8Array
    /** The text gives it a width or a height. */
    readonly isSized: boolean
  }[]
}

/** Takes the pictures out of clean HTML that can be kept as files. Runs in a worker thread. */
export function splitPictures(html: string): SplitHtml {
  const split: SplitHtml = { pieces: [], pictures: [] }
  let at = 0
  for (const { index, 1: before = '', 2: address = '', 3: data = '' } of html.matchAll(DATA_PICTURE)) {
    if (split.pictures.length === MOST) break
    const found = cleanPictureBytes(Buffer.from(data, 'base64'))
    if (!found) continue
    const start = index + before.length
    split.pieces.push(html.slice(at, start))
    at = start + address.length
    const isSized = SIZE.test(before) || SIZE.test(html.slice(at, html.indexOf('>', at)))
    split.pictures.push({ address, facts: found.facts, bytes: Buffer.concat(found.pieces), isSized })
  }
  split.pieces.push(html.slice(at))
  return split
}

/** Whether a picture may be written in a text. */
export const hasPictures = (html: string): boolean => /data:image\//i.test(html)

export type KeepPictures = ReturnType<typeof createDataPictures>

/**
 * Makes files of the pictures in HTML whose address is the picture itself. One that cannot be kept, or for which there is no
 * room, stays as it is.
 */
export const createDataPictures =
  ({ pool, store }: { pool: Pool; store: Pick<FileStore, 'save'> }) =>
  async (owner_id: string, html: string, signal?: AbortSignal): Promise<string> => {
    if (!hasPictures(html)) return html
    const { pieces, pictures } = await pool.run<SplitHtml>('splitPictures', html, { owner_id, signal })
    const parts: string[] = []
    for (const [index, piece] of pieces.entries()) {
      signal?.throwIfAborted()
      parts.push(piece)
      const picture = pictures[index]
      if (picture) parts.push((await saved(store, owner_id, picture)) ?? picture.address)
    }
    return parts.join('')
  }

async function saved(
  store: Pick<FileStore, 'save'>,
  owner_id: string,
  { facts, bytes, isSized }: SplitHtml['pictures'][number],
): Promise<string | undefined> {
  try {
    await store.save(owner_id, facts, () => chunksOf(bytes))
    const { id, width, height } = facts
    // The address stands between quotes.
    return isSized ? fileUrl(id) : `${fileUrl(id)}" width="${width}" height="${height}`
  } catch (error) {
    if (error instanceof AppError && error.code === 'fileQuota') return undefined
    throw error
  }
}

/** Copies of the pieces: a part that shares its memory would be sent to the writer thread with all of it. */
function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield new Uint8Array(bytes.subarray(at, at + CHUNK))
}

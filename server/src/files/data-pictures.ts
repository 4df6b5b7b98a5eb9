import { fileUrl } from '@kopilka/contract/files.ts'
import type { Database } from '../db/open.ts'
import { AppError } from '../errors.ts'
import type { Pool } from '../threads/pool.ts'
import { cleanPictureBytes, type PictureFacts } from './clean-picture.ts'
import { withSizes } from './picture-sizes.ts'
import { namesFiles } from './references.ts'
import { CHUNK, type FileStore } from './store.ts'

/** Pictures that are in memory at once. */
const MOST = 50
/** Rounds of one save, that is 500 pictures: each is some transactions, and a text has room for thousands of tiny ones. */
const ROUNDS = 10

/** Images of clean HTML whose address is the picture itself. */
const DATA_PICTURE = /(<img\b[^>]*?\ssrc=")(data:image\/[^",]*;base64,([^"]*))(?=")/gi

/** HTML without the addresses of some pictures, which stand between its pieces. */
export interface SplitHtml {
  readonly pieces: string[]
  readonly pictures: {
    readonly facts: PictureFacts
    readonly bytes: Uint8Array
  }[]
  /** What follows, where there may be more pictures. */
  readonly rest: string
}

/** Takes the first pictures out of clean HTML that can be kept as files. Runs in a worker thread. */
export function splitPictures(html: string): SplitHtml {
  const pieces: SplitHtml['pieces'] = []
  const pictures: SplitHtml['pictures'] = []
  let at = 0
  for (const { index, 1: before = '', 2: address = '', 3: data = '' } of html.matchAll(DATA_PICTURE)) {
    if (pictures.length === MOST) return { pieces, pictures, rest: html.slice(at) }
    const found = cleanPictureBytes(Buffer.from(data, 'base64'))
    if (!found) continue
    const start = index + before.length
    pieces.push(html.slice(at, start))
    at = start + address.length
    pictures.push({ facts: found.facts, bytes: Buffer.concat(found.pieces) })
  }
  pieces.push(html.slice(at))
  return { pieces, pictures, rest: '' }
}

const hasPictures = (html: string): boolean => /data:image\//i.test(html)

/** Whether a text may be saved with other images than it has. */
export const isConverted = (html: string): boolean => hasPictures(html) || namesFiles(html)

/** A text of more characters gets the sizes of its pictures in a worker thread. */
const LONG = 8_000

export type KeepPictures = ReturnType<typeof createDataPictures>

/**
 * Makes files of the first pictures in HTML whose address is the picture itself, and gives those that are files their size. A
 * picture for which there is no room stays in the text, cleaned; one that cannot be kept or that follows {@link ROUNDS} stays as
 * it is. The next save tries again.
 */
export const createDataPictures =
  ({ db, pool, store }: { db: Database; pool: Pool; store: Pick<FileStore, 'save'> }) =>
  async (owner_id: string, html: string, signal?: AbortSignal): Promise<string> => {
    const parts: string[] = []
    let rest = hasPictures(html) ? html : ''
    for (let round = 0; rest !== '' && round < ROUNDS; round += 1) {
      const task = { html: rest, clean: round > 0 }
      const split = await pool.run<SplitHtml>('splitPictures', task, { owner_id, signal })
      for (const [index, piece] of split.pieces.entries()) {
        signal?.throwIfAborted()
        parts.push(piece)
        const picture = split.pictures[index]
        if (picture) parts.push((await saved(store, owner_id, picture)) ?? dataAddress(picture))
      }
      rest = split.rest
    }
    const text = parts.length === 0 ? html : parts.join('') + rest
    if (!namesFiles(text)) return text
    if (text.length >= LONG) return pool.run('pictureSizes', { owner_id, text }, { owner_id, signal })
    return (await withSizes(db, owner_id, [text]))[0] ?? text
  }

const dataAddress = ({ facts, bytes }: SplitHtml['pictures'][number]): string =>
  `data:${facts.type};base64,${Buffer.from(bytes).toString('base64')}`

async function saved(
  store: Pick<FileStore, 'save'>,
  owner_id: string,
  { facts, bytes }: SplitHtml['pictures'][number],
): Promise<string | undefined> {
  try {
    await store.save(owner_id, facts, () => chunksOf(bytes))
    return fileUrl(facts.id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'fileQuota') return undefined
    throw error
  }
}

/** Copies of the pieces: a part that shares its memory would be sent to the writer thread with all of it. */
function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield new Uint8Array(bytes.subarray(at, at + CHUNK))
}

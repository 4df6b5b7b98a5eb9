import { fileUrl, type Picture } from '@kopilka/contract/files.ts'
import type { Pool } from '../threads/pool.ts'
import type { PictureFacts } from './clean-picture.ts'
import type { Spool } from './spool.ts'
import { CHUNK, type FileStore } from './store.ts'

export type PictureUploads = ReturnType<typeof createPictureUploads>

interface Parts {
  pool: Pool
  spool: Spool
  store: FileStore
}

const toPicture = ({ id, type, width, height, bytes }: PictureFacts): Picture => ({
  ...{ id, url: fileUrl(id), type, width, height, bytes },
})

/** Receives pictures, cleans them in a worker thread and stores them. */
export const createPictureUploads =
  ({ pool, spool, store }: Parts) =>
  /** Throws the errors that `files.create` declares. `size`: as announced. */
  (owner_id: string, bytes: AsyncIterable<Uint8Array>, size?: number): Promise<Picture> =>
    spool.withFile(bytes, size, async ({ from, to }) => {
      const facts = await pool.run<PictureFacts>('cleanPictureFile', { from, to }, { owner_id })
      await store.save(owner_id, facts, () => spool.chunksOf(to, CHUNK))
      return toPicture(facts)
    })

import { fileUrl, type Picture } from '@kopilka/contract/files.ts'
import type { Pool } from '../threads/pool.ts'
import type { PictureFacts } from './clean-picture.ts'
import type { Spool } from './spool.ts'
import { CHUNK, type FileStore } from './store.ts'

export type PictureUploads = ReturnType<typeof createPictureUploads>

interface Dependencies {
  pool: Pool
  spool: Spool
  store: FileStore
}

interface Sender {
  readonly owner_id: string
  /** As announced. */
  readonly size?: number | undefined
  readonly signal: AbortSignal
}

const toPicture = ({ id, type, width, height, bytes }: PictureFacts): Picture => ({
  ...{ id, url: fileUrl(id), type, width, height, bytes },
})

/** Receives pictures, cleans them in a worker thread and stores them. */
export const createPictureUploads =
  ({ pool, spool, store }: Dependencies) =>
  /** Throws the errors that `files.create` declares, and the reason of the signal. */
  ({ owner_id, size, signal }: Sender, bytes: AsyncIterable<Uint8Array>): Promise<Picture> =>
    spool.withFile(bytes, size, async ({ from, to }) => {
      const facts = await pool.run<PictureFacts>('cleanPictureFile', { from, to }, { owner_id, signal })
      await store.save(owner_id, facts, () => spool.chunksOf(to, CHUNK))
      return toPicture(facts)
    })

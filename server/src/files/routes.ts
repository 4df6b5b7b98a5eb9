import { files } from '@kopilka/contract/files.ts'
import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { Extraction } from '../metadata/extraction.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { endingOf, type FileStore } from './store.ts'
import type { PictureUploads } from './uploads.ts'

interface Dependencies {
  store: FileStore
  upload: PictureUploads
  extraction: Pick<Extraction, 'fetchPicture'>
}

/**
 * Pictures of one owner that are sent at once, each with a chunk in memory until the client reads it: more than a browser asks
 * for at once. As many as a minute has calls may wait, until shortly before their silent connections would be cut.
 */
const DOWNLOADS = {
  total: Number.POSITIVE_INFINITY,
  perOwner: 8,
  waiting: RATE_LIMITS.signedIn.times,
  timeout: 60_000,
}

/** The calls of pictures. */
export function serveFiles({ serve }: Server, { store, upload, extraction }: Dependencies): void {
  const downloads = createConcurrencyLimit(DOWNLOADS)

  serve(files.create, ({ caller: { owner_id }, file: { bytes, size }, signal }) =>
    upload({ owner_id, size, signal }, bytes),
  )

  serve(files.fetch, ({ caller: { owner_id }, body: { url }, locale, signal }) =>
    extraction.fetchPicture({ owner_id, url, locale, signal }, (bytes) =>
      upload({ owner_id, signal }, bytes),
    ),
  )

  serve(files.read, async ({ caller: { owner_id }, params: { id }, signal }) => {
    const found = await store.find({ owner_id, id })
    if (!found) throw new AppError('fileNotFound')
    const release = await downloads.enter(owner_id, { signal })
    if (signal.aborted) release()
    else signal.addEventListener('abort', release)
    const { type, bytes } = found
    return {
      name: `${id}.${endingOf(type)}`,
      mediaType: type,
      bytes: store.bytesOf({ owner_id, id, bytes }),
      shown: { size: bytes, etag: `"${id}"` },
    }
  })
}

import { files } from '@kopilka/contract/files.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { Extraction } from '../metadata/extraction.ts'
import { endingOf, type FileStore } from './store.ts'
import type { PictureUploads } from './uploads.ts'

interface Parts {
  store: FileStore
  upload: PictureUploads
  extraction: Pick<Extraction, 'fetchPicture'>
}

/** The calls of pictures. */
export function serveFiles({ serve }: Server, { store, upload, extraction }: Parts): void {
  serve(files.create, ({ caller: { owner_id }, file: { bytes, size } }) => upload(owner_id, bytes, size))

  serve(files.fetch, ({ caller: { owner_id }, body: { url }, locale, signal }) =>
    extraction.fetchPicture({ owner_id, url, locale, signal }, (bytes) => upload(owner_id, bytes)),
  )

  serve(files.read, async ({ caller: { owner_id }, params: { id } }) => {
    const found = await store.find({ owner_id, id })
    if (!found) throw new AppError('fileNotFound')
    const { type, bytes } = found
    return {
      name: `${id}.${endingOf(type)}`,
      mediaType: type,
      bytes: store.bytesOf({ owner_id, id, bytes }),
      shown: { size: bytes, etag: `"${id}"` },
    }
  })
}

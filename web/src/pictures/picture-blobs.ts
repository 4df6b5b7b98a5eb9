import { readPicture } from '../api/files.ts'
import { watchSession } from '../api/session.ts'

/*
 * Pictures of the user as addresses that `<img>` can load: the server gives a picture only to who sends the session's token.
 * Those that the page shows are kept, and the last ones that it has shown.
 */

/** Bytes of pictures that are kept while none of them is shown. */
const MAX_UNUSED_BYTES = 32 * 1024 * 1024

interface Kept {
  address: Promise<string>
  /** Absent while it loads. */
  loaded?: { address: string; bytes: number }
  users: number
}

/** By id, the one used last at the end. */
const pictures = new Map<string, Kept>()

const forget = (id: string, { loaded }: Kept): void => {
  pictures.delete(id)
  if (loaded) URL.revokeObjectURL(loaded.address)
}

const forgetUnused = (): void => {
  const unused = [...pictures].filter(([, { users, loaded }]) => users === 0 && loaded)
  let bytes = unused.reduce((sum, [, { loaded }]) => sum + (loaded?.bytes ?? 0), 0)
  for (const [id, picture] of unused) {
    if (bytes <= MAX_UNUSED_BYTES) return
    bytes -= picture.loaded?.bytes ?? 0
    forget(id, picture)
  }
}

const forgetAll = (): void => {
  for (const [id, picture] of pictures) forget(id, picture)
}
watchSession({ ended: forgetAll, replaced: forgetAll, renewed: () => undefined })

const keep = (id: string, blob: Promise<Blob>): Kept => {
  const picture: Kept = { address: blob.then((blob) => loaded(blob)), users: 0 }
  const loaded = (blob: Blob): string => {
    const address = URL.createObjectURL(blob)
    picture.loaded = { address, bytes: blob.size }
    // It was forgotten while it loaded.
    if (pictures.get(id) !== picture) URL.revokeObjectURL(address)
    return address
  }
  pictures.set(id, picture)
  picture.address.catch(() => {
    if (pictures.get(id) === picture) pictures.delete(id)
  })
  return picture
}

/** Keeps the bytes of a picture that was just sent: they need not come back. */
export const keepBlob = (id: string, blob: Blob): void => {
  if (!pictures.has(id)) keep(id, Promise.resolve(blob))
}

/** The address of a picture for `<img>`, until it is released. */
export const acquirePicture = (id: string): { address: Promise<string>; release: () => void } => {
  const picture = pictures.get(id) ?? keep(id, readPicture(id))
  picture.users += 1
  const release = () => {
    picture.users -= 1
    if (picture.users > 0 || pictures.get(id) !== picture) return
    pictures.delete(id)
    pictures.set(id, picture)
    forgetUnused()
  }
  return { address: picture.address, release }
}

import type { Picture } from '@kopilka/contract/files.ts'
import { loadOffline, mayWait } from './offline.ts'

/** The picture of an id if it waits in this browser, or the id that the server gave it. */
export const waitingPicture = async (id: string): Promise<Blob | string | undefined> =>
  mayWait() ? (await loadOffline())?.picture(id) : undefined

/** Keeps a picture until the server is back; undefined where that is impossible. */
export const keepPictureOffline = async (picture: Blob): Promise<Picture | undefined> =>
  (await loadOffline())?.keepPicture(picture)

import { loadOffline, readWaiting } from '../api/offline.ts'
import { allDrafts } from '../items/draft.ts'

/** A database that does not respond must not delay a sign-out: all that is kept counts then. */
const PATIENCE_MS = 2_000

/** What a sign-out would lose: changes that wait for the server, and pictures that only they and drafts name. */
export const signOutLosses = async (): Promise<ReturnType<typeof readWaiting>> => {
  const kept = readWaiting()
  const counting = count().catch(() => undefined)
  const tooLate = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  return { ...kept, ...(await Promise.race([counting, tooLate])) }
}

/** By the database itself: a browser that was killed may not have noted in local storage what is in it. */
const count = async () => {
  const drafts = await allDrafts()
  return (await loadOffline())?.unsent(JSON.stringify(drafts))
}

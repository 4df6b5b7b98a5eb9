import { DATABASE } from '../api/copy-session.ts'
import { endSession } from '../api/session.ts'
import { currentSignIn } from '../api/tokens.ts'

interface Kept {
  /** Whether changes wait. */
  readonly waits: boolean
  /** The last sign-ins whose users signed out. */
  readonly signedOut: readonly string[]
}

/** What a browser that was killed may have written into the database, and of local storage nothing that came in the last seconds. */
export const readDatabase = async (): Promise<Kept> => {
  const known = await indexedDB.databases?.()
  if (!known?.some(({ name }) => name === DATABASE)) return { waits: false, signedOut: [] }
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE)
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(['outbox', 'owner'])
      const counting = transaction.objectStore('outbox').count()
      const owner: IDBRequest<Partial<Kept> | undefined> = transaction.objectStore('owner').get('owner')
      transaction.oncomplete = () =>
        resolve({ waits: counting.result > 0, signedOut: owner.result?.signedOut ?? [] })
      transaction.onabort = () => reject(transaction.error)
      database.close()
    }
  })
}

/** Ends a sign-in that its user has ended before the browser was killed. */
export const endRevivedSession = async (): Promise<void> => {
  const { signedOut } = await readDatabase()
  const signIn = currentSignIn()
  if (signIn !== undefined && signedOut.includes(signIn)) endSession('left')
}

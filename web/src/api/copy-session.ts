/** The session whose items are copied into this browser and, once it has ended, whether the user signed out. */
interface CopySession {
  readonly signIn: string
  readonly left?: boolean | undefined
}

const KEY = 'offline'

/** The database of the copy and of changes that wait (offline/database.ts). */
export const DATABASE = 'kopilka-offline'

export const readCopySession = (): CopySession | undefined =>
  JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined

export const writeCopySession = (session: CopySession): void =>
  localStorage.setItem(KEY, JSON.stringify(session))

/**
 * Whether this browser may have a copy. A browser that is killed may have written the database, and of local storage nothing
 * that came in the last seconds: the page that the service worker serves is looked at as well.
 */
export const mayHaveCopy = (): boolean =>
  readCopySession() !== undefined ||
  ('serviceWorker' in navigator && navigator.serviceWorker.controller !== null)

/** Records why a session ends. Other tabs learn only that it does, so this is called before the tokens are removed. */
export const endCopySession = (signIn: string | undefined, left: boolean): void => {
  const session = readCopySession() ?? (mayHaveCopy() && signIn !== undefined ? { signIn } : undefined)
  if (!session) return
  try {
    writeCopySession({ ...session, left: session.left ?? left })
  } catch {
    // The storage is full: the session ends all the same.
  }
}

export const deleteCopySession = (): void => localStorage.removeItem(KEY)

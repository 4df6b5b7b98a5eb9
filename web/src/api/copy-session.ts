/** The session whose items are copied into this browser and, once it has ended, whether the user signed out. */
interface CopySession {
  readonly signIn: string
  readonly left?: boolean | undefined
}

const KEY = 'offline'

export const readCopySession = (): CopySession | undefined =>
  JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined

export const writeCopySession = (session: CopySession): void =>
  localStorage.setItem(KEY, JSON.stringify(session))

/** Records why the session ends. Other tabs learn only that it does, so this is called before the tokens are removed. */
export const endCopySession = (left: boolean): void => {
  const session = readCopySession()
  if (!session) return
  try {
    writeCopySession({ ...session, left: session.left ?? left })
  } catch {
    // The storage is full: the session ends all the same.
  }
}

export const deleteCopySession = (): void => localStorage.removeItem(KEY)

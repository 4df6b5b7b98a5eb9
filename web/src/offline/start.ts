import { deleteCopySession, readCopySession, writeCopySession } from '../api/copy-session.ts'
import { forgetSeenPictures } from '../api/seen-pictures.ts'
import { currentSignIn } from '../api/tokens.ts'
import { hideWaiting, setWaiting } from '../api/waiting.ts'
import { forgetRead } from './copy-store.ts'
import { abandon, claim, noteSignOut } from './database.ts'
import { moveDraftsOf } from './drafts.ts'
import { showWaiting, startRounds } from './rounds.ts'
import { endSearch } from './search/search-copy.ts'

/** Makes the copy that of the user's sign-in, and keeps it up to date while the page is open. */
export async function start(
  user: string,
  signIn: string,
  onChange: Parameters<typeof startRounds>[0],
): Promise<void> {
  if (await takeOver(user, signIn)) startRounds(onChange)
}

/** Makes the database that of the user's sign-in; false where that has ended meanwhile. */
export async function takeOver(user: string, signIn: string): Promise<boolean> {
  await cleanUp()
  if (currentSignIn() !== signIn) return false
  writeCopySession({ signIn })
  await claim(user, signIn)
  // The next sign-out asks about what waits since a session that ended by itself.
  await showWaiting(signIn)
  return true
}

/** Deletes what belongs to a sign-in that has ended, also where a crash came before that; of whoever left also what waits. */
export async function cleanUp(): Promise<void> {
  const copySession = readCopySession()
  if (!copySession || (copySession.left === undefined && copySession.signIn === currentSignIn())) return
  // First: the browser may be killed at any moment. Without a database the rest goes all the same.
  if (copySession.left) await noteSignOut(copySession.signIn).catch(() => undefined)
  forgetRead()
  endSearch()
  await forgetSeenPictures()
  if (copySession.left) setWaiting(undefined)
  else hideWaiting()
  // What typed text names is known no more after that.
  await moveDraftsOf(copySession.signIn, true)
  await abandon(copySession.signIn, copySession.left !== true)
  // Unless somebody has signed in meanwhile.
  if (currentSignIn() === undefined) deleteCopySession()
}

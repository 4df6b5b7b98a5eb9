import { hashKey, type QueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { readCopySession } from '../api/copy-session.ts'
import { mayWait } from '../api/offline.ts'
import { readStoredProfile } from '../api/profile.ts'
import { meQuery } from '../api/queries.ts'
import { isSignedIn } from '../api/session.ts'
import { readDatabase } from './revived-session.ts'
import type { AppRouter } from './router.tsx'

/** At most so many milliseconds for which it waits until the page is idle. */
const IDLE_WITHIN_MS = 4_000

const ME = hashKey(meQuery.queryKey)

const load = async () => {
  const { provideDrafts } = await import('../offline/drafts.ts')
  provideDrafts({
    move: async (...moved) => (await import('../items/remap-drafts.ts')).remapDrafts(...moved),
    read: async () => JSON.stringify(await (await import('../items/draft.ts')).allDrafts()),
  })
  const { start, cleanUp } = await import('../offline/start.ts')
  return { start, cleanUp }
}

/** What responds in place of the server. */
export const loadResponses = async () => {
  await load()
  return import('../offline/offline.ts')
}

/** Deletes what this browser keeps of a sign-in that has ended. */
export const deleteCopy = async (): Promise<void> => (await load()).cleanUp()

/** The sign-in after which the drafts of other users were dropped. */
let droppedFor: string | undefined

/** Drafts stay after a sign-out, for the same user alone: when another one signs in they go, as the copy of the account does. */
const dropDraftsOfOthers = async (): Promise<void> => {
  const { signIn, user } = readStoredProfile() ?? {}
  if (!user || droppedFor === signIn) return
  const module = await import('../items/draft.ts')
  if (readStoredProfile()?.signIn !== signIn) return
  droppedFor = signIn
  await module.dropDraftsOfOthers(user.id)
}

/**
 * Keeps a copy of the account in this browser, where the page opens without a server as well. Begins at once where changes wait,
 * else after so many milliseconds.
 */
export const startOffline = (router: AppRouter, queryClient: QueryClient, afterMs: number): void => {
  // The copy needs https, or localhost.
  const mayCopy = import.meta.env.PROD && 'serviceWorker' in navigator && 'locks' in navigator
  /** The sign-in whose copy has begun. */
  let begun: string | undefined
  const start = async () => {
    if (!isSignedIn()) return
    await navigator.serviceWorker.ready
    // Not the user whom the page shows: another tab may have signed somebody else in, of which this one hears later.
    const { signIn, user } = readStoredProfile() ?? {}
    if (!user || signIn === undefined || begun === signIn) return
    begun = signIn
    await (await load()).start(user.id, signIn, (sent) => void follow(router, queryClient, sent))
  }
  const begin = () => {
    // A chunk that does not load, or a browser without a database: everything else works.
    const tryStart = () => {
      void dropDraftsOfOthers().catch(() => undefined)
      if (mayCopy) void start().catch(() => undefined)
    }
    tryStart()
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryHash === ME) tryStart()
    })
    // A crash came before that.
    if (mayCopy && !isSignedIn() && readCopySession()) deleteCopy().catch(() => undefined)
  }
  const later = () => setTimeout(() => requestIdle(begin), afterMs)
  if (!mayCopy) return void later()
  readDatabase().then(({ waits }) => (waits || mayWait() ? begin() : later()), later)
}

/** Shows what has changed; an item that had an id of this browser's under the one that the server has given it. */
const follow = async (
  router: AppRouter,
  queryClient: QueryClient,
  sent: ReadonlyMap<string, string>,
): Promise<void> => {
  const { pathname, searchStr } = router.latestLocation
  // A form stays: what is typed in it finds the item by either.
  const [, before = '', id = ''] = /^(\/(?:notes|urllinks|tags)\/)([\w-]+)$/.exec(pathname) ?? []
  const real = sent.get(id)
  if (real !== undefined) router.history.replace(before + real + searchStr)
  await refreshAll(queryClient)
}

/** Safari has only timers. */
const requestIdle = (work: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_WITHIN_MS })
  else work()
}

import type { QueryClient } from '@tanstack/react-query'
import { readCopySession } from '../api/copy-session.ts'
import { meQuery } from '../api/queries.ts'
import { type SessionEnd, watchSession } from '../api/session.ts'
import { t } from '../messages/messages.ts'
import { hideMessages, showMessage } from '../ui/snackbar.ts'
import type { AppRouter } from './router.tsx'

/**
 * Follows the session: after a sign-out, here or in another tab, the page goes to login; after a sign-in of another
 * user in another tab it is reloaded. No data of the former user remain; `deleteCopy` deletes what this browser keeps of them.
 */
export const followSession = (
  router: AppRouter,
  queryClient: QueryClient,
  deleteCopy: () => Promise<void>,
): void => {
  // By the address, not by the matches on show: the screen may still be loading.
  const isProtected = (): boolean => {
    const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
    return routes.some((route) => route.id === '/main')
  }
  const leave = async (why: SessionEnd): Promise<void> => {
    // They may name items.
    if (why === 'left' || why === 'expired') hideMessages()
    if (why === 'expired') showMessage(t('failure.401'), 'error')
    await queryClient.cancelQueries()
    if (isProtected()) {
      const search = why === 'left' ? {} : { redirect: router.latestLocation.href }
      await router.navigate({ to: '/auth/login', search, ignoreBlocker: true })
    }
    // Only now: a screen still on show would refetch its data.
    queryClient.clear()
  }
  /** The page may hold another user's data: only a new document is sure to hold none of it. */
  const startAnew = (): void => {
    queryClient.clear()
    if (!isProtected()) return
    document.documentElement.hidden = true
    // Another user is signed in: the question about unsaved changes is not for them.
    router.history.destroy()
    window.location.replace('/home')
  }
  const renew = async (): Promise<void> => {
    const before = queryClient.getQueryData(meQuery.queryKey)
    if (!before) return void router.invalidate()
    const now = await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => before)
    if (now.id !== before.id) startAnew()
  }
  watchSession({
    ended: (why) => {
      // At once: the page may be closed.
      if (readCopySession()) deleteCopy().catch(() => undefined)
      void leave(why)
    },
    replaced: startAnew,
    renewed: () => void renew(),
  })
}

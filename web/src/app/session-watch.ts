import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/queries.ts'
import { type SessionEnd, watchSession } from '../api/session.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import type { AppRouter } from './router.tsx'

/**
 * Follows the session: whoever signs out, here or in another tab, is led to login; where another tab has signed
 * someone else in, the page starts anew. Nothing of whoever was signed in stays.
 */
export const followSession = (router: AppRouter, queryClient: QueryClient): void => {
  // Asked of the address, not of what shows: the screen may still be on its way.
  const isProtected = (): boolean => {
    const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
    return routes.some((route) => route.id === '/main')
  }
  const leave = async (why: SessionEnd): Promise<void> => {
    if (why === 'expired') showMessage(t('failure.401'), 'error')
    await queryClient.cancelQueries()
    if (isProtected()) {
      const search = why === 'left' ? {} : { redirect: router.latestLocation.href }
      await router.navigate({ to: '/auth/login', search, ignoreBlocker: true })
    }
    // Only now: a screen still showing would ask for its data again.
    queryClient.clear()
  }
  /** What the page holds may be someone else's: only a fresh document surely holds nothing of it. */
  const startAnew = (): void => {
    queryClient.clear()
    if (!isProtected()) return
    document.documentElement.hidden = true
    // Whoever typed here does not sit here any more: nobody is asked whether to leave.
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
    ended: (why) => void leave(why),
    replaced: startAnew,
    renewed: () => void renew(),
  })
}

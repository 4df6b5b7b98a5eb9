import type { QueryClient } from '@tanstack/react-query'
import { type SessionEnd, watchSession } from '../api/session.ts'
import { t } from '../text/text.ts'
import { showMessage } from '../ui/snackbar.tsx'
import type { AppRouter } from './router.tsx'

/** Follows the session: whoever signs out, here or in another tab, is led to login, and nothing of theirs stays. */
export const followSession = (router: AppRouter, queryClient: QueryClient): void => {
  const leave = async (why: SessionEnd): Promise<void> => {
    if (why === 'expired') showMessage(t('failure.401'), 'error')
    await queryClient.cancelQueries()
    // Asked of the address, not of what shows: the screen may still be on its way.
    const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
    if (routes.some((route) => route.id === '/main')) {
      const search = why === 'left' ? {} : { redirect: router.latestLocation.href }
      await router.navigate({ to: '/auth/login', search, ignoreBlocker: true })
    }
    // Only now: a screen still showing would ask for its data again.
    queryClient.clear()
  }
  watchSession({
    ended: (why) => void leave(why),
    // Login itself leads on when somebody is signed in.
    started: () => void router.invalidate(),
  })
}

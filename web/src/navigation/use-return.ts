import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { useRef } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The form was opened on the screen of what it changes. */
    openedOnItem?: true
  }
}

/**
 * Leaves a form that has been saved for the screen of what it has changed. Where the form was opened there that is one step
 * back: in the form's place it would stand in the history twice. Resolves once the screen shows.
 */
export const useReturn = (): ((screen: NavigateOptions) => Promise<void>) => {
  const router = useRouter()
  const form = useRef(router.latestLocation.pathname)
  return async (screen) => {
    const { pathname, state } = router.latestLocation
    if (pathname !== form.current || !state.openedOnItem) return router.navigate({ ...screen, replace: true })
    await new Promise<void>((resolve) => {
      const stop = router.subscribe('onResolved', () => {
        stop()
        resolve()
      })
      // All is saved: neither the question of the form nor an open overlay holds the step back.
      router.history.back({ ignoreBlocker: true })
    })
  }
}

import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry was made for a selection or an overlay: it differs in nothing else from the one before. */
    selecting?: true
  }
}

/** Nothing can hold back a step to another site: an entry of its own takes the place of that step. */
export const useOwnEntry = (needed: boolean): void => {
  const router = useRouter()
  useEffect(() => {
    if (!needed || router.history.canGoBack()) return
    const { href } = router.latestLocation
    void router.navigate({ href, state: { selecting: true }, resetScroll: false })
  }, [router, needed])
}

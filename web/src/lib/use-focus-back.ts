import { useEffect } from 'react'

/**
 * Gives the focus back where it was once a window closes, or goes without closing before. Mantine's own gives nothing
 * back where a window opens with its first showing.
 */
export const useFocusBack = (opened: boolean): void =>
  useEffect(() => {
    if (!opened) return
    const before = document.activeElement
    return () => {
      const now = document.activeElement
      const isFree = now === null || now === document.body || now.closest('[role="dialog"]') !== null
      if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [opened])

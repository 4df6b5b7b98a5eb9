import { useEffect } from 'react'

/**
 * Returns the focus to where it was once a window closes or unmounts. Mantine's own does not where a window is opened
 * by its first render.
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

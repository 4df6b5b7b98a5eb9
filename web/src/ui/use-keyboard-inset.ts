import { useEffect } from 'react'

/**
 * Sets `--keyboard-inset` on the page: how many pixels of its lower edge the keyboard of a phone covers. Browsers that
 * make the page smaller instead need none (`interactive-widget=resizes-content`); Safari covers it.
 */
export const useKeyboardInset = (): void =>
  useEffect(() => {
    const viewport = window.visualViewport
    if (!viewport) return
    const { style } = document.documentElement
    const measure = () => {
      // Zooming in shows less of the page, but covers nothing.
      const covered = viewport.scale > 1 ? 0 : window.innerHeight - viewport.height - viewport.offsetTop
      style.setProperty('--keyboard-inset', `${Math.max(0, Math.round(covered))}px`)
    }
    viewport.addEventListener('resize', measure)
    viewport.addEventListener('scroll', measure)
    return () => {
      viewport.removeEventListener('resize', measure)
      viewport.removeEventListener('scroll', measure)
      style.removeProperty('--keyboard-inset')
    }
  }, [])

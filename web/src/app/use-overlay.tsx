import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { NETWORK } from '../api/failure.ts'
import { t } from '../messages/messages.ts'
import { type Lazy, lazy } from '../ui/lazy.tsx'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'

export const ActionsMenu = lazy(() => import('./actions-menu.tsx'), 'ActionsMenu')

/** The overlays of any screen, one open at a time; loaded after the screen. */
const OVERLAYS = {
  palette: lazy(() => import('./palette.tsx'), 'Palette'),
  help: lazy(() => import('./help-dialog.tsx'), 'HelpDialog'),
  drawer: lazy(() => import('./side-drawer.tsx'), 'SideDrawer'),
}
type OverlayName = keyof typeof OVERLAYS
const NAMES: OverlayName[] = ['palette', 'help', 'drawer']

/**
 * Loads the chunk of an overlay to be opened. The first failure shows a snackbar; after a second one the overlay is
 * rendered all the same and fails as a page's chunk does.
 */
export const useLoadOverlay = () => {
  const [failedBefore, setFailedBefore] = useState(false)
  return async (overlay: Lazy<never>): Promise<boolean> => {
    try {
      await overlay.preload()
      hideErrorsAbout(NETWORK)
      return true
    } catch {
      if (failedBefore) return true
      setFailedBefore(true)
      showMessage(t('failure.noAnswer'), 'error', { about: NETWORK })
      return false
    }
  }
}

/** The overlays of the main layout: opens one, returns which is open, and renders those that have been open. */
export const useOverlay = () => {
  const [opened, setOpened] = useState<OverlayName>()
  const [mounted, setMounted] = useState<ReadonlySet<OverlayName>>(new Set())
  const load = useLoadOverlay()
  const open = async (name: OverlayName): Promise<void> => {
    if (!(await load(OVERLAYS[name]))) return
    // Mounted closed first: Mantine animates only the opening of a mounted window.
    flushSync(() => setMounted((before) => new Set(before).add(name)))
    setOpened(name)
  }
  const overlays: ReactNode = NAMES.filter((name) => mounted.has(name)).map((name) => {
    const Overlay = OVERLAYS[name]
    return <Overlay key={name} opened={name === opened} onClose={() => setOpened(undefined)} />
  })
  return { open, opened, overlays }
}

const FIRST_INPUT = ['pointermove', 'pointerdown', 'keydown']

/** Preloads the overlays on the first user input. */
export const usePreloadedOverlays = (): void =>
  useEffect(() => {
    const stop = () => {
      for (const type of FIRST_INPUT) window.removeEventListener(type, preload)
    }
    const preload = () => {
      stop()
      // A chunk that fails now is loaded again when it is opened.
      for (const overlay of [ActionsMenu, ...Object.values(OVERLAYS)])
        overlay.preload().catch(() => undefined)
      import('../selection/gestures.ts').catch(() => undefined)
    }
    for (const type of FIRST_INPUT) window.addEventListener(type, preload, { passive: true })
    return stop
  }, [])

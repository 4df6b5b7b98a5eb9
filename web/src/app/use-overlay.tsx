import { type ReactNode, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazy } from '../ui/lazy.tsx'
import { useLoad } from '../ui/use-load.ts'
import type { GivenText } from './quick-add.tsx'

export const ActionsMenu = lazy(() => import('./actions-menu.tsx'), 'ActionsMenu')

/** The overlays of any screen, one open at a time; loaded after the screen. */
const OVERLAYS = {
  quickAdd: lazy(() => import('./quick-add.tsx'), 'QuickAdd'),
  palette: lazy(() => import('./palette.tsx'), 'Palette'),
  help: lazy(() => import('./help-dialog.tsx'), 'HelpDialog'),
  drawer: lazy(() => import('./side-drawer.tsx'), 'SideDrawer'),
}
type OverlayName = keyof typeof OVERLAYS
const NAMES: OverlayName[] = ['quickAdd', 'palette', 'help', 'drawer']

/**
 * The overlays of the main layout: opens one, returns which is open, and renders those that have been open. `onFiles` takes files
 * that come into one.
 */
export const useOverlay = (onFiles: (files: File[]) => void) => {
  const [opened, setOpened] = useState<OverlayName>()
  const [given, setGiven] = useState<GivenText>()
  const [mounted, setMounted] = useState<ReadonlySet<OverlayName>>(new Set())
  const load = useLoad()
  const open = async (name: OverlayName, given?: GivenText): Promise<void> => {
    if (!(await load(OVERLAYS[name]))) return
    // Mounted closed first: Mantine animates only the opening of a mounted window.
    flushSync(() => setMounted((before) => new Set(before).add(name)))
    setGiven(given)
    setOpened(name)
  }
  const overlays: ReactNode = NAMES.filter((name) => mounted.has(name)).map((name) => {
    const Overlay = OVERLAYS[name]
    return (
      <Overlay
        key={name}
        opened={name === opened}
        onClose={() => setOpened(undefined)}
        given={given}
        onFiles={onFiles}
        onQuickAdd={(text) => void open('quickAdd', text === undefined ? undefined : { text })}
      />
    )
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
    }
    for (const type of FIRST_INPUT) window.addEventListener(type, preload, { passive: true })
    return stop
  }, [])

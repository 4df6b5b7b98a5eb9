import { t } from '../messages/messages.ts'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'

/** What the frame of a screen shows only when asked for: nobody waits for these before the first sight of a screen. */
export const PARTS = {
  palette: async () => (await import('./palette.tsx')).Palette,
  help: async () => (await import('./help-dialog.tsx')).HelpDialog,
  drawer: async () => (await import('./side-drawer.tsx')).SideDrawer,
  actions: async () => (await import('./actions-menu.tsx')).ActionsMenu,
}

const ABOUT = 'parts'

/** Loads a part that is wanted now; where it does not come a snackbar says so. */
export const loadPart = async <Part>(load: () => Promise<Part>): Promise<Part | undefined> => {
  try {
    const part = await load()
    hideErrorsAbout(ABOUT)
    return part
  } catch {
    showMessage(t('failure.noAnswer'), 'error', ABOUT)
    return undefined
  }
}

const SIGNS = ['pointermove', 'pointerdown', 'keydown']

/** Fetches the parts once the user stirs: before a hand has reached a button, what it opens is there. */
export const fetchPartsInTime = (): (() => void) => {
  const stop = () => {
    for (const sign of SIGNS) window.removeEventListener(sign, fetchThem)
  }
  const fetchThem = () => {
    stop()
    // What does not come now is asked for again when it is wanted.
    for (const load of Object.values(PARTS)) load().catch(() => undefined)
  }
  for (const sign of SIGNS) window.addEventListener(sign, fetchThem, { passive: true })
  return stop
}

import { type ComponentType, useState } from 'react'
import { t } from '../text/text.ts'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'

type Window = ComponentType<{ onClose: () => void }>

const WINDOWS = {
  palette: async (): Promise<Window> => (await import('./palette.tsx')).Palette,
  help: async (): Promise<Window> => (await import('./help-dialog.tsx')).HelpDialog,
}

/** The windows that every screen can open, one at a time. Each is loaded when it is first wanted. */
export const useWindow = () => {
  const [Shown, setShown] = useState<Window>()
  const open = async (name: keyof typeof WINDOWS): Promise<void> => {
    try {
      const loaded = await WINDOWS[name]()
      hideErrorsAbout(name)
      setShown(() => loaded)
    } catch {
      showMessage(t('failure.noAnswer'), 'error', name)
    }
  }
  return {
    open,
    /** The window that is open, for its place on the page. */
    shown: Shown && <Shown onClose={() => setShown(undefined)} />,
  }
}

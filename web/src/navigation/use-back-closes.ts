import { useBlocker } from '@tanstack/react-router'
import { useEffect } from 'react'
import { countOverlayOfBack } from '../lib/keys.ts'

/** Has the back button close an open overlay first: it would stay over the screen to which that leads. */
export const useBackCloses = (opened: boolean, onClose: () => void): void => {
  // Blockers are asked in the order in which they came: those below an overlay leave the step to it.
  useEffect(() => (opened ? countOverlayOfBack() : undefined), [opened])
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK') return false
      onClose()
      return true
    },
    enableBeforeUnload: false,
    disabled: !opened,
  })
}

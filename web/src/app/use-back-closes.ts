import { useBlocker } from '@tanstack/react-router'

/** Has the back button close an open overlay first: it would stay over the screen to which that leads. */
export const useBackCloses = (opened: boolean, onClose: () => void): void => {
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

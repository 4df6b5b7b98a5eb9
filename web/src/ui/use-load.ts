import { useState } from 'react'
import { NETWORK } from '../lib/network.ts'
import { t } from '../messages/messages.ts'
import type { Lazy } from './lazy.tsx'
import { hideErrorsAbout, showMessage } from './snackbar.ts'

/**
 * Loads the chunk of what a press opens; resolves with whether to render it. The first failure shows a snackbar; after a
 * second one it is rendered all the same and fails as a page's chunk does.
 */
export const useLoad = () => {
  const [failedBefore, setFailedBefore] = useState(false)
  return async ({ preload }: Pick<Lazy<never>, 'preload'>): Promise<boolean> => {
    try {
      await preload()
      hideErrorsAbout(NETWORK)
      return true
    } catch {
      if (failedBefore) return true
      setFailedBefore(true)
      showMessage(t('failure.noResponse'), 'error', { about: NETWORK })
      return false
    }
  }
}

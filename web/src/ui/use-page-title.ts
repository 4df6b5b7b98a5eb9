import { useEffect } from 'react'
import { t } from '../messages/messages.ts'

/** Calls the document by what the screen shows; until that is known it is called as its route is. */
export const usePageTitle = (page: string | undefined): void => {
  useEffect(() => {
    if (page !== undefined) document.title = t('app.title', { page })
  }, [page])
}

import { useEffect } from 'react'
import { t } from '../messages/messages.ts'

/** Sets the document's title to the name of what the screen shows; until that has loaded the route's title stays. */
export const usePageTitle = (page: string | undefined): void => {
  useEffect(() => {
    if (page !== undefined) document.title = t('app.title', { page })
  }, [page])
}

import { useEffect } from 'react'
import { useLanguage } from '../messages/language.ts'
import { t } from '../messages/messages.ts'

/** Sets the document's title to the name of what the screen shows; until that has loaded the route's title stays. */
export const usePageTitle = (page: string | undefined): void => {
  const locale = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language has set the title of the route (app/arrival.ts).
  useEffect(() => {
    if (page !== undefined) document.title = t('app.title', { page })
  }, [page, locale])
}

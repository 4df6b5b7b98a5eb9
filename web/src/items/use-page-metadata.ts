import { metadata, type PageMetadata } from '@kopilka/contract/metadata.ts'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import { rememberFocus } from '../lib/remember-focus.ts'
import { t } from '../text/text.ts'
import { showMessage } from '../ui/snackbar.ts'

const mutationKey = ['page-metadata']

const isEmpty = (page: PageMetadata): boolean => Object.values(page).every((text) => text === '')

/** Asks the server what the page at an address says of itself; what it says goes to `onRead`. */
export const usePageMetadata = (onRead: (page: PageMetadata) => void) => {
  const reading = useMutation({
    mutationKey,
    mutationFn: (url: string) => call(metadata.extract, { body: { url } }),
    meta: { failure: 'screen' },
  })
  const giveFocusBack = useRef<ReturnType<typeof rememberFocus>>(undefined)
  const read = (url: string): void => {
    giveFocusBack.current = rememberFocus()
    // Given here it is not called once the form has been left.
    const onSuccess = (page: PageMetadata) => {
      onRead(page)
      if (isEmpty(page)) showMessage(t('links.pageSaysNothing'))
      else showMessage(t('links.pageRead'), 'success')
    }
    reading.mutate(url, { onSuccess })
  }
  const isReading = reading.isPending
  useEffect(() => {
    if (!isReading) giveFocusBack.current?.(null)
  }, [isReading])
  return {
    read,
    isReading,
    failure: reading.error ? failureText(reading.error, 'links.pageFailure') : undefined,
    dismissFailure: reading.reset,
  }
}

/** Whether a page is being read, for the form around the field. */
export const useIsReadingPage = (): boolean => useIsMutating({ mutationKey }) > 0

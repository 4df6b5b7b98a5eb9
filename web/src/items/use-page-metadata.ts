import { metadata, type PageMetadata } from '@kopilka/contract/metadata.ts'
import { useIsMutating, useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import { rememberFocus } from '../lib/remember-focus.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

const mutationKey = ['page-metadata']

const isEmpty = (page: PageMetadata): boolean => Object.values(page).every((text) => text === '')

/**
 * Asks the server what a page says of itself; what it says goes to `onRead`, if its address still stands in the
 * field by then: `address`.
 */
export const usePageMetadata = (address: string, onRead: (page: PageMetadata) => void) => {
  const underWay = useRef<AbortController>(undefined)
  const reading = useMutation({
    mutationKey,
    mutationFn: (url: string) => {
      underWay.current = new AbortController()
      return call(metadata.extract, { body: { url } }, { signal: underWay.current.signal })
    },
    meta: { failure: 'screen' },
  })
  const { variables: asked, reset } = reading
  useEffect(() => {
    if (asked === undefined || asked === address) return
    underWay.current?.abort()
    reset()
  }, [asked, address, reset])
  useEffect(() => () => underWay.current?.abort(), [])

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
    dismissFailure: reset,
  }
}

/** Whether a page is being read, for the form around the field. */
export const useIsReadingPage = (): boolean => useIsMutating({ mutationKey }) > 0

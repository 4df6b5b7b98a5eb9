import { metadata } from '@kopilka/contract/metadata.ts'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { call } from '../api/call.ts'
import { failureText } from '../api/failure-text.ts'
import { rememberFocus } from '../lib/remember-focus.ts'
import { t } from '../messages/editor-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { pageValues, titleFromAddress } from './page-values.ts'
import { useServerBack } from './use-server-back.ts'

const mutationKey = ['page-metadata']

/** Values for a link's form, from the page. */
export type PageValues = Partial<ReturnType<typeof pageValues>>

/**
 * Asks the server for a page's metadata and passes it to `onRead`, unless `address`, the field's value, has changed
 * meanwhile. Where the page has no title or cannot be read, one is made from the address. `saysBlank`: a message says so
 * of a page that says nothing.
 */
export const usePageMetadata = (
  address: string,
  { onRead, saysBlank }: { onRead: (found: PageValues) => void; saysBlank: boolean },
) => {
  const underWay = useRef<AbortController>(undefined)
  const reading = useMutation({
    mutationKey,
    mutationFn: (url: string) => {
      underWay.current = new AbortController()
      return call(metadata.extract, { body: { url } }, { signal: underWay.current.signal })
    },
    meta: { failure: 'screen' },
  })
  const { variables: requested, reset } = reading
  useEffect(() => {
    if (requested === undefined || requested === address) return
    underWay.current?.abort()
    reset()
  }, [requested, address, reset])
  useEffect(() => () => underWay.current?.abort(), [])
  useServerBack(reading.error, reset)

  const giveFocusBack = useRef<ReturnType<typeof rememberFocus>>(undefined)
  const read = (url: string): void => {
    giveFocusBack.current = rememberFocus()
    const title = titleFromAddress(url)
    // Given here they are not called once the form has been left.
    reading.mutate(url, {
      onSuccess: (page) => {
        const found = pageValues(page)
        onRead({ ...found, title: found.title || title })
        if (Object.values(found).some(({ length }) => length > 0)) showMessage(t('links.pageRead'), 'success')
        else if (saysBlank) showMessage(t('links.pageSaysNothing'))
      },
      onError: () => onRead({ title }),
    })
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

/** Whether a page is being read, for the form around the field: as it was rendered, and at this moment. */
export const useReadingPage = () => {
  const queryClient = useQueryClient()
  const isReadingPage = useCallback(() => queryClient.isMutating({ mutationKey }) > 0, [queryClient])
  return { readingPage: useIsMutating({ mutationKey }) > 0, isReadingPage }
}

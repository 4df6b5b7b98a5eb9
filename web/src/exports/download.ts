import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { useMutation } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { t } from '../messages/data-messages.ts'
import { showMessage } from '../ui/snackbar.ts'

export type Export = RequestOf<typeof exports.create>['body']

/** Lets the browser download a file of this server, with its own progress and its own place for files. */
const download = (url: string): void => {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

/** Makes a file of what the account holds and has the browser download it. */
export const useExport = (onStarted?: () => void) =>
  useMutation({
    meta: { failure: 'export.failure' },
    mutationFn: (wanted: Export) => call(exports.create, { body: wanted }),
    onSuccess: ({ url }) => {
      download(url)
      showMessage(t('export.started'), 'success')
      onStarted?.()
    },
  })

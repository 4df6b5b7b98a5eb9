import { ActionIcon, Stack, TextInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useRef } from 'react'
import { t } from '../messages/messages.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { completeAddress } from './complete-address.ts'
import { pageValues } from './page-values.ts'
import { usePageMetadata } from './use-page-metadata.ts'

interface AddressFieldProps {
  label: string
  error?: ReactNode
  value: string
  onChange: (url: string) => void
  onBlur: () => void
  /** Nothing is in the form yet: an address that is pasted now is read by itself. */
  formIsBlank: boolean
  /** Gets what the page says of itself. */
  onRead: (values: ReturnType<typeof pageValues>) => void
}

/** A link's URL, with the button that reads the page and fills what is empty. */
export function AddressField(props: AddressFieldProps) {
  const { label, error, value, onChange, onBlur, formIsBlank, onRead } = props
  const page = usePageMetadata(value, (read) => onRead(pageValues(read)))
  const readByItself = useRef(false)

  const complete = (typed: string): string => {
    const url = completeAddress(typed)
    if (url !== value) onChange(url)
    return url
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain').trim()
    if (readByItself.current || !formIsBlank || !/^https?:\/\/./i.test(completeAddress(pasted))) return
    event.preventDefault()
    readByItself.current = true
    page.read(complete(pasted))
  }

  return (
    <Stack gap="xs">
      <div>
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          required
          label={label}
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onBlur={() => {
            complete(value)
            onBlur()
          }}
          onPaste={paste}
          rightSection={
            <ActionIcon
              variant="subtle"
              disabled={value.trim() === ''}
              loading={page.isReading}
              aria-label={t('links.readPage')}
              title={t('links.readPage')}
              onClick={() => page.read(complete(value))}
            >
              <DownloadIcon />
            </ActionIcon>
          }
        />
        <LoadingBar shown={page.isReading} label={t('links.readingPage')} />
      </div>
      {page.failure !== undefined && <ErrorAlert message={page.failure} onClose={page.dismissFailure} />}
    </Stack>
  )
}

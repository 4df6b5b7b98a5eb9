import { ActionIcon, Stack, TextInput } from '@mantine/core'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { t } from '../messages/messages.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { completeAddress } from './complete-address.ts'
import { type PageValues, usePageMetadata } from './use-page-metadata.ts'

interface AddressFieldProps {
  label: string
  error?: ReactNode
  value: string
  onChange: (url: string) => void
  onBlur: () => void
  /** Nothing else is in the form yet: the page of an address is read without being asked. */
  othersAreBlank: boolean
  /** Gets what the page says of itself. */
  onRead: (values: PageValues) => void
}

/** A link's URL, with the button that reads the page and fills what is empty. */
export function AddressField(props: AddressFieldProps) {
  const { label, error, value, onChange, onBlur, othersAreBlank, onRead } = props
  const page = usePageMetadata(value, onRead)
  const readByItself = useRef(false)

  const complete = (typed: string): string => {
    const url = completeAddress(typed)
    if (url !== value) onChange(url)
    return url
  }
  /** Completes an address and reads its page without being asked; returns whether it does. */
  const readOnce = (typed: string): boolean => {
    if (readByItself.current || !othersAreBlank || !/^https?:\/\/./i.test(completeAddress(typed)))
      return false
    readByItself.current = true
    page.read(complete(typed))
    return true
  }
  const insert = (event: ClipboardEvent | DragEvent, data: DataTransfer) => {
    if (value.trim() === '' && readOnce(data.getData('text/plain').trim())) event.preventDefault()
  }
  /** Typed to its end. */
  const finish = () => {
    if (!readOnce(value)) complete(value)
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
            finish()
            onBlur()
          }}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key === 'Enter') finish()
          }}
          onPaste={(event) => insert(event, event.clipboardData)}
          onDrop={(event) => insert(event, event.dataTransfer)}
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

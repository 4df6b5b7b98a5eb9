import { paragraphsToHtml } from '@kopilka/text/paragraphs.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { ActionIcon, Stack, TextInput } from '@mantine/core'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { t } from '../messages/editor-messages.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { completeAddress } from './complete-address.ts'
import { ExistingLink } from './existing-link.tsx'
import { titleFromAddress } from './page-values.ts'
import { type PageValues, usePageMetadata } from './use-page-metadata.ts'

interface AddressFieldProps {
  label: string
  error?: ReactNode
  value: string
  onChange: (url: string) => void
  onBlur: () => void
  /** Nothing else is in the form yet: the page of an address is read without being asked. */
  othersAreBlank: boolean
  /** The address was handed over from outside: its page is read without being asked, and a description is made if need be. */
  readAtOnce: boolean
  /** The link that is edited. */
  ownId: string | undefined
  /** Gets what the page says of itself. */
  onRead: (values: PageValues) => void
}

/** No link is without a description: where the page says none it is the address. */
const withDescription = (found: PageValues, address: string): PageValues => ({
  ...found,
  description: found.description || paragraphsToHtml(readableAddress(address)),
})

/** A link's URL, with the button that reads the page and fills what is empty. */
export function AddressField(props: AddressFieldProps) {
  const { label, error, value, onChange, onBlur, othersAreBlank, readAtOnce, ownId, onRead } = props
  const [given] = useState(readAtOnce ? value : '')
  const page = usePageMetadata(value, {
    onRead: (found) => onRead(value === given ? withDescription(found, value) : found),
    saysBlank: given === '',
  })
  const readByItself = useRef(false)
  const { read } = page
  useEffect(() => {
    if (given === '' || readByItself.current) return
    readByItself.current = true
    if (/^https?:/i.test(given)) read(given)
    // Nothing is read by ftp.
    else onRead(withDescription({ title: titleFromAddress(given) }, given))
  })

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
      <ExistingLink text={value} own={ownId} />
      {page.failure !== undefined && <ErrorAlert message={page.failure} onClose={page.dismissFailure} />}
    </Stack>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { useCallback } from 'react'
import { copyText } from '../lib/copy-text.ts'
import { t } from '../messages/programs-messages.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { bookmarkletOf } from './bookmarklet.ts'
import { ExtensionConnection } from './extension-connection.tsx'
import { Section } from './section.tsx'

/** Saving from any page: the bookmarklet, and the page as an installed application. */
export function BrowserSection() {
  const bookmarklet = bookmarkletOf(window.location.origin)
  // React leaves out addresses that are programs. Here it is dragged to the bookmarks, and never followed.
  const setAddress = useCallback(
    (element: HTMLAnchorElement | null) => element?.setAttribute('href', bookmarklet),
    [bookmarklet],
  )
  const copy = async () => {
    if (await copyText(bookmarklet)) showMessage(t('browser.bookmarklet.copied'), 'success')
    else showMessage(t('items.copyFailure'), 'error')
  }
  return (
    <Section title={t('browser.title')} about={t('browser.bookmarklet.about')}>
      <Group gap="sm">
        <Button
          component="a"
          ref={setAddress}
          variant="light"
          leftSection={<PlusIcon size={18} />}
          onClick={(event) => {
            event.preventDefault()
            showMessage(t('browser.bookmarklet.drag'))
          }}
        >
          {t('browser.bookmarklet')}
        </Button>
        <Button variant="default" onClick={() => void copy()}>
          {t('browser.bookmarklet.copy')}
        </Button>
      </Group>
      <ExtensionConnection />
      <Text size="sm" c="dimmed">
        {t('browser.install')}
      </Text>
    </Section>
  )
}

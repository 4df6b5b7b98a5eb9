import { Alert, Button, Group } from '@mantine/core'
import { useState } from 'react'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/editor-messages.ts'

interface DraftNoticeProps {
  text: string
  /** Puts the text into the form; absent where it is in it. */
  onRestore?: () => void
  onDiscard: () => void
}

/** Says that there is unsaved text of an earlier visit, and offers to use it or to do without it. */
export function DraftNotice({ text, onRestore, onDiscard }: DraftNoticeProps) {
  const [closed, setClosed] = useState(false)
  if (closed) return null
  const close = () => setClosed(true)
  return (
    <Alert
      ref={passFocusToHeading}
      role="status"
      color="gray"
      withCloseButton
      closeButtonLabel={t('items.alert.close')}
      onClose={close}
    >
      {text}
      <Group mt="xs" gap="xs">
        {onRestore && (
          <Button size="xs" onClick={onRestore}>
            {t('items.draft.restore')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onDiscard()
            close()
          }}
        >
          {t('items.draft.discard')}
        </Button>
      </Group>
    </Alert>
  )
}

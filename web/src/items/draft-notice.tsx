import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { handFocusOn } from '../lib/focus-heading.ts'
import { t } from '../messages/messages.ts'

/** Says that unsaved text of an earlier visit is back in the form, and offers to do without it. */
export function DraftNotice({ onDiscard }: { onDiscard: () => void }) {
  const [closed, setClosed] = useState(false)
  if (closed) return null
  return (
    <Alert
      ref={handFocusOn}
      role="status"
      color="gray"
      withCloseButton
      closeButtonLabel={t('items.alert.close')}
      onClose={() => setClosed(true)}
    >
      {t('items.draft')}
      <Button
        display="block"
        mt="xs"
        size="xs"
        variant="default"
        onClick={() => {
          onDiscard()
          setClosed(true)
        }}
      >
        {t('items.draft.discard')}
      </Button>
    </Alert>
  )
}

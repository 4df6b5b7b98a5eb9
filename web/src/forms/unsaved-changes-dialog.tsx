import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { closesOverlayOnBack } from '../lib/keys.ts'
import { t } from '../messages/main-messages.ts'
import { Dialog } from '../ui/dialog.tsx'

interface UnsavedChangesDialogProps {
  /** Whether there are unsaved changes, at the moment of leaving. */
  isDirty: () => boolean
  /** Keeps the changes as a draft and returns the sentence that says so; undefined where they are lost, as without it. */
  keep?: () => Promise<string | undefined>
  /** Gives the draft up. */
  onDiscard?: () => void
  /** The form is left, and its changes are not kept. */
  onLost?: () => void
}

/** Asks before a changed form is left, by whatever way; of a reload or a closed tab the browser asks itself. */
export function UnsavedChangesDialog({ isDirty, keep, onDiscard, onLost }: UnsavedChangesDialogProps) {
  const [kept, setKept] = useState<string>()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ action, current, next }) => {
      if (action === 'BACK' && closesOverlayOnBack()) return false
      if (current.pathname === next.pathname || !isDirty()) return false
      setKept(await keep?.())
      return true
    },
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  const discard = () => {
    onDiscard?.()
    proceed?.()
  }
  const leave = () => {
    if (!kept) onLost?.()
    proceed?.()
  }
  return (
    <Dialog opened={status === 'blocked'} title={t('leave.title')} width={500} onClose={() => reset?.()}>
      <Text>{kept ?? t('leave.lost')}</Text>
      <Group justify="flex-end" mt="lg">
        {kept && (
          <Button variant="subtle" color="red" onClick={discard}>
            {t('leave.discard')}
          </Button>
        )}
        <Button variant="default" onClick={leave}>
          {t('leave.go')}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t('leave.stay')}
        </Button>
      </Group>
    </Dialog>
  )
}

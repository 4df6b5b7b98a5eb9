import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { type MessageId, t } from '../messages/messages.ts'
import { Dialog } from '../ui/dialog.tsx'

interface UnsavedChangesDialogProps {
  /** Whether there is something to ask about, at the moment of leaving. */
  asks: () => boolean
  /** What becomes of it. */
  text: MessageId
}

/** Asks before a changed form is left, by whatever way; of a reload or a closed tab the browser asks itself. */
export function UnsavedChangesDialog({ asks, text }: UnsavedChangesDialogProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && asks(),
    enableBeforeUnload: asks,
    withResolver: true,
  })
  return (
    <Dialog opened={status === 'blocked'} title={t('leave.title')} width={500} onClose={() => reset?.()}>
      <Text>{t(text)}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => proceed?.()}>
          {t('leave.go')}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t('leave.stay')}
        </Button>
      </Group>
    </Dialog>
  )
}

import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../messages/main-messages.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useBackCloses } from './use-back-closes.ts'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  text: string
  confirm: string
  /** While the confirmed action runs: neither button works. */
  busy: boolean
  /** How far that has come. */
  progress?: ReactNode
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. Focus starts on the harmless button and returns where it came from. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, confirm, busy, progress, onConfirm, onClose } = props
  const close = () => {
    if (!busy) onClose()
  }
  useBackCloses(opened, close)
  return (
    <Dialog opened={opened} onClose={close} title={title} width={500}>
      <Text>{text}</Text>
      {progress !== undefined && (
        <Text size="sm" c="dimmed" mt="xs" mih={22}>
          {progress}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} disabled={busy} data-autofocus>
          {t('items.cancel')}
        </Button>
        <Button color="red.9" onClick={onConfirm} loading={busy}>
          {confirm}
        </Button>
      </Group>
    </Dialog>
  )
}

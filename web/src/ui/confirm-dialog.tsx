import { Button, Group, Modal, Text } from '@mantine/core'

interface ConfirmDialogProps {
  opened: boolean
  title: string
  text: string
  confirm: string
  cancel: string
  /** While the confirmed action runs: neither button works. */
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. Focus starts on the harmless button and returns where it came from. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, text, confirm, cancel, busy, onConfirm, onClose } = props
  const close = () => {
    if (!busy) onClose()
  }
  return (
    <Modal opened={opened} onClose={close} title={title} size={500} centered withCloseButton={false}>
      <Text>{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={close} disabled={busy} data-autofocus>
          {cancel}
        </Button>
        <Button color="red" onClick={onConfirm} loading={busy}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  )
}

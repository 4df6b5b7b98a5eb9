import { Button, Group, Text } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { t } from '../text/text.ts'
import { Dialog } from '../ui/dialog.tsx'

/** Asks before a changed form is left; what was typed stays as a draft either way. */
export function LeaveQuestion({ asks }: { asks: () => boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && asks(),
    enableBeforeUnload: asks,
    withResolver: true,
  })
  return (
    <Dialog
      opened={status === 'blocked'}
      title={t('items.leave.title')}
      width={500}
      onClose={() => reset?.()}
    >
      <Text>{t('items.leave.text')}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={() => proceed?.()}>
          {t('items.leave.go')}
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          {t('items.leave.stay')}
        </Button>
      </Group>
    </Dialog>
  )
}

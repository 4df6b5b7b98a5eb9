import type { ExportFormat } from '@kopilka/contract/exports.ts'
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '../messages/data-messages.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { type Export, useExport } from './download.ts'
import { FormatChoice } from './format-choice.tsx'

interface ExportDialogProps extends OverlayProps {
  /** What to export: ids, or the conditions of a list. */
  wanted: Omit<Export, 'format'>
  /** How much that is. */
  count: number
}

/** Asks for the format of an export of selected items. */
export function ExportDialog({ opened, wanted, count, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('archive')
  const { mutate, isPending } = useExport(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ ...wanted, format })
  }
  return (
    <Dialog opened={opened} title={t('export.selected', { count })} width={500} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <FormatChoice value={format} onChange={setFormat} />
          <Group justify="flex-end">
            <Button variant="default" disabled={isPending} onClick={onClose}>
              {t('items.cancel')}
            </Button>
            <Button type="submit" loading={isPending} data-autofocus>
              {t('export.download')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

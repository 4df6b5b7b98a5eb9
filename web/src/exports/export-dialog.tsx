import { EXPORT_CONTENTS, EXPORT_FORMATS, type ExportFormat } from '@kopilka/contract/exports.ts'
import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { t } from '../messages/data-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { type Export, useExport } from './download.ts'
import { FormatChoice } from './format-choice.tsx'

interface ExportDialogProps extends OverlayProps {
  /** What to export: ids, or the conditions of a list. */
  wanted: Omit<Export, 'format'>
  /** How much that is. */
  count: number
  /** Whether it is notes alone, which some formats have no place for. */
  isOnlyNotes: boolean
}

/** Asks for the format of an export of selected items. */
export function ExportDialog({ opened, wanted, count, isOnlyNotes, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('archive')
  const formats = EXPORT_FORMATS.filter((one) => !isOnlyNotes || EXPORT_CONTENTS[one].notes)
  // What is selected may have changed since the format was chosen.
  const chosen = formats.includes(format) ? format : 'archive'
  const { mutate, isPending } = useExport(onClose)
  useBackCloses(opened, onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    mutate({ ...wanted, format: chosen })
  }
  return (
    <Dialog opened={opened} title={t('export.selected', { count })} width={500} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="lg">
          <FormatChoice value={chosen} formats={formats} onChange={setFormat} />
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

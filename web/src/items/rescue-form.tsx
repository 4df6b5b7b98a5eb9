import { Alert, Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { ItemFields } from './item-fields.tsx'
import { emptyForm, type ItemKind, type ItemValues } from './item-kind.ts'
import { useAdding } from './use-adding.ts'
import { useDraft } from './use-draft.ts'

interface RescueFormProps {
  kind: ItemKind
  /** Where unsaved text is kept. */
  place: string
  /** What was typed into an item that has been deleted meanwhile. */
  typed: ItemValues
}

/** Unsaved text of an item that is no more: it can become a new one. */
export function RescueForm({ kind, place, typed }: RescueFormProps) {
  const [empty] = useState(() => emptyForm(kind))
  const navigate = useNavigate()
  const adding = useAdding(kind, () => unsaved.forget())
  const form = useForm({
    initial: typed,
    shape: kind.shape,
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      form.showServerErrors(await adding.add(body))
    },
  })
  const unsaved = useDraft(place, { values: form.values }, empty)
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${kind.textPrefix}.missing`)}
        </Title>
        <Alert color="yellow" role="status" autoContrast>
          {t(`${kind.textPrefix}.gone`)}
        </Alert>
        <ItemFields fields={kind.fields} form={form} frozen={form.submitting} />
        <Group>
          <Button type="submit" disabled={!form.valid} loading={form.submitting}>
            {t(`${kind.textPrefix}.saveAsNew`)}
          </Button>
          <Button
            variant="default"
            disabled={form.submitting}
            onClick={() => {
              unsaved.forget()
              void navigate({ to: kind.paths.list })
            }}
          >
            {t('items.dontSave')}
          </Button>
        </Group>
      </Stack>
      <UnsavedChangesDialog asks={unsaved.isThere} text="leave.draftStays" />
    </Paper>
  )
}

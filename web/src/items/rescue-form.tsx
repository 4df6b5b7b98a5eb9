import { Alert, Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { ItemFields } from './item-fields.tsx'
import type { ItemKind, ItemValues } from './item-kind.ts'
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
  const unsaved = useDraft(place, { values: form.values }, kind.empty)
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${kind.words}.missing`)}
        </Title>
        <Alert color="yellow" role="status" autoContrast>
          {t(`${kind.words}.gone`)}
        </Alert>
        <ItemFields fields={kind.fields.edit} form={form} frozen={form.submitting} />
        <Group>
          <Button type="submit" disabled={!form.valid} loading={form.submitting}>
            {t(`${kind.words}.saveAsNew`)}
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

import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useState } from 'react'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { readDraft, typedOver } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { ItemFields } from './item-fields.tsx'
import { addFields, emptyForm, type ItemKind } from './item-kind.ts'
import { useAdding } from './use-adding.ts'
import { useDraft } from './use-draft.ts'
import { useIsReadingPage } from './use-page-metadata.ts'

interface AddFormProps {
  kind: ItemKind
  /** Where unsaved text is kept. */
  place: string
}

/** The form for a new item. A failure leaves everything typed where it is. */
export function AddForm({ kind, place }: AddFormProps) {
  const [empty] = useState(() => emptyForm(kind))
  const [draft] = useState(() => readDraft(place))
  const adding = useAdding(kind, () => unsaved.forget())
  const form = useForm({
    initial: draft ? typedOver(empty, draft) : empty,
    shape: kind.shape,
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      form.showServerErrors(await adding.add(body))
    },
  })
  const readingPage = useIsReadingPage()
  const unsaved = useDraft(place, { values: form.values }, empty)
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${kind.textPrefix}.create`)}
        </Title>
        {draft && <DraftNotice onDiscard={() => form.fill(empty)} />}
        <ItemFields fields={addFields(kind)} form={form} frozen={form.submitting} />
        <Group>
          <Button type="submit" disabled={!form.valid || readingPage} loading={form.submitting}>
            {t('items.save')}
          </Button>
        </Group>
      </Stack>
      <UnsavedChangesDialog asks={unsaved.isThere} text="leave.draftStays" />
    </Paper>
  )
}

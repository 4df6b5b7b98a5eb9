import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallFailure } from '../api/failure.ts'
import { afterChange, forgetLists } from '../api/queries.ts'
import { useForm } from '../lib/use-form.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { language } from '../text/language.ts'
import { t } from '../text/text.ts'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { readDraft, typedOver } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { ItemFields } from './item-fields.tsx'
import type { ItemKind, ItemValues } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { Trail } from './trail.tsx'
import { useDraft, useDraftPlace } from './use-draft.ts'
import { useIdempotencyKey } from './use-idempotency-key.ts'

export const AddNotePage = () => <AddPage kind={noteKind} />
export const AddLinkPage = () => <AddPage kind={linkKind} />

function AddPage({ kind }: { kind: ItemKind }) {
  const place = useDraftPlace(kind.name, 'new')
  return (
    <Stack gap="md" maw={600} mx="auto">
      <Trail current={t(`${kind.words}.create`)}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.words}.list`)}</AnchorLink>
      </Trail>
      {place === undefined ? (
        <PageSkeleton label={t('items.loading')} />
      ) : (
        <AddForm key={place} kind={kind} place={place} />
      )}
    </Stack>
  )
}

/** The form for a new item. A failure leaves everything typed where it is. */
function AddForm({ kind, place }: { kind: ItemKind; place: string }) {
  const [draft] = useState(() => readDraft(place))
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const keyFor = useIdempotencyKey()
  const creation = useMutation({
    mutationFn: (body: ItemValues) => kind.create(body, keyFor(body)),
    meta: { failure: `${kind.words}.addFailure` },
  })
  const form = useForm({
    initial: draft ? typedOver(kind.empty, draft) : kind.empty,
    schema: kind.schema,
    locale: language(),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      try {
        await creation.mutateAsync(body)
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        return
      }
      forgetDraft()
      showMessage(t(`${kind.words}.added`), 'success')
      forgetLists(queryClient, kind.name)
      await navigate({ to: kind.paths.list })
      void afterChange(queryClient)
    },
  })
  const forgetDraft = useDraft(place, { values: form.values }, kind.empty)
  return (
    <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${kind.words}.create`)}
        </Title>
        {draft && <DraftNotice onDiscard={() => form.fill(kind.empty)} />}
        <ItemFields fields={kind.fields.add} form={form} frozen={form.submitting} />
        <Group>
          <Button type="submit" disabled={!form.valid} loading={form.submitting}>
            {t('items.save')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

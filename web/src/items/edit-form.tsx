import { Button, Group, Paper, Stack, Title } from '@mantine/core'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { Versioned } from '../api/send.ts'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { lazy } from '../ui/lazy.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { usePageTitle } from '../ui/use-page-title.ts'
import { isSame, readDraft, typedOver } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { ItemFields } from './item-fields.tsx'
import { type Item, type ItemKind, type ItemValues, toForm } from './item-kind.ts'
import { useDraft } from './use-draft.ts'
import { useIsReadingPage } from './use-page-metadata.ts'
import { useSaving } from './use-saving.ts'

// Rarely needed, and it shows HTML: what cleans that need not load with the form.
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

interface EditFormProps {
  kind: ItemKind
  loaded: Versioned<Item>
  /** Where unsaved text is kept. */
  place: string
  /** The item turned out to be deleted: what was typed is all there is of it. */
  onGone: (typed: ItemValues) => void
}

/** The form of an item that exists. A failure leaves everything typed where it is. */
export function EditForm({ kind, loaded, place, onGone }: EditFormProps) {
  // What was loaded first: the query may ask again behind the form.
  const [{ value: item, etag }] = useState(loaded)
  const [saved] = useState(() => toForm(kind, item))
  usePageTitle(t(`${kind.textPrefix}.editing`, { title: item.title }))
  const [draft] = useState(() => {
    const kept = readDraft(place)
    const values = kept && typedOver(saved, kept)
    return values && !isSame(values, saved) ? { values, etag: kept.etag } : undefined
  })
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const navigate = useNavigate()
  const itemScreen = { to: kind.paths.item, params: { id: item.id } }

  const saving = useSaving({
    kind,
    id: item.id,
    etag: draft ? draft.etag : etag,
    onSaved: () => unsaved.forget(),
    onGone: () => onGone(form.values),
  })
  const form = useForm({
    initial: draft?.values ?? saved,
    shape: kind.shape,
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      form.showServerErrors(await saving.save(body))
    },
  })
  const unsaved = useDraft(place, { values: form.values, etag: saving.etag }, saved)
  const readingPage = useIsReadingPage()
  const busy = form.submitting || saving.busy

  return (
    <>
      <Breadcrumbs current={t(`${kind.textPrefix}.edit`)}>
        <AnchorLink {...itemScreen}>{item.title}</AnchorLink>
      </Breadcrumbs>
      <Paper withBorder component="form" onSubmit={form.submit} noValidate p={{ base: 'md', xs: 'lg' }}>
        <Stack gap="md">
          <Title order={1} size="h2" tabIndex={-1}>
            {t(`${kind.textPrefix}.edit`)}
          </Title>
          {draft && (
            <DraftNotice
              onDiscard={() => {
                form.fill(saved)
                saving.startOver(etag)
              }}
            />
          )}
          <ItemFields fields={kind.fields} form={form} frozen={busy} />
          {saving.failure !== undefined && (
            <ErrorAlert message={saving.failure} onClose={saving.dismissFailure} />
          )}
          <LoadingBar shown={busy} />
          <Group>
            <Button type="submit" disabled={!form.valid || busy || readingPage}>
              {t('items.save')}
            </Button>
            <Button
              variant="default"
              onClick={() => {
                if (canGoBack) router.history.back()
                else void navigate(itemScreen)
              }}
            >
              {t('items.cancel')}
            </Button>
          </Group>
        </Stack>
      </Paper>
      <UnsavedChangesDialog asks={unsaved.isThere} text="leave.draftStays" />
      {saving.theirs && (
        <Suspense>
          <ConflictDialog
            textPrefix={kind.textPrefix}
            fields={kind.fields}
            theirs={toForm(kind, saving.theirs)}
            mine={form.values}
            busy={busy}
            onTheirs={(theirs) => {
              form.fill(theirs)
              saving.keepTheirs()
            }}
            onMine={async () => form.showServerErrors(await saving.keepMine())}
            onBoth={async () => form.showServerErrors(await saving.keepBoth())}
            onClose={saving.leaveConflict}
          />
        </Suspense>
      )}
    </>
  )
}

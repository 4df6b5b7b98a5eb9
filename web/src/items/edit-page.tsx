import { Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../messages/messages.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { readDraft, typedOver } from './draft.ts'
import { EditForm } from './edit-form.tsx'
import { ItemFailure, isMissing } from './item-failure.tsx'
import type { ItemKind, ItemValues } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { NoId } from './no-id.tsx'
import { noteKind } from './note-kind.ts'
import { RescueForm } from './rescue-form.tsx'
import { useDraftPlace } from './use-draft.ts'

export const EditNotePage = () => <EditPage kind={noteKind} />
export const EditLinkPage = () => <EditPage kind={linkKind} />

function EditPage({ kind }: { kind: ItemKind }) {
  const { id } = useParams({ strict: false })
  return (
    <Stack gap="md" maw={600} mx="auto">
      {id === undefined ? <NoId kind={kind} /> : <LoadedForm key={id} kind={kind} id={id} />}
    </Stack>
  )
}

/** The form over the item as it is now. */
function LoadedForm({ kind, id }: { kind: ItemKind; id: string }) {
  const { data, error, isPending, refetch } = kind.useForEdit(id)
  const place = useDraftPlace(kind.name, id)
  const [orphan, setOrphan] = useState<ItemValues>()
  if (isPending || place === undefined) {
    return (
      <>
        <LoadingBar shown label={t('items.loading')} />
        <PageSkeleton label={t('items.loading')} />
      </>
    )
  }
  if (orphan) return <RescueForm kind={kind} place={place} typed={orphan} />
  if (data === undefined) {
    const draft = isMissing(error) ? readDraft(place) : undefined
    if (draft) return <RescueForm kind={kind} place={place} typed={typedOver(kind.empty, draft)} />
    return <ItemFailure kind={kind} failure={error} alert={kind.alerts} onRetry={() => void refetch()} />
  }
  return <EditForm kind={kind} loaded={data} place={place} onGone={setOrphan} />
}

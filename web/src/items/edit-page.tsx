import { Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { t } from '../text/text.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { EditForm } from './edit-form.tsx'
import { ItemFailure } from './item-failure.tsx'
import type { ItemKind } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { useDraftPlace } from './use-draft.ts'

export const EditNotePage = () => <EditPage kind={noteKind} />
export const EditLinkPage = () => <EditPage kind={linkKind} />

function EditPage({ kind }: { kind: ItemKind }) {
  const { id } = useParams({ strict: false })
  if (id === undefined) return <Text>{t(`${kind.words}.noId`)}</Text>
  return (
    <Stack gap="md" maw={600} mx="auto">
      <LoadedForm key={id} kind={kind} id={id} />
    </Stack>
  )
}

/** The form over the item as it is now. */
function LoadedForm({ kind, id }: { kind: ItemKind; id: string }) {
  const { data, error, isPending, refetch } = kind.useForEdit(id)
  const place = useDraftPlace(kind.name, id)
  if (isPending || place === undefined) {
    return (
      <>
        <LoadingBar shown label={t('items.loading')} />
        <PageSkeleton label={t('items.loading')} />
      </>
    )
  }
  if (data === undefined) {
    return <ItemFailure kind={kind} failure={error} alert={kind.alerts} onRetry={() => void refetch()} />
  }
  return <EditForm kind={kind} loaded={data} place={place} />
}

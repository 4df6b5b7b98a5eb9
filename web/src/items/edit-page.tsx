import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { t } from '../text/text.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { EditForm } from './edit-form.tsx'
import { ItemFailure } from './item-failure.tsx'
import type { AnyItem, AnySummary, ItemKind } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { useDraftPlace } from './use-draft.ts'

export const EditNotePage = () => <EditPage kind={noteKind} />
export const EditLinkPage = () => <EditPage kind={linkKind} />

interface EditPageProps<Whole extends AnyItem, Summary extends AnySummary, Save> {
  kind: ItemKind<Whole, Summary, Save>
}

function EditPage<Whole extends AnyItem, Summary extends AnySummary, Save>({
  kind,
}: EditPageProps<Whole, Summary, Save>) {
  const { id } = useParams({ strict: false })
  if (id === undefined) return <Text>{t(`${kind.words}.noId`)}</Text>
  return (
    <Stack gap="md" maw={600} mx="auto">
      <LoadedForm key={id} kind={kind} id={id} />
    </Stack>
  )
}

/** The form over the item as it is now: an older copy from the cache would be refused when saved. */
function LoadedForm<Whole extends AnyItem, Summary extends AnySummary, Save>({
  kind,
  id,
}: EditPageProps<Whole, Summary, Save> & { id: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [kind.name, 'edit', id],
    queryFn: () => kind.read(id),
    meta: { failure: 'screen' },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const place = useDraftPlace(kind.name, id)
  if (isPending || place === undefined) {
    return (
      <>
        <LoadingBar shown label={t('items.loading')} />
        <PageSkeleton label={t('items.loading')} />
      </>
    )
  }
  if (data === undefined) return <ItemFailure kind={kind} failure={error} onRetry={() => void refetch()} />
  return <EditForm kind={kind} loaded={data} place={place} />
}

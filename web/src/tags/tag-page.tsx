import { Paper, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { tagQueries } from '../api/queries.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { Trail } from '../items/trail.tsx'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { alsoInSnackbar } from './also-in-snackbar.ts'
import { NoId } from './no-id.tsx'
import { TagFailure } from './tag-failure.tsx'
import { TagHeader } from './tag-header.tsx'
import { TagItems } from './tag-items.tsx'

export function TagPage() {
  const { id } = useParams({ strict: false })
  if (id === undefined) return <NoId />
  return <LoadedTag key={id} id={id} />
}

/** A tag and the newest items that have it. */
function LoadedTag({ id }: { id: string }) {
  const { data: tag, isError: isUnknown, refetch } = useQuery({ ...tagQueries.one(id), ...alsoInSnackbar })
  const items = useQuery({ ...tagQueries.items(id), ...alsoInSnackbar })
  const name = tag?.name ?? (isUnknown ? t('tags.unknown') : '…')
  usePageTitle(tag?.name)
  return (
    <Stack gap="lg">
      <Trail current={name}>
        <AnchorLink to="/tags">{t('title.tags')}</AnchorLink>
      </Trail>
      <TagHeader name={name} tag={tag} />
      {items.isPending && (
        <Paper withBorder p="md">
          <ListSkeleton label={t('items.loading')} />
        </Paper>
      )}
      {items.isError && (
        <TagFailure
          key={items.errorUpdatedAt}
          failure={items.error}
          onRetry={() => {
            void refetch()
            void items.refetch()
          }}
        />
      )}
      {items.data && (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: 'start' }}>
          <TagItems kind={noteKind} tag={id} items={items.data.notes} count={tag?.notes_count} />
          <TagItems kind={linkKind} tag={id} items={items.data.urllinks} count={tag?.urllinks_count} />
        </SimpleGrid>
      )}
    </Stack>
  )
}

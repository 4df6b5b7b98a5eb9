import { Paper, SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { tagItemsQuery, tagQuery } from '../api/queries.ts'
import { ItemBreadcrumbs } from '../items/item-breadcrumbs.tsx'
import { ItemSelection } from '../items/item-selection.tsx'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { t } from '../messages/main-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { TagFailure } from './tag-failure.tsx'
import { TagHeader } from './tag-header.tsx'
import { TagItems } from './tag-items.tsx'

const Frame = ({ name, children }: { name: string; children: ReactNode }) => (
  <Stack gap="lg">
    <ItemBreadcrumbs current={name}>
      <AnchorLink to="/tags">{t('title.tags')}</AnchorLink>
    </ItemBreadcrumbs>
    {children}
  </Stack>
)

export const TagPending = () => (
  <Frame name="…">
    <TagHeader name="…" tag={undefined} />
    <Paper withBorder p="md">
      <ListSkeleton />
    </Paper>
  </Frame>
)

/** The loader has tried: only the button tries again. */
const loaded = { retryOnMount: false } as const

/** A tag and its newest items; each shows although the other has not loaded. */
export function TagPage() {
  const { id } = useParams({ from: '/main/tags/$id' })
  const { data: tag, refetch } = useQuery({ ...tagQuery(id), ...loaded })
  const items = useQuery({ ...tagItemsQuery(id), ...loaded })
  const name = tag?.name ?? t('tags.unknown')
  usePageTitle(tag?.name)
  return (
    <Frame name={name}>
      <TagHeader name={name} tag={tag} />
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
      <ItemSelection
        key={id}
        filter={{ tag: id }}
        count={tag && tag.notes_count + tag.urllinks_count}
        items={items.data ? [...items.data.notes, ...items.data.urllinks] : []}
      />
    </Frame>
  )
}

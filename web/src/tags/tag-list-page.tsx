import { Button, Paper, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { TAG_ROWS, tagListQuery } from '../api/queries.ts'
import { ItemBreadcrumbs } from '../items/item-breadcrumbs.tsx'
import { Retry } from '../items/load-failure.tsx'
import { t } from '../messages/messages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import { TagRows } from './tag-rows.tsx'

const route = getRouteApi('/main/tags')

/** Fewer tags need no search field. */
const WITHOUT_SEARCH = 15
const MORE_ROWS = 240

/** All tags with how much each holds. The search lives in the address. */
export function TagListPage() {
  const { search = '' } = route.useSearch()
  const navigate = useNavigate()
  const [rows, setRows] = useState(TAG_ROWS)
  // One more than shows: then there are more to show.
  const { data, isError, isPending, isFetching, refetch } = useQuery(tagListQuery(search, rows + 1))
  return (
    <Stack gap="md" maw={900} mx="auto">
      <ItemBreadcrumbs current={t('title.tags')} />
      <Title order={1} size="h2" tabIndex={-1}>
        {t('title.tags')}
      </Title>
      {(search !== '' || (data !== undefined && data.length > WITHOUT_SEARCH)) && (
        <SearchField
          live
          label={t('tags.search')}
          value={search}
          onSearch={(text) =>
            void navigate({ to: '/tags', search: { search: text || undefined }, replace: search !== '' })
          }
        />
      )}
      <Stack gap={6}>
        <LoadingBar shown={isFetching} />
        {isPending && (
          <Paper withBorder p="md">
            <ListSkeleton />
          </Paper>
        )}
        {isError && <Retry onRetry={() => void refetch()} />}
        {data?.length === 0 && (
          <Paper withBorder>
            <EmptyState text={t(search === '' ? 'tags.empty' : 'tags.none')} />
          </Paper>
        )}
        {data && data.length > 0 && <TagRows tags={data.slice(0, rows)} />}
        {data && data.length > rows && (
          <Button
            variant="default"
            mt="xs"
            style={{ alignSelf: 'center' }}
            onClick={() => setRows(rows + MORE_ROWS)}
          >
            {t('tags.more')}
          </Button>
        )}
      </Stack>
    </Stack>
  )
}

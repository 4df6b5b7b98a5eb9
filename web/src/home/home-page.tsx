import { Stack, Title, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { latestQuery, searchQuery } from '../api/queries.ts'
import { CorrectedSearch } from '../items/corrected-search.tsx'
import { linkKind } from '../items/link-kind.ts'
import { Retry } from '../items/load-failure.tsx'
import { noteKind } from '../items/note-kind.ts'
import { t } from '../messages/messages.ts'
import { SearchField } from '../ui/search-field.tsx'
import { HomeList } from './home-list.tsx'
import classes from './home-page.module.css'

const route = getRouteApi('/main/home')

/** The latest notes and links, or what a search finds. */
export function HomePage() {
  const { search, exact } = route.useSearch()
  const navigate = useNavigate()
  const latest = useQuery({ ...latestQuery, enabled: search === undefined })
  const found = useQuery({ ...searchQuery(search ?? '', exact), enabled: search !== undefined })
  const { data, isError, isPending, refetch } = search === undefined ? latest : found
  const corrected = found.isPlaceholderData ? undefined : found.data?.corrected?.query
  const shared = {
    search: corrected ?? search,
    exact,
    pending: isPending,
    stale: search !== undefined && found.isPlaceholderData,
  }

  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>{t('title.home')}</Title>
      </VisuallyHidden>
      <SearchField
        label={t('home.search')}
        value={search ?? ''}
        onSearch={(text) => navigate({ to: '/home', search: text === '' ? {} : { search: text } })}
      />
      {isError && <Retry onRetry={() => void refetch()} />}
      {search !== undefined && corrected !== undefined && (
        <CorrectedSearch
          corrected={corrected}
          typed={search}
          literal={{ to: '/home', search: { search, exact: '1' } }}
        />
      )}
      <div className={classes.lists} data-pending={isPending || undefined}>
        <HomeList {...shared} kind={noteKind} items={data?.notes} count={found.data?.notes_count} />
        <HomeList {...shared} kind={linkKind} items={data?.urllinks} count={found.data?.urllinks_count} />
      </div>
    </Stack>
  )
}

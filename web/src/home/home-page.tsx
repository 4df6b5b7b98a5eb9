import { Button, Stack, Title, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { latestQuery, searchQuery } from '../api/queries.ts'
import type { ItemKind } from '../items/item-kind.ts'
import { countToSelect, ItemSelection, searchShown } from '../items/item-selection.tsx'
import { linkKind } from '../items/link-kind.ts'
import { NoResults } from '../items/no-results.tsx'
import { noteKind } from '../items/note-kind.ts'
import { SearchedInstead } from '../items/searched-instead.tsx'
import { t } from '../messages/main-messages.ts'
import { Retry } from '../ui/load-failure.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { HomeList } from './home-list.tsx'
import classes from './home-page.module.css'

const route = getRouteApi('/main/home')

const KINDS = [noteKind, linkKind]

/** Scrolls to a list on a narrow screen, where one is below the other. */
const jumpTo = ({ name }: ItemKind): void => {
  const section = document.getElementById(name)
  section?.scrollIntoView()
  section?.querySelector('h2')?.focus({ preventScroll: true })
}

/** How many a search has found of both kinds. */
const countOf = (found: { notes_count: number; urllinks_count: number } | undefined): number | undefined =>
  found && found.notes_count + found.urllinks_count

/** The latest notes and links, or what a search finds. */
export function HomePage() {
  const { search, exact } = route.useSearch()
  const navigate = useNavigate()
  const latest = useQuery({ ...latestQuery, enabled: search === undefined })
  const found = useQuery({ ...searchQuery(search ?? '', exact), enabled: search !== undefined })
  const { data, isError, isPending, refetch } = search === undefined ? latest : found
  const result = found.isPlaceholderData ? undefined : found.data
  const shared = {
    search: result?.corrected?.query ?? search,
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
        syntax
        label={t('home.search')}
        value={search ?? ''}
        onSearch={(text) => navigate({ to: '/home', search: text === '' ? {} : { search: text } })}
      />
      {isError && <Retry onRetry={() => void refetch()} />}
      {search !== undefined && (
        <SearchedInstead
          found={result}
          typed={search}
          literal={{ to: '/home', search: { search, exact: '1' } }}
        />
      )}
      {search !== undefined && data?.notes.length === 0 && data.urllinks.length === 0 && (
        <NoResults search={search} to="/home" />
      )}
      <div className={classes.jumps}>
        {KINDS.map((kind) => (
          <Button
            key={kind.name}
            variant="default"
            leftSection={<kind.Icon size={18} />}
            onClick={() => jumpTo(kind)}
          >
            {t(`${kind.textPrefix}.list`)}
          </Button>
        ))}
      </div>
      <div className={classes.lists} data-pending={isPending || undefined}>
        <HomeList {...shared} kind={noteKind} items={data?.notes} count={found.data?.notes_count} />
        <HomeList {...shared} kind={linkKind} items={data?.urllinks} count={found.data?.urllinks_count} />
      </div>
      <ItemSelection
        key={JSON.stringify({ search, exact })}
        filter={searchShown(result, search ?? '')}
        count={search === undefined ? undefined : countToSelect(result, countOf(result))}
        items={[...(data?.notes ?? []), ...(data?.urllinks ?? [])]}
      />
    </Stack>
  )
}

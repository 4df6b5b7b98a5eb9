import { Paper } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListSkeleton } from '../ui/skeletons.tsx'
import type { ItemKind, ItemSummary } from './item-kind.ts'
import { ItemList } from './item-list.tsx'
import { LoadFailure, Retry } from './load-failure.tsx'
import { NoResults } from './no-results.tsx'

interface ListContentProps {
  kind: ItemKind
  list: UseQueryResult<{ results: ItemSummary[]; count: number }>
  /** The current search. */
  search: string
  /** The list is filtered by a search or a tag. */
  filtered: boolean
}

/** A page of a list in each of its states: loading, failed, empty, there. */
export function ListContent({ kind, list, search, filtered }: ListContentProps) {
  if (list.isPending) {
    return (
      <Paper withBorder p="md">
        <ListSkeleton />
      </Paper>
    )
  }
  const onRetry = () => void list.refetch()
  const text = failureText(list.error, `${kind.textPrefix}.listFailure`)
  const alert = <LoadFailure key={list.errorUpdatedAt} text={text} onRetry={onRetry} />
  const failure = list.isError && (kind.alerts ? alert : <Retry onRetry={onRetry} />)
  if (list.data === undefined) return failure
  if (list.data.count === 0) {
    return (
      <Paper withBorder>
        <EmptyState text={t(`${kind.textPrefix}.${filtered ? 'none' : 'empty'}`)}>
          {search !== '' && <NoResults search={search} to={kind.paths.list} />}
          {!filtered && (
            <ButtonLink to={kind.paths.add} variant="light">
              {t(`${kind.textPrefix}.create`)}
            </ButtonLink>
          )}
        </EmptyState>
      </Paper>
    )
  }
  return (
    <>
      {failure}
      <ItemList kind={kind} items={list.data.results} />
    </>
  )
}

import { Paper, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from './empty-state.tsx'
import { Retry } from './load-failure.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { ListSkeleton } from './skeletons.tsx'

interface ListFrameProps {
  /** The query of the list. */
  list: {
    isPending: boolean
    isFetching: boolean
    isPlaceholderData: boolean
    isError: boolean
    refetch: () => Promise<unknown>
  }
  /** A change of what it shows is under way. */
  busy?: boolean
  /** Shown where it could not be loaded; absent: a way to try again, as a snackbar says what failed. */
  failure?: ReactNode
  /** The sentence for a list without anything in it; absent where there is something. */
  empty: string | undefined
  /** Actions below that sentence. */
  emptyActions?: ReactNode
  /** The rows; absent while they are not known. */
  children: ReactNode
}

/** A list in each of its states: loading, failed, empty, there. Old rows are busy while new ones load. */
export function ListFrame(props: ListFrameProps) {
  const { list, busy = false, empty, emptyActions, children } = props
  const { failure = <Retry onRetry={() => void list.refetch()} /> } = props
  return (
    <Stack gap={6} aria-busy={list.isPlaceholderData}>
      <LoadingBar shown={list.isFetching || busy} />
      {list.isPending && (
        <Paper withBorder p="md">
          <ListSkeleton />
        </Paper>
      )}
      {list.isError && failure}
      {empty === undefined ? (
        children
      ) : (
        <Paper withBorder>
          <EmptyState text={empty}>{emptyActions}</EmptyState>
        </Paper>
      )}
    </Stack>
  )
}

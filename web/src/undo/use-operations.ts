import type { Operation } from '@kopilka/contract/operations.ts'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refreshAll } from '../api/cache.ts'
import { operationsQuery } from '../api/history-queries.ts'
import { undoOperations } from './undo.ts'

/** Milliseconds between two looks at how far an operation that is under way has come. */
const LOOK_EVERY = 1000

const UNDOING = ['undo']

/** Undoes an operation: {@link useOperations} shows meanwhile how far that has come. */
export const useUndo = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: UNDOING,
    mutationFn: (id: string) => undoOperations(queryClient, [id]),
  })
}

const isUnderWay = ({ progress }: Operation): boolean => progress !== undefined

/**
 * A page of operations, asked for again and again while one of them or its undo is under way: it goes on also where the page that
 * began it was closed, or its connection has ended. At its end everything is refreshed.
 */
export const useOperations = ({ page, enabled = true }: { page?: number; enabled?: boolean }) => {
  const queryClient = useQueryClient()
  const isUndoing = useIsMutating({ mutationKey: UNDOING }) > 0
  const list = useQuery({
    ...operationsQuery({ page }),
    enabled,
    refetchInterval: ({ state: { data } }) =>
      (isUndoing || data?.results.some(isUnderWay) === true) && LOOK_EVERY,
  })
  const running = list.data?.results.filter(isUnderWay).map(({ id }) => id)
  const before = useRef(running)
  useEffect(() => {
    const ended = before.current?.some((id) =>
      list.data?.results.some((operation) => operation.id === id && !isUnderWay(operation)),
    )
    before.current = running
    // What this page undoes itself refreshes everything once the response is there.
    if (ended && !isUndoing) void refreshAll(queryClient)
  })
  return list
}

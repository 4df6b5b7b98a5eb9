import { hashKey, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallFailure, isMissing } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { meQuery, retryOnce } from '../api/queries.ts'
import type { FailureMeta } from '../api/query-meta.ts'
import { endSession } from '../api/session.ts'
import { isReachable, NETWORK, onReachable } from '../lib/network.ts'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'

const reportError = (failure: unknown, meta: FailureMeta | undefined, about?: string): void => {
  const status = failure instanceof CallFailure ? failure.status : undefined
  // The end of a session shows its own message.
  if (status === 401 || (isMissing(failure) && meta?.missing === 'screen')) return
  const text = meta?.failure
  if (text !== 'screen')
    showMessage(failureText(failure, text), 'error', { about: aboutFailure(failure) ?? about })
}

const ME = hashKey(meQuery.queryKey)

/** Long enough to read that a change got no response, although other calls get through at once. */
const READ_MS = 4_000

/** Hides errors of the network, unless it was the copy in this browser that has responded. */
const hideNetworkErrors = (): void => {
  if (isReachable()) hideErrorsAbout(NETWORK, READ_MS)
}

// The server is back: queries that failed without it are refetched.
onReachable(hideNetworkErrors)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (failure, { meta, queryHash, state }) => {
        reportError(failure, meta, queryHash)
        // The guard of docs/specification.md, section 2: a user whose profile was never loaded and does not load is signed out.
        // Where no server responds nobody has refused them: the page stays as it is until one does.
        const isUnreachable = failure instanceof CallFailure && failure.isUnreachable
        if (queryHash === ME && state.data === undefined && !isUnreachable) endSession('no-profile')
      },
      onSuccess: (_data, { queryHash }) => {
        hideErrorsAbout(queryHash)
        hideNetworkErrors()
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: hideNetworkErrors,
      onError: (failure, _variables, _result, mutation) => reportError(failure, mutation.meta),
    }),
    defaultOptions: {
      queries: {
        retry: retryOnce,
        staleTime: 10_000,
        // Without a connection a call fails at once with a message instead of waiting.
        networkMode: 'always',
        // Off by default in this network mode.
        refetchOnReconnect: true,
      },
      mutations: { networkMode: 'always' },
    },
  })

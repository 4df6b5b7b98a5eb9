import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import type { FailureMeta } from '../api/query-meta.ts'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'

const tell = (failure: unknown, meta: FailureMeta | undefined, about?: string): void => {
  const status = failure instanceof CallFailure ? failure.status : undefined
  // The end of a session has a message of its own.
  if (status === 401 || (status === 404 && meta?.missing === 'screen')) return
  const told = meta?.failure
  if (told !== 'screen') showMessage(failureText(failure, told), 'error', about)
}

/** Only what may pass by itself is tried again, and once: people wait for the answer. */
const mayPass = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.status === 'no-answer' || failure.status >= 500)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (failure, { meta, queryHash }) => tell(failure, meta, queryHash),
      onSuccess: (_data, { queryHash }) => hideErrorsAbout(queryHash),
    }),
    mutationCache: new MutationCache({
      onError: (failure, _variables, _result, mutation) => tell(failure, mutation.meta),
    }),
    defaultOptions: {
      queries: {
        retry: (times, failure) => times < 1 && mayPass(failure),
        staleTime: 10_000,
        // Without a connection a call fails and says so, rather than wait for one in silence.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })

import { tokens } from '@kopilka/contract/tokens.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** The account's API tokens, the newest first. */
export const tokensQuery = queryOptions({
  meta: { failure: 'tokens.loadFailure' },
  queryKey: ['tokens'],
  queryFn: ({ signal }) => call(tokens.list, {}, { signal }),
})

import { tokens } from '@kopilka/contract/tokens.ts'
import type { Server } from '../http/serve.ts'
import type { ApiTokens } from './tokens.ts'

/** Serves the personal API tokens of an account. */
export function serveTokens({ serve }: Server, apiTokens: ApiTokens): void {
  serve(tokens.list, async ({ caller: { owner_id } }) => {
    const results = await apiTokens.list(owner_id)
    return { count: results.length, results }
  })

  serve(tokens.create, ({ caller: { owner_id }, body }) => apiTokens.create(owner_id, body))

  serve(tokens.remove, async ({ caller: { owner_id }, params: { id } }) => {
    await apiTokens.revoke(owner_id, id)
    return undefined
  })
}

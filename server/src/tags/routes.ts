import { tags } from '@kopilka/contract/tags.ts'
import { Refusal } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { TagStore } from './store.ts'

export function serveTags({ serve }: Server, store: TagStore): void {
  serve(tags.list, ({ caller, query }) => store.list(caller.owner_id, query.search))

  serve(tags.read, async ({ caller, params }) => {
    const tag = await store.find(caller.owner_id, params.id)
    if (!tag) throw new Refusal('tagNotFound')
    return tag
  })
}

import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { TagStore } from './store.ts'

export function serveTags({ serve }: Server, store: TagStore): void {
  serve(tags.list, async ({ caller: { owner_id }, query: { search, limit, merged = [] } }) => {
    const found = await store.list(owner_id, search)
    const all = merged.length === 0 ? found : await store.withMerged(owner_id, found, merged)
    return all.slice(0, limit)
  })

  const found = async (owner_id: string, id: string): Promise<Tag> => {
    const tag = await store.find(owner_id, id)
    if (!tag) throw new AppError('tagNotFound')
    return tag
  }

  serve(tags.read, ({ caller, params }) => found(caller.owner_id, params.id))

  serve(tags.update, async ({ caller, params: { id }, body: { name }, setOperation }) => {
    const { tag, operation_id } = await store.rename(caller, { id, name })
    if (operation_id !== undefined) setOperation(operation_id)
    return tag
  })
}

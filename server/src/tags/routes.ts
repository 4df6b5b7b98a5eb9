import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { TagStore } from './store.ts'

export function serveTags({ serve }: Server, store: TagStore): void {
  serve(tags.list, async ({ caller, query }) =>
    (await store.list(caller.owner_id, query.search)).slice(0, query.limit),
  )

  const found = async (owner_id: string, id: string): Promise<Tag> => {
    const tag = await store.find(owner_id, id)
    if (!tag) throw new AppError('tagNotFound')
    return tag
  }

  serve(tags.read, ({ caller, params }) => found(caller.owner_id, params.id))

  serve(tags.update, ({ caller: { owner_id }, params: { id }, body: { name } }) =>
    store.rename({ owner_id, id, name }),
  )

  serve(tags.remove, async ({ caller: { owner_id }, params: { id } }) => {
    await store.remove({ owner_id, id })
    return undefined
  })
}

import type { ItemCalls } from '@kopilka/contract/items.ts'
import { PAGE_SIZE, SIMILAR_SIZE } from '@kopilka/contract/limits.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { TagStore } from '../tags/store.ts'
import { etagOf, revisionsIn } from './etag.ts'
import { type ItemMapping, linkMapping, noteMapping } from './item.ts'
import type { ItemLists, ListPage } from './lists.ts'
import type { SameLinks } from './same-links.ts'
import type { ItemStore, Outcome } from './store.ts'

export interface ItemDependencies {
  items: ItemStore
  lists: ItemLists
  tags: TagStore
  sameLinks: SameLinks
}

/** Serves the calls of a kind. */
export function serveKind<Save, Whole, Summary>(
  { serve }: Server,
  { items, lists, tags }: ItemDependencies,
  calls: ItemCalls<Save, Whole, Summary>,
  { kind, toDraft, toWhole, toSummary }: ItemMapping<Save, Whole, Summary>,
): void {
  const settled = <T>(outcome: Outcome<T>): T => {
    if ('done' in outcome) return outcome.done
    throw new AppError(outcome.refused === 'changed' ? 'changedMeanwhile' : calls.read.missing)
  }

  serve(calls.list, async ({ caller: { owner_id }, query, signal, waitToRespond }) => {
    const { page = 1, search, exact, tag, untagged, sort, view } = query
    if (tag !== undefined && !(await tags.find(owner_id, tag))) throw new AppError('tagNotFound')
    const piece = { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
    const flags = { exact: exact !== undefined, untagged: untagged !== undefined }
    const wanted = { owner_id, kinds: [kind], tag_id: tag, search, sort, signal, ...flags, ...piece }
    const found = async ({ count, corrected, partial }: Omit<ListPage<unknown>, 'items'>) => ({
      count: await count(kind),
      ...(corrected && { corrected }),
      ...(partial && { partial }),
    })
    if (view === 'summary') {
      const list = await lists.summaries(wanted)
      return { results: list.items[kind].map(toSummary), ...(await found(list)) }
    }
    const list = await lists.wholes(wanted, waitToRespond)
    const truncated = list.truncated && { truncated: list.truncated }
    return { results: list.items[kind].map(toWhole), ...(await found(list)), ...truncated }
  })

  serve(calls.create, async ({ caller, body, idempotencyKey, setEtag, signal }) => {
    const item = await items.create({ ...caller, kind, idempotencyKey, signal }, toDraft(body))
    if (!item) throw new AppError(calls.read.missing)
    setEtag(etagOf(item.revision))
    return toWhole(item)
  })

  serve(calls.read, async ({ caller: { owner_id }, params: { id }, setEtag }) => {
    const item = await items.find({ owner_id, kind, id })
    if (!item) throw new AppError(calls.read.missing)
    setEtag(etagOf(item.revision))
    return toWhole(item)
  })

  serve(calls.similar, async ({ caller: { owner_id }, params: { id }, signal }) => {
    if (!(await items.has({ owner_id, kind, id }))) throw new AppError(calls.similar.missing)
    const similar = await lists.similarTo({ owner_id, id, limit: SIMILAR_SIZE, signal })
    const results = similar.map(({ row, kind }) =>
      kind === 'note'
        ? { kind: 'note' as const, ...noteMapping.toSummary(row) }
        : { kind: 'urllink' as const, ...linkMapping.toSummary(row) },
    )
    return { results }
  })

  serve(calls.update, async ({ caller, params: { id }, body, ifMatch, setEtag, signal }) => {
    const key = { ...caller, kind, id, signal }
    const item = settled(await items.update(key, toDraft(body), revisionsIn(ifMatch)))
    setEtag(etagOf(item.revision))
    return toWhole(item)
  })

  serve(calls.remove, async ({ caller, params: { id }, ifMatch, setOperation }) => {
    const { operation_id } = settled(await items.remove({ ...caller, kind, id }, revisionsIn(ifMatch)))
    setOperation(operation_id)
    return undefined
  })
}

import { bulk, type ItemFilter } from '@kopilka/contract/bulk.ts'
import type { ItemCalls } from '@kopilka/contract/items.ts'
import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/open.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import { etagOf, revisionsIn } from '../items/etag.ts'
import { contentOf, type ItemMapping, linkMapping, noteMapping } from '../items/item.ts'
import { type ItemLists, queryIn } from '../items/lists.ts'
import type { ItemStore } from '../items/store.ts'
import { newOperation } from '../journal/journal.ts'
import type { TagStore } from '../tags/store.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { changeItems, deleteItems, kindsOf, type Selected } from './bulk.ts'
import { listOperations } from './list.ts'
import type { createItemMerger } from './merge-items.ts'
import { mergeTags } from './merge-tags.ts'
import { clearTrash, deleteForEver } from './purge.ts'
import { finishOperation, removeTag, type StepTurns, type StepWriter, undoOperation } from './steps.ts'
import { restoreItems, trashedItems, trashedItemsOf } from './trash.ts'
import type { TrashSearch } from './trash-search.ts'
import { findVersion, versionsOf } from './versions.ts'

interface Parts {
  db: Database
  turns: StepTurns
  clock: Clock
  items: ItemStore
  lists: ItemLists
  tags: TagStore
  quotas: Quotas
  wakeJobs: () => void
  searchTrash: TrashSearch
  mergeItems: ReturnType<typeof createItemMerger>
}

/** Calls of one owner that change many items, and those that wait for them. */
const CALLS = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 20, timeout: 30_000 }

const pieceOf = (page: number) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

/** Operations and their undo, the trash, and earlier versions of items. */
export function serveOperations(server: Server, parts: Parts): void {
  const { db, clock, quotas, searchTrash } = parts
  const { serve } = server
  const calls = createConcurrencyLimit(CALLS)
  /** Does what an owner asks for, in the owner's turns. What has begun is finished, whether or not anyone waits for the response. */
  const inTurns = <T>(owner_id: string, signal: AbortSignal, work: (turns: StepWriter) => Promise<T>) =>
    calls.run(owner_id, () => work(parts.turns(owner_id)), signal)

  serve(operations.list, ({ caller: { owner_id }, query: { page = 1 } }) =>
    listOperations(db, { owner_id, now: clock(), ...pieceOf(page) }),
  )

  serve(operations.undo, ({ caller, params: { id }, signal }) =>
    inTurns(caller.owner_id, signal, (turns) => undoOperation(turns, { ...caller, id, quotas })),
  )

  serve(trash.list, async ({ caller: { owner_id }, query: { page = 1, search }, signal }) => {
    const piece = pieceOf(page)
    const found = await searchTrash(owner_id, search, signal)
    if (!found) return trashedItems(db, { owner_id, ...piece })
    const ids = found.slice(piece.offset, piece.offset + piece.limit)
    return { count: found.length, results: await trashedItemsOf(db, owner_id, ids) }
  })

  serve(trash.restore, async ({ caller, body: { ids, filter }, signal, setOperation }) => {
    if ((ids === undefined) === (filter === undefined)) throw new AppError('idsOrFilter')
    const operation = newOperation(caller, 'restore_items', clock())
    const wanted: readonly string[] | 'all' =
      ids ?? (await searchTrash(caller.owner_id, filter?.search, signal)) ?? 'all'
    const restoration = { ids: wanted, all: ids !== undefined, operation, quotas }
    const restored = await inTurns(caller.owner_id, signal, async (turns) =>
      finishOperation(turns, operation, await turns.write(restoreItems, restoration)),
    )
    if (restored > 0) setOperation(operation.id)
    return { restored }
  })

  serve(trash.remove, async ({ caller, params: { id } }) => {
    await deleteForEver(db, { ...caller, id, now: clock() }).finally(parts.wakeJobs)
    return undefined
  })

  serve(trash.clear, async ({ caller, signal }) => {
    await inTurns(caller.owner_id, signal, (turns) => clearTrash(turns, { ...caller, now: clock() })).finally(
      parts.wakeJobs,
    )
    return undefined
  })

  serve(bulk.change, async ({ caller, body, signal, setOperation }) => {
    const { ids, filter, add_tags: add = [], remove_tags: remove = [], pinned, delete: isDeletion } = body
    if ((ids === undefined) === (filter === undefined)) throw new AppError('idsOrFilter')
    const isChange = add.length + remove.length > 0 || pinned !== undefined
    if (isChange === (isDeletion ?? false)) throw new AppError('bulkChange')
    const selected = ids ? { ids } : await selectedBy(parts, caller.owner_id, filter, signal)
    const operation = newOperation(caller, isDeletion ? 'delete_items' : 'change_items', clock())
    const wanted = { selected, all: ids !== undefined, operation }
    const changed = await inTurns(caller.owner_id, signal, async (turns) => {
      const begun = await (isDeletion
        ? turns.write(deleteItems, wanted)
        : turns.write(changeItems, { ...wanted, tags: { add, remove }, pinned, quotas }))
      return finishOperation(turns, operation, begun)
    })
    if (changed > 0) setOperation(operation.id)
    return { changed }
  })

  serve(bulk.merge, async ({ caller, body: { keep, merge }, signal, setOperation }) => {
    const { owner_id } = caller
    const operation = await inTurns(owner_id, signal, () => parts.mergeItems(caller, keep, merge))
    setOperation(operation.id)
    return { merged: merge.length }
  })

  serve(tagCalls.remove, async ({ caller, params: { id }, signal, setOperation }) => {
    const operation = newOperation(caller, 'delete_tag', clock())
    await inTurns(caller.owner_id, signal, (turns) => removeTag(turns, operation, id))
    setOperation(operation.id)
    return undefined
  })

  serve(tagCalls.merge, async ({ caller, params: { id }, body: { into }, signal, setOperation }) => {
    const { owner_id } = caller
    if (id === into)
      throw new AppError((await parts.tags.find(owner_id, id)) ? 'mergeIntoItself' : 'tagNotFound')
    const operation = newOperation(caller, 'merge_tags', clock())
    await inTurns(owner_id, signal, async (turns) =>
      finishOperation(turns, operation, await turns.write(mergeTags, { id, into, operation })),
    )
    const tag = await parts.tags.find(owner_id, into)
    if (!tag) throw new AppError('tagNotFound')
    setOperation(operation.id)
    return tag
  })

  serveVersions(server, parts, notes, noteMapping)
  serveVersions(server, parts, links, linkMapping)
}

/** The items that a filter finds: those of a search by their ids, as it is not done where they are changed. */
async function selectedBy(
  { lists, tags }: Pick<Parts, 'lists' | 'tags'>,
  owner_id: string,
  { kind, search, exact = false, tag: tag_id, untagged = false }: ItemFilter = {},
  signal: AbortSignal,
): Promise<Selected> {
  if (tag_id !== undefined && !(await tags.find(owner_id, tag_id))) throw new AppError('tagNotFound')
  const kinds = kindsOf(kind)
  const text = await queryIn(search)
  if (text === undefined) return { kinds, list: { owner_id, tag_id, untagged } }
  return { found: await lists.idsFound({ owner_id, kinds, tag_id, untagged, exact, signal }, text) }
}

/** The calls of earlier versions of a kind of item. */
function serveVersions<Save, Whole, Summary, Version>(
  { serve }: Server,
  { db, clock, items }: Parts,
  calls: ItemCalls<Save, Whole, Summary, Version>,
  { kind, toWhole, toVersion }: ItemMapping<Save, Whole, Summary, Version>,
): void {
  serve(calls.versions, async ({ caller: { owner_id }, params: { id } }) => {
    const key = { owner_id, kind, id }
    if (!(await items.has(key))) throw new AppError(calls.versions.missing)
    const results = await versionsOf(db, key, clock())
    return { count: results.length, results }
  })

  const found = async (owner_id: string, { id, revision }: { id: string; revision: number }) => {
    const key = { owner_id, kind, id }
    const version = (await items.has(key)) && (await findVersion(db, { ...key, revision }, clock()))
    if (!version) throw new AppError('versionNotFound')
    return version
  }

  serve(calls.version, async ({ caller: { owner_id }, params }) => toVersion(await found(owner_id, params)))

  serve(calls.restoreVersion, async ({ caller, params, ifMatch, setEtag, setOperation }) => {
    const version = await found(caller.owner_id, params)
    const key = { ...caller, kind, id: params.id }
    const draft = { ...contentOf(version), tags: version.tags }
    const outcome = await items.restoreVersion(key, draft, revisionsIn(ifMatch))
    if ('refused' in outcome)
      throw new AppError(outcome.refused === 'changed' ? 'changedMeanwhile' : 'versionNotFound')
    const { item, operation_id } = outcome.done
    setEtag(etagOf(item.revision))
    setOperation(operation_id)
    return toWhole(item)
  })
}

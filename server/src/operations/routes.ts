import { bulk, type ItemFilter } from '@kopilka/contract/bulk.ts'
import type { ItemCalls } from '@kopilka/contract/items.ts'
import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { type TrashedItem, trash } from '@kopilka/contract/trash.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import { etagOf, revisionsIn } from '../items/etag.ts'
import { type IdPieces, idsInPiece, inPieces } from '../items/id-pieces.ts'
import { contentOf, type ItemMapping, linkMapping, noteMapping } from '../items/item.ts'
import { type ItemLists, queryIn } from '../items/lists.ts'
import type { ItemStore } from '../items/store.ts'
import { newOperation } from '../journal/journal.ts'
import type { TagStore } from '../tags/store.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import { changeItems, deleteItems, kindsOf, type Selected } from './bulk.ts'
import { beginFound } from './collect.ts'
import { listOperations, type OperationsPage } from './list.ts'
import type { createItemMerger } from './merge-items.ts'
import { clearFound, clearTrash, deleteForEver } from './purge.ts'
import { sizeOfTrashed } from './restore-size.ts'
import type { TrashFoundRequest, TrashSearch } from './search-trash.ts'
import {
  finishOperation,
  mergeTag,
  removeTag,
  type StepWriter,
  type StepWriters,
  undoOperation,
} from './steps.ts'
import { findTrashed, lastChangeOf, restoreItems, type TrashPage, trashedItems } from './trash.ts'
import { findVersion, versionsOf } from './versions.ts'

interface Dependencies {
  db: Database
  stepWriters: StepWriters
  clock: Clock
  config: Pick<Config, 'TRASH_DAYS'>
  pool: Pool
  items: ItemStore
  lists: ItemLists
  tags: TagStore
  quotas: Quotas
  wakeJobs: () => void
  searchTrash: TrashSearch
  mergeItems: ReturnType<typeof createItemMerger>
  /** Called with the number of items that an operation or its undo changed. */
  onChanged: (items: number) => void
}

/** Calls of one owner that change many items, and those that wait for them. */
const CALLS = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 20, timeout: 30_000 }

/** Items of the trash, or operations, that are counted and passed over on the event loop: a millisecond. */
const FEW = 5_000

const pieceOf = (page: number) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

/** Operations and their undo, the trash, and earlier versions of items. */
export function serveOperations(server: Server, dependencies: Dependencies): void {
  const { db, clock, pool, quotas, searchTrash, onChanged } = dependencies
  const { TRASH_DAYS } = dependencies.config
  const kept = TRASH_DAYS > 0 && { kept_days: TRASH_DAYS }
  const { serve } = server
  const calls = createConcurrencyLimit(CALLS)
  /**
   * Does what an owner asks for: two calls of an owner at a time, whose steps take turns ({@link StepWriters}). What has begun is
   * finished, whether or not anyone waits for the response.
   */
  const inSteps = <T>(owner_id: string, signal: AbortSignal, work: (writer: StepWriter) => Promise<T>) =>
    calls.run(owner_id, () => work(dependencies.stepWriters(owner_id)), signal)

  serve(operations.list, async ({ caller: { owner_id }, query: { page = 1 }, signal }) => {
    const piece = { owner_id, now: clock(), ...pieceOf(page) }
    const run = () => pool.run<OperationsPage>('listOperations', piece, { owner_id, signal })
    return (await listOperations(db, piece, FEW)) ?? run()
  })

  serve(operations.undo, async ({ caller, params: { id }, signal }) => {
    const undo = { ...caller, id, quotas }
    const undone = await inSteps(caller.owner_id, signal, (writer) => undoOperation(writer, undo, signal))
    onChanged(undone.restored)
    return undone
  })

  serve(trash.list, async ({ caller: { owner_id }, query: { page = 1, search }, signal }) => {
    const piece = pieceOf(page)
    // Before the list: what is deleted between the two stays when this list is deleted for ever.
    const state = { as_of: String(await lastChangeOf(db, owner_id)), ...kept }
    const found = await searchTrash(owner_id, search, signal)
    if (!found) {
      const wanted = { owner_id, ...piece }
      const run = () => pool.run<TrashPage>('trashedItems', wanted, { owner_id, signal })
      return { ...((await trashedItems(db, wanted, FEW)) ?? (await run())), ...state }
    }
    const ids = found.slice(piece.offset, piece.offset + piece.limit)
    const wanted: TrashFoundRequest = { owner_id, text: search ?? '', ids }
    const results = await pool.run<TrashedItem[]>('foundTrashed', wanted, { owner_id, signal })
    return { count: found.length, results, ...state }
  })

  serve(trash.read, async ({ caller: { owner_id }, params: { id } }) => {
    const item = await findTrashed(db, owner_id, id)
    if (!item) throw new AppError('trashedNotFound')
    return item
  })

  serve(trash.restore, async ({ caller, body: { ids, filter }, signal, setOperation }) => {
    if ((ids === undefined) === (filter === undefined)) throw new AppError('idsOrFilter')
    const operation = newOperation(caller, 'restore_items', clock())
    const { owner_id } = caller
    const restored = await inSteps(owner_id, signal, async (writer) => {
      const named = ids ?? (await searchTrash(owner_id, filter?.search, signal))
      const found = named
        ? inPieces(named)
        : await pool.run<IdPieces>('allTrashed', owner_id, { owner_id, signal })
      const restoreSize = await sizeOfTrashed(db, owner_id, found, signal)
      const restoration = { all: ids !== undefined, restoreSize, operation, quotas }
      const begun = await (ids
        ? writer.write(restoreItems, { ...restoration, items: ids })
        : beginFound(writer, operation, { found, signal }, (selected) => {
            const items = 'found' in selected ? selected.found.flatMap(idsInPiece) : selected
            return writer.write(restoreItems, { ...restoration, items })
          }))
      return finishOperation(writer, operation, begun)
    })
    onChanged(restored)
    if (restored > 0) setOperation(operation.id)
    return { restored }
  })

  serve(trash.remove, async ({ caller, params: { id } }) => {
    await deleteForEver(db, { ...caller, id, now: clock() }).finally(dependencies.wakeJobs)
    return undefined
  })

  serve(trash.removeFound, async ({ caller, body: { filter }, signal }) => {
    const clear = async (writer: StepWriter) => {
      // Before the search: what is deleted after it stays.
      const author = { ...caller, now: clock() }
      const found = await searchTrash(caller.owner_id, filter.search, signal)
      if (!found) throw new AppError('formInvalid', { search: ['required'] })
      await clearFound(writer, author, found, filter.as_of)
    }
    await inSteps(caller.owner_id, signal, clear).finally(dependencies.wakeJobs)
    return undefined
  })

  serve(trash.clear, async ({ caller, query: { as_of: seen }, signal }) => {
    const clear = (writer: StepWriter) => clearTrash(writer, { ...caller, now: clock() }, { seen })
    await inSteps(caller.owner_id, signal, clear).finally(dependencies.wakeJobs)
    return undefined
  })

  serve(bulk.change, async ({ caller, body, signal, setOperation }) => {
    const { ids, filter, add_tags: add = [], remove_tags: remove = [], pinned, delete: isDeletion } = body
    if ((ids === undefined) === (filter === undefined)) throw new AppError('idsOrFilter')
    const isChange = add.length + remove.length > 0 || pinned !== undefined
    if (isChange === (isDeletion ?? false)) throw new AppError('bulkChange')
    const operation = newOperation(caller, isDeletion ? 'delete_items' : 'change_items', clock())
    const changed = await inSteps(caller.owner_id, signal, async (writer) => {
      // Here, because those that wait would else hold the ids of all items.
      const found = ids ? [] : await foundBy(dependencies, caller.owner_id, filter, signal)
      const begin = (selected: Selected) => {
        const wanted = { selected, all: ids !== undefined, operation }
        return isDeletion
          ? writer.write(deleteItems, wanted)
          : writer.write(changeItems, { ...wanted, tags: { add, remove }, pinned, quotas })
      }
      const tags = isDeletion ? undefined : { add, remove }
      const begun = await (ids
        ? begin({ ids })
        : beginFound(writer, operation, { found, tags, signal }, begin))
      return finishOperation(writer, operation, begun)
    })
    onChanged(changed)
    if (changed > 0) setOperation(operation.id)
    return { changed }
  })

  serve(bulk.merge, async ({ caller, body: { keep, merge }, signal, setOperation }) => {
    const { owner_id } = caller
    const operation = await inSteps(owner_id, signal, () =>
      dependencies.mergeItems(caller, { keep, merge }, signal),
    )
    setOperation(operation.id)
    return { merged: merge.length }
  })

  serve(tagCalls.remove, async ({ caller, params: { id }, signal, setOperation }) => {
    const operation = newOperation(caller, 'delete_tag', clock())
    await inSteps(caller.owner_id, signal, (writer) => removeTag(writer, operation, id))
    setOperation(operation.id)
    return undefined
  })

  serve(tagCalls.merge, async ({ caller, params: { id }, body: { into }, signal, setOperation }) => {
    const { owner_id } = caller
    if (id === into)
      throw new AppError((await dependencies.tags.find(owner_id, id)) ? 'mergeIntoItself' : 'tagNotFound')
    const operation = newOperation(caller, 'merge_tags', clock())
    const tag = await inSteps(owner_id, signal, (writer) => mergeTag(writer, operation, { id, into, quotas }))
    setOperation(operation.id)
    return tag
  })

  serveVersions(server, dependencies, notes, noteMapping)
  serveVersions(server, dependencies, links, linkMapping)
}

/** The items that a filter finds. */
async function foundBy(
  { lists, tags }: Pick<Dependencies, 'lists' | 'tags'>,
  owner_id: string,
  { kind, search, exact = false, tag: tag_id, untagged = false }: ItemFilter = {},
  signal: AbortSignal,
): Promise<IdPieces> {
  if (tag_id !== undefined && !(await tags.find(owner_id, tag_id))) throw new AppError('tagNotFound')
  const wanted = { owner_id, kinds: kindsOf(kind), tag_id, untagged, exact, signal }
  return lists.idsFound(wanted, await queryIn(search))
}

/** The calls of earlier versions of a kind of item. */
function serveVersions<Save, Whole, Summary, Version>(
  { serve }: Server,
  { db, clock, items }: Dependencies,
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

  serve(calls.restoreVersion, async ({ caller, params, ifMatch, signal, setEtag, setOperation }) => {
    const version = await found(caller.owner_id, params)
    const key = { ...caller, kind, id: params.id, signal }
    const restored = { ...contentOf(version), tags: version.namedTags }
    const outcome = await items.restoreVersion(key, restored, revisionsIn(ifMatch))
    if ('refused' in outcome)
      throw new AppError(outcome.refused === 'changed' ? 'changedMeanwhile' : 'versionNotFound')
    const { item, operation_id } = outcome.done
    setEtag(etagOf(item.revision))
    if (operation_id !== undefined) setOperation(operation_id)
    return toWhole(item)
  })
}

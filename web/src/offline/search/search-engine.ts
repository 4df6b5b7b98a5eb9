import type { Found, Tag } from '@kopilka/text/search/index-reader.ts'
import { parseQuery, signsIn } from '@kopilka/text/search/query.ts'
import { type SearchRequest, type SearchResult, search } from '@kopilka/text/search/search.ts'
import { findSimilar, type SimilarRequest } from '@kopilka/text/search/similar.ts'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import { copyReader, indexItem, inParts, type SearchedCopy, type SearchedItem } from './copy-reader.ts'
import { createMemoryIndex, type StoredIndex } from './memory-index.ts'

/** An index as it is kept, and how far it goes. */
export interface KeptIndex extends StoredIndex {
  /** The version of the analysis (ANALYSER) with which it was made. */
  readonly analyser: number
  /** The last entry of the log that it knows. */
  readonly last: number
  /** Items of the log that were not indexed yet. */
  readonly waiting: readonly string[]
}

/** What changed. */
export interface Changes {
  /** The ids of items that came, changed or went. */
  readonly ids: readonly string[]
  /** The last entry of the log. */
  readonly last: number
  /** The index to which these changes belong. Absent: that to which the changes before belong. */
  readonly index?: KeptIndex | 'none'
}

/**
 * The copy, the log of its changes and the kept index. Code that changes items of the copy adds their ids to the log in the same
 * transaction, so that the index misses nothing whenever a tab is closed.
 */
export interface IndexStorage extends SearchedCopy {
  /**
   * What changed after the entry `since` of the log. Where the log does not reach back to it: the kept index and what changed
   * after that; or all items and no index, if none is kept that `analyser` has made.
   */
  changes(since: number | undefined, analyser: number): Promise<Changes>
  /** Keeps an index and forgets the entries of the log that it knows, unless a later one is kept already. */
  keep(index: KeptIndex): Promise<void>
}

/** Changes that wait for the server, what the copy has none of yet: those that differ from what the engine was told before. */
export interface Overlay {
  readonly items: readonly SearchedItem[]
  readonly removed: readonly string[]
  /** Items that are as the copy has them again. */
  readonly restored?: readonly string[] | undefined
  /** All tags, in any order. Absent: those of the copy. */
  readonly tags?: readonly Tag[] | undefined
}

/** A search that is not wanted any more reads no more. */
const unlessAborted = ({ items, tags }: SearchedCopy, signal: AbortSignal | undefined): SearchedCopy => ({
  items: async (ids) => {
    signal?.throwIfAborted()
    return items(ids)
  },
  tags,
})

/** Changed items after which the index is kept again: to index so many again takes less than a second. */
const UNSTORED = 1_000

/** Searches the copy, and keeps the index of it up to date. Several may do so at once, each in a tab. */
export function createSearchEngine(storage: IndexStorage) {
  let index = createMemoryIndex()
  let last: number | undefined
  const waiting = new Set<string>()
  const overlaid = new Map<string, SearchedItem | undefined>()
  let overlaidTags: readonly Tag[] | undefined
  /** The copy with the changes that wait. */
  const view: SearchedCopy = {
    async items(ids) {
      const kept = await storage.items(ids.filter((id) => !overlaid.has(id)))
      const byId = new Map(kept.map((item) => [item.id, item]))
      const last = kept.at(-1)
      // After the last one that was read others may follow, which the next call reads.
      const some = last ? ids.slice(0, ids.lastIndexOf(last.id) + 1) : ids
      return some.flatMap((id) => overlaid.get(id) ?? byId.get(id) ?? [])
    },
    tags: async () => overlaidTags ?? storage.tags(),
  }
  let queue: Promise<unknown> = Promise.resolve()

  /** One task at a time: what a search reads does not change meanwhile. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const result = queue.then(task)
    queue = result.catch(() => undefined)
    return result
  }

  async function keep(): Promise<void> {
    if (last === undefined) return
    // What waits for the server is not of the copy: a reader of this index reads those items again.
    const unsure = new Set([...waiting, ...overlaid.keys()])
    await storage.keep({ ...index.store(), analyser: ANALYSER, last, waiting: [...unsure] })
  }

  async function indexWaiting(): Promise<void> {
    for await (const { ids, items } of inParts(view, [...waiting])) {
      for (const id of ids) index.remove(id)
      for (const item of items) indexItem(index, item)
      for (const id of ids) waiting.delete(id)
      // A full disk makes the next opening slower, no search fail. Whether the copy is another's by now the next read tells.
      if (index.unstored >= UNSTORED) await keep().catch(() => undefined)
    }
  }

  async function catchUp(): Promise<void> {
    const changes = await storage.changes(last, ANALYSER)
    if (changes.index) {
      const kept = changes.index === 'none' ? undefined : changes.index
      index = createMemoryIndex(kept)
      waiting.clear()
      for (const id of [...(kept?.waiting ?? []), ...overlaid.keys()]) waiting.add(id)
    }
    for (const id of changes.ids) waiting.add(id)
    last = changes.last
    await indexWaiting()
  }

  return {
    /** Indexes what changed, also before the first search. Called after changes of the copy. */
    catchUp: (): Promise<void> => inTurn(catchUp),

    /** Searches find the copy with these changes, and with those before where nothing is said of their items. */
    overlay: ({ items, removed, restored = [], tags }: Overlay): Promise<void> =>
      inTurn(async () => {
        for (const id of restored) overlaid.delete(id)
        for (const id of removed) overlaid.set(id, undefined)
        for (const item of items) overlaid.set(item.id, item)
        for (const id of [...restored, ...removed, ...items.map(({ id }) => id)]) waiting.add(id)
        overlaidTags = tags
      }),

    /** Resolves to undefined where the text has nothing to search for; fails once it is aborted. */
    search: (request: SearchRequest, signal?: AbortSignal): Promise<SearchResult | undefined> =>
      inTurn(async () => {
        signal?.throwIfAborted()
        if (!parseQuery(request.text) && signsIn(request.text) === undefined) return undefined
        await catchUp()
        return search(copyReader(index, unlessAborted(view, signal)), request)
      }),

    /** The items of both kinds that are most like an item. */
    similarTo: (request: SimilarRequest, signal?: AbortSignal): Promise<readonly Found[]> =>
      inTurn(async () => {
        signal?.throwIfAborted()
        await catchUp()
        return findSimilar(copyReader(index, unlessAborted(view, signal)), request)
      }),

    /** Keeps what was indexed since the index was kept. */
    keep: (): Promise<void> => inTurn(keep),
  }
}

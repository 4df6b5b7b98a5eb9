import type { Sort } from '@kopilka/contract/items.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import type { Found } from '../search/index.ts'
import type { SearchRequest, SearchResult } from '../search/search.ts'
import type { SimilarRequest } from '../search/similar.ts'
import type { TagStore } from '../tags/store.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import { countOf } from './counts.ts'
import type { IdPieces } from './id-pieces.ts'
import type { ItemRow, SummaryRow } from './item.ts'
import {
  countUntagged,
  type ListedRow,
  listSummaries,
  listWholes,
  summariesOf,
  type untaggedOf,
  wholesOf,
  withBodies,
} from './queries.ts'

/** A request for a page of a list: pinned items first, then the newest. A search has the best first, pinned or not. */
export interface Wanted {
  owner_id: string
  kinds: readonly ItemKind[]
  /** The query as typed. */
  search?: string | undefined
  /** Set: a search that finds nothing is neither replaced by a suggestion nor matched in part. */
  exact?: boolean
  /** Only items with this tag. */
  tag_id?: string | undefined
  /** Only items without any tag. */
  untagged?: boolean
  /** Another order than the newest, or the best, first. */
  sort?: Sort | undefined
  limit: number
  offset?: number
  /** Gives a search up. */
  signal?: AbortSignal | undefined
}

export interface ListPage<Row> {
  readonly items: Readonly<Record<ItemKind, Row[]>>
  /** Set if items of a kind are missing because their texts exceed the size of a response. */
  readonly truncated?: true
  /** Number of items in the whole list. */
  readonly count: (kind: ItemKind) => Promise<number>
  /** The suggestion that was searched for instead: the other keyboard layout, or a spelling correction. */
  readonly corrected?: { readonly query: string }
  /** Set: no item matches the search; these are the closest. */
  readonly partial?: true
}

interface Parts {
  db: Db
  tags: TagStore
  pool: Pool
}

/** Searches of one owner leave a place for another's. */
const SEARCHES = { total: 3, perOwner: 2, waiting: 100, timeout: 30_000 }

/** Milliseconds for which a search goes on that was given up: to start another thread in place of its own costs as much. */
const GRACE = 500

function delayed(signal: AbortSignal): AbortSignal {
  const later = new AbortController()
  const abort = () => setTimeout(() => later.abort(signal.reason), GRACE).unref()
  signal.addEventListener('abort', abort, { once: true })
  return later.signal
}

const optionsOf = (owner_id: string, signal: AbortSignal | undefined) => ({
  owner_id,
  signal: signal && delayed(signal),
})

/** Items of a kind among which those without tags are found on the event loop: some 5 ms. */
const FEW = 5000

type Untagged = Awaited<ReturnType<typeof untaggedOf>>

export type ItemLists = ReturnType<typeof createItemLists>

/** The text of a search if it holds anything to search for: words or signs. Loads the parser of queries with the first. */
export async function queryIn(text: string | undefined): Promise<string | undefined> {
  if (!text) return undefined
  const { parseQuery, signsIn } = await import('../search/query.ts')
  return parseQuery(text) || signsIn(text) ? text : undefined
}

/** Lists of an owner's notes and links. */
export function createItemLists({ db, tags, pool }: Parts) {
  const searches = createConcurrencyLimit(SEARCHES)
  const search = (
    { search: _, offset = 0, exact = false, signal, ...wanted }: Wanted,
    text: string,
    excerpts: boolean,
  ) => {
    const request = { ...wanted, offset, exact, text, excerpts }
    const task = () => pool.run<SearchResult>('search', request, optionsOf(request.owner_id, signal))
    return searches.run(wanted.owner_id, task, signal)
  }

  async function eachKind<Row>(
    kinds: readonly ItemKind[],
    rowsOf: (kind: ItemKind) => Promise<Row[]>,
  ): Promise<Record<ItemKind, Row[]>> {
    const rows = (kind: ItemKind) => (kinds.includes(kind) ? rowsOf(kind) : [])
    const [note, link] = await Promise.all([rows('note'), rows('link')])
    return { note, link }
  }

  /** Items without tags of a kind that has many items: found in another thread. */
  async function manyUntagged(wanted: Wanted): Promise<SearchResult> {
    const { owner_id, kinds, sort, limit, offset = 0, signal } = wanted
    const options = optionsOf(owner_id, signal)
    const [ids, counts] = [
      { note: [] as string[], link: [] as string[] },
      { note: 0, link: 0 },
    ]
    for (const kind of kinds) {
      const task = () => pool.run<Untagged>('untaggedOf', { owner_id, kind, sort, limit, offset }, options)
      const page = await searches.run(owner_id, task, signal)
      ids[kind] = page.ids
      counts[kind] = page.count
    }
    return { ids, counts, excerpts: new Map() }
  }

  async function unsearched<Row extends { id: string }>(
    asked: Wanted,
    readPiece: (db: Db, piece: Parameters<typeof listWholes>[1]) => Promise<Row[]>,
    readNamed: (db: Db, items: Parameters<typeof wholesOf>[1]) => Promise<Row[]>,
  ): Promise<ListPage<Row>> {
    const { kinds, offset = 0, signal: _, ...wanted } = asked
    const { owner_id, tag_id, untagged } = wanted
    if (untagged && tag_id === undefined) {
      const counts = await Promise.all(kinds.map((kind) => countOf(db, { owner_id, kind })))
      if (Math.max(...counts) > FEW) return found(asked, await manyUntagged(asked), readNamed)
    }
    return {
      items: await eachKind(kinds, (kind) => readPiece(db, { ...wanted, kind, offset })),
      count: async (kind) => {
        if (tag_id === undefined) return (untagged ? countUntagged : countOf)(db, { owner_id, kind })
        return untagged ? 0 : tags.countOf(owner_id, tag_id, kind)
      },
    }
  }

  /** The items that a search found, in its order, as `read` returns them. */
  async function found<Row extends { id: string }>(
    { owner_id, kinds }: Wanted,
    { ids, counts, corrected, partial }: SearchResult,
    read: (db: Db, items: Parameters<typeof wholesOf>[1]) => Promise<Row[]>,
  ): Promise<ListPage<Row>> {
    const rows = await read(db, { owner_id, ids: [...ids.note, ...ids.link] })
    const byId = new Map(rows.map((row) => [row.id, row]))
    return {
      // An item may have been deleted since the search.
      items: await eachKind(kinds, async (kind) => ids[kind].flatMap((id) => byId.get(id) ?? [])),
      count: async (kind) => counts[kind],
      ...(corrected && { corrected }),
      ...(partial && { partial }),
    }
  }

  async function listed(wanted: Wanted): Promise<ListPage<ListedRow>> {
    const text = await queryIn(wanted.search)
    if (text === undefined) return unsearched(wanted, listWholes, wholesOf)
    return found(wanted, await search(wanted, text, false), wholesOf)
  }

  return {
    /** The ids of all items that a search finds, sorted. */
    idsFound(
      {
        signal,
        ...wanted
      }: Pick<Wanted, 'owner_id' | 'kinds' | 'tag_id' | 'untagged' | 'signal'> & { exact: boolean },
      text: string,
    ): Promise<IdPieces> {
      const { owner_id } = wanted
      const page = { sort: 'created', limit: Number.MAX_SAFE_INTEGER, offset: 0 } as const
      const request: SearchRequest = { ...wanted, ...page, text, excerpts: false }
      const task = () => pool.run<IdPieces>('findIds', request, optionsOf(owner_id, signal))
      return searches.run(owner_id, task, signal)
    },

    /** Items that are like one, most alike first, at most `limit`. */
    async similarTo({ owner_id, id, limit, signal }: SimilarRequest & Pick<Wanted, 'signal'>) {
      const request: SimilarRequest = { owner_id, id, limit }
      const task = () => pool.run<Found[]>('findSimilar', request, optionsOf(owner_id, signal))
      const found = await searches.run(owner_id, task, signal)
      const rows =
        found.length > 0 ? await summariesOf(db, { owner_id, ids: found.map((one) => one.id) }) : []
      const byId = new Map(rows.map((row) => [row.id, row]))
      // An item may have been deleted since it was found.
      return found.flatMap(({ id, kind }) => {
        const row = byId.get(id)
        return row ? [{ row, kind }] : []
      })
    },

    async wholes(wanted: Wanted): Promise<ListPage<ItemRow>> {
      const { items, ...page } = await listed(wanted)
      const bodiesOf = (kind: ItemKind) => withBodies(db, wanted.owner_id, items[kind])
      const [note, link] = await Promise.all([bodiesOf('note'), bodiesOf('link')])
      const truncated = note.truncated || link.truncated
      return { ...page, items: { note: note.rows, link: link.rows }, ...(truncated && { truncated }) }
    },

    /** The same without bodies. In a search the excerpt is the text around the first match. */
    async summaries(wanted: Wanted): Promise<ListPage<SummaryRow>> {
      const text = await queryIn(wanted.search)
      if (text === undefined) return unsearched(wanted, listSummaries, summariesOf)
      const result = await search(wanted, text, true)
      return found(wanted, result, async (source, items) =>
        (await summariesOf(source, items)).map((row) => ({ ...row, ...result.excerpts.get(row.id) })),
      )
    },
  }
}

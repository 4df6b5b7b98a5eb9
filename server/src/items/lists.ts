import type { Sort } from '@kopilka/contract/items.ts'
import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import type { Found } from '@kopilka/text/search/index-reader.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import type { SearchRequest, SearchResult, SimilarRequest } from '../search/search.ts'
import type { TagStore } from '../tags/store.ts'
import type { Pool } from '../threads/pool.ts'
import { countOf } from './counts.ts'
import { type Lists, listIds } from './find-ids.ts'
import type { IdPieces } from './id-pieces.ts'
import type { ItemRow, SummaryRow } from './item.ts'
import {
  countUntagged,
  type ListedRow,
  listSummaries,
  listWholes,
  type pageIdsOf,
  summariesOf,
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

interface Dependencies {
  db: Db
  tags: TagStore
  pool: Pool
}

/** Searches of one owner leave a place for another's. */
const SEARCHES = { name: 'searches', total: 3 }

/**
 * Items with a tag, or of a kind among which those without tags are found, that are sorted on the event loop, and items before a
 * page that are passed over there: some 5 ms.
 */
const FEW = 5000

type PageIds = Awaited<ReturnType<typeof pageIdsOf>>

export type ItemLists = ReturnType<typeof createItemLists>

/** The text of a search if it holds anything to search for: words or signs. Loads the parser of queries with the first. */
export async function queryIn(text: string | undefined): Promise<string | undefined> {
  if (!text) return undefined
  const { hasWords, signsIn } = await import('@kopilka/text/search/query.ts')
  return hasWords(text) || signsIn(text) ? text : undefined
}

/** Lists of an owner's notes and links. */
export function createItemLists({ db, tags, pool }: Dependencies) {
  const search = (
    { search: _, offset = 0, exact = false, signal, ...wanted }: Wanted,
    text: string,
    excerptLength?: number,
  ) => {
    const request: SearchRequest = { ...wanted, offset, exact, text, excerptLength }
    const { owner_id } = wanted
    return pool.run<SearchResult>('search', request, { owner_id, signal, group: SEARCHES })
  }

  async function eachKind<Row>(
    kinds: readonly ItemKind[],
    rowsOf: (kind: ItemKind) => Promise<Row[]>,
  ): Promise<Record<ItemKind, Row[]>> {
    const rows = (kind: ItemKind) => (kinds.includes(kind) ? rowsOf(kind) : [])
    const [note, link] = await Promise.all([rows('note'), rows('link')])
    return { note, link }
  }

  /**
   * Items of a tag that many have, or without tags of a kind that has many, or far down in a list: found in another thread.
   * `candidates`: as {@link candidatesOf}.
   */
  async function ofMany(wanted: Wanted, candidates: ReadonlyMap<ItemKind, number>): Promise<SearchResult> {
    const { owner_id, kinds, tag_id, untagged, sort, limit, offset = 0, signal } = wanted
    const options = { owner_id, signal, group: SEARCHES }
    const [ids, counts] = [
      { note: [] as string[], link: [] as string[] },
      { note: 0, link: 0 },
    ]
    for (const kind of kinds) {
      counts[kind] = candidates.get(kind) ?? 0
      if (!untagged && offset >= counts[kind]) continue
      const piece = { owner_id, kind, tag_id, untagged, sort, limit, offset }
      const page = await pool.run<PageIds>('pageIdsOf', piece, options)
      ids[kind] = page.ids
      if (untagged) counts[kind] = page.count
    }
    return { ids, counts, excerpts: new Map() }
  }

  /** How many items a list is looked for among: those of the tag, or all of the kind. */
  async function candidatesOf({
    owner_id,
    kinds,
    tag_id,
  }: Pick<Wanted, 'owner_id' | 'kinds' | 'tag_id'>): Promise<Map<ItemKind, number>> {
    const candidates = new Map<ItemKind, number>()
    for (const kind of kinds) {
      const count =
        tag_id === undefined ? countOf(db, { owner_id, kind }) : tags.countOf(owner_id, tag_id, kind)
      candidates.set(kind, await count)
    }
    return candidates
  }

  async function unsearched<Row extends { id: string }>(
    asked: Wanted,
    readPiece: (db: Db, piece: Parameters<typeof listWholes>[1]) => Promise<Row[]>,
    readNamed: (db: Db, items: Parameters<typeof wholesOf>[1]) => Promise<Row[]>,
  ): Promise<ListPage<Row>> {
    const { kinds, offset = 0, signal: _, ...wanted } = asked
    const { owner_id, tag_id, untagged } = wanted
    if (tag_id !== undefined && untagged)
      return { items: await eachKind<Row>(kinds, async () => []), count: async () => 0 }
    const isPart = tag_id !== undefined || untagged
    const candidates = isPart || offset > 0 ? await candidatesOf(asked) : new Map<ItemKind, number>()
    const most = Math.max(0, ...candidates.values())
    if (isPart ? most > FEW : offset > FEW && offset < most)
      return found(asked, await ofMany(asked, candidates), readNamed)
    const isPastEnd = (kind: ItemKind) => offset > 0 && offset >= (candidates.get(kind) ?? 0)
    return {
      items: await eachKind(kinds, async (kind) =>
        isPastEnd(kind) ? [] : readPiece(db, { ...wanted, kind, offset }),
      ),
      count: async (kind) =>
        untagged
          ? countUntagged(db, { owner_id, kind })
          : (candidates.get(kind) ?? countOf(db, { owner_id, kind })),
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
    return found(wanted, await search(wanted, text), wholesOf)
  }

  return {
    /** The ids of all items that a search finds, or of all of the lists without a text to search for; sorted. */
    async idsFound(
      {
        signal,
        exact,
        ...wanted
      }: Pick<Wanted, 'owner_id' | 'kinds' | 'tag_id' | 'untagged' | 'signal'> & { exact: boolean },
      text: string | undefined,
    ): Promise<IdPieces> {
      const { owner_id } = wanted
      const run = (name: string, request: SearchRequest | Lists) =>
        pool.run<IdPieces>(name, request, { owner_id, signal, group: SEARCHES })
      if (text !== undefined) {
        const page = { sort: 'created', limit: Number.MAX_SAFE_INTEGER, offset: 0 } as const
        return run('findIds', { ...wanted, ...page, exact, text })
      }
      const isLarge = Math.max(0, ...(await candidatesOf(wanted)).values()) > FEW
      return isLarge ? run('listIds', wanted) : listIds(db, wanted)
    },

    /** Items that are like one, most alike first, at most `limit`. */
    async similarTo({ owner_id, id, limit, signal }: SimilarRequest & Pick<Wanted, 'signal'>) {
      const request: SimilarRequest = { owner_id, id, limit }
      const found = await pool.run<Found[]>('findSimilar', request, { owner_id, signal, group: SEARCHES })
      const rows =
        found.length > 0 ? await summariesOf(db, { owner_id, ids: found.map((one) => one.id) }) : []
      const byId = new Map(rows.map((row) => [row.id, row]))
      // An item may have been deleted since it was found.
      return found.flatMap(({ id, kind }) => {
        const row = byId.get(id)
        return row ? [{ row, kind }] : []
      })
    },

    /** `beforeBodies`: waits until the owner may have a long response; what was found has no bodies yet. */
    async wholes(wanted: Wanted, beforeBodies: () => Promise<void>): Promise<ListPage<ItemRow>> {
      const { items, ...page } = await listed(wanted)
      await beforeBodies()
      const bodiesOf = (kind: ItemKind) => withBodies(db, wanted.owner_id, items[kind])
      const [note, link] = await Promise.all([bodiesOf('note'), bodiesOf('link')])
      const truncated = note.truncated || link.truncated
      return { ...page, items: { note: note.rows, link: link.rows }, ...(truncated && { truncated }) }
    },

    /** The same without bodies. In a search the excerpt is the text around the first match. */
    async summaries(wanted: Wanted): Promise<ListPage<SummaryRow>> {
      const text = await queryIn(wanted.search)
      if (text === undefined) return unsearched(wanted, listSummaries, summariesOf)
      const result = await search(wanted, text, EXCERPT_LENGTH)
      return found(wanted, result, async (source, items) =>
        (await summariesOf(source, items)).map((row) => ({ ...row, ...result.excerpts.get(row.id) })),
      )
    },
  }
}

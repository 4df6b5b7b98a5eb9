import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import type { Sort, TagRef } from '@kopilka/contract/items.ts'
import {
  LATEST_SIZE,
  MAX_LIST_BYTES,
  PAGE_SIZE,
  SAME_SIZE,
  SEARCH_SIZE,
  SIMILAR_SIZE,
  TAG_ITEMS_SIZE,
} from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { type Tag, tags } from '@kopilka/contract/tags.ts'
import { addressKey } from '@kopilka/text/address-key.ts'
import { fold } from '@kopilka/text/fold.ts'
import * as z from 'zod/mini'
import { CallFailure } from '../api/failure.ts'
import type { KeptItem, Kind } from './kept-item.ts'
import type { Finder, SearchResult } from './search-request.ts'

/*
 * Responds to calls from the copy as the server does (server/src/items/lists.ts, server/src/tags/store.ts): same items, order and
 * counts. Pure: the copy is two maps and a way to read texts.
 */

/** What an account has, as far as this browser knows. A changed copy is another object with other maps. */
export interface Copy {
  readonly items: ReadonlyMap<string, KeptItem>
  /** Names by id. */
  readonly tags: ReadonlyMap<string, string>
  readonly textsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/** What a caller of the contract passes. */
export interface CallRequest {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
}

interface CopyResponse {
  readonly value: unknown
  readonly etag?: string
}

/** Whatever the kind, an item that is not there has the status of the server's response. */
const missing = () => new CallFailure(404, {})

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const ORDERS: Record<Sort, (one: KeptItem, other: KeptItem) => number> = {
  created: (one, other) => compare(other.created_at, one.created_at) || compare(other.id, one.id),
  updated: (one, other) => compare(other.updated_at, one.updated_at) || compare(other.id, one.id),
  title: (one, other) => compare(one.titleKey, other.titleKey) || compare(one.id, other.id),
}

const sortedLists = new WeakMap<Copy['items'], Map<string, KeptItem[]>>()

/** All items of a kind, pinned ones first; of 20,000 items some 20 ms, once for each copy and order. */
function sorted({ items }: Copy, kind: Kind, sort: Sort): readonly KeptItem[] {
  const lists = sortedLists.get(items) ?? new Map<string, KeptItem[]>()
  sortedLists.set(items, lists)
  const key = `${kind} ${sort}`
  const known = lists.get(key)
  if (known) return known
  const order = ORDERS[sort]
  const list = [...items.values()].filter((item) => item.kind === kind)
  list.sort((one, other) => Number(other.pinned) - Number(one.pinned) || order(one, other))
  lists.set(key, list)
  return list
}

/** As server/src/tags/order.ts. */
const russian = new Intl.Collator('ru', { sensitivity: 'variant', numeric: true })
const byName = (one: { name: string }, other: { name: string }): number =>
  russian.compare(one.name, other.name)

/** The tags of an item that exist, in alphabetical order. */
const tagsOf = ({ tags }: Copy, item: KeptItem): TagRef[] =>
  item.tags
    .flatMap((id) => {
      const name = tags.get(id)
      return name === undefined ? [] : { id, name }
    })
    .sort(byName)

const hasTags = ({ tags }: Copy, item: KeptItem): boolean => item.tags.some((id) => tags.has(id))

const commonOf = (copy: Copy, item: KeptItem) => {
  const { id, title, created_at, updated_at, pinned, url } = item
  return {
    id,
    created_at,
    updated_at,
    pinned,
    tags: tagsOf(copy, item),
    title,
    ...(url !== undefined && { url }),
  }
}

const summaryOf = (copy: Copy, item: KeptItem, excerpts?: SearchResult['excerpts']) => ({
  ...commonOf(copy, item),
  excerpt: item.excerpt,
  ...excerpts?.get(item.id),
})

const wholeOf = (copy: Copy, item: KeptItem, text: string) => ({
  ...commonOf(copy, item),
  [item.kind === 'note' ? 'content' : 'description']: text,
})

interface Wanted {
  readonly kinds: readonly Kind[]
  readonly search?: string | undefined
  readonly exact?: boolean
  readonly tag?: string | undefined
  readonly untagged?: boolean
  readonly sort?: Sort | undefined
  readonly limit: number
  readonly offset?: number
  readonly summaries: boolean
}

interface Listed {
  readonly items: Readonly<Record<Kind, readonly unknown[]>>
  readonly counts: Readonly<Record<Kind, number>>
  readonly truncated?: true
  readonly corrected?: { readonly query: string }
  readonly partial?: true
}

const utf8 = new TextEncoder()

/** Counted as in server/src/items/queries.ts. */
const bytesOf = (copy: Copy, item: KeptItem, text: string): number => {
  const names = tagsOf(copy, item).map(({ name }) => name)
  return utf8.encode([item.title, item.url ?? '', ...names, text].join('')).length
}

/** The first of the items, as many as fit into a response; the first is always included. */
async function wholesOf(copy: Copy, items: readonly KeptItem[]) {
  const texts = await copy.textsOf(items.map(({ id }) => id))
  let bytes = 0
  const end = items.findIndex((item, at) => {
    bytes += bytesOf(copy, item, texts.get(item.id) ?? '')
    return at > 0 && bytes > MAX_LIST_BYTES
  })
  const some = end < 0 ? items : items.slice(0, end)
  return { wholes: some.map((item) => wholeOf(copy, item, texts.get(item.id) ?? '')), truncated: end >= 0 }
}

async function list(copy: Copy, finder: Finder, wanted: Wanted): Promise<Listed> {
  const {
    kinds,
    search: text = '',
    exact = false,
    tag,
    untagged,
    sort,
    limit,
    offset = 0,
    summaries,
  } = wanted
  const request = { text, exact, kinds, tag, untagged, sort, limit, offset, excerpts: summaries }
  const found = text === '' ? undefined : await finder.search(request)
  const counts = { note: 0, urllink: 0 }
  const items: Record<Kind, readonly KeptItem[]> = { note: [], urllink: [] }
  for (const kind of kinds) {
    if (found) {
      items[kind] = found.ids[kind].flatMap((id) => copy.items.get(id) ?? [])
      counts[kind] = found.counts[kind]
      continue
    }
    const all = sorted(copy, kind, sort ?? 'created').filter(
      (item) =>
        (tag === undefined || (item.tags.includes(tag) && copy.tags.has(tag))) &&
        !(untagged && hasTags(copy, item)),
    )
    items[kind] = all.slice(offset, offset + limit)
    counts[kind] = all.length
  }
  const instead = {
    ...(found?.corrected && { corrected: found.corrected }),
    ...(found?.partial && { partial: found.partial }),
  }
  if (summaries) {
    const shown = (kind: Kind) => items[kind].map((item) => summaryOf(copy, item, found?.excerpts))
    return { items: { note: shown('note'), urllink: shown('urllink') }, counts, ...instead }
  }
  const [note, urllink] = [await wholesOf(copy, items.note), await wholesOf(copy, items.urllink)]
  return {
    items: { note: note.wholes, urllink: urllink.wholes },
    counts,
    ...((note.truncated || urllink.truncated) && { truncated: true }),
    ...instead,
  }
}

const counted = new WeakMap<Copy['items'], { tags: Copy['tags']; all: readonly Tag[] }>()

/** All tags with their counts, in alphabetical order. */
function allTags(copy: Copy): readonly Tag[] {
  const known = counted.get(copy.items)
  if (known?.tags === copy.tags) return known.all
  const byId = new Map(
    Array.from(copy.tags, ([id, name]) => [id, { id, name, notes_count: 0, urllinks_count: 0 }]),
  )
  for (const { kind, tags } of copy.items.values())
    for (const id of tags) {
      const tag = byId.get(id)
      if (tag) tag[kind === 'note' ? 'notes_count' : 'urllinks_count'] += 1
    }
  const all = [...byId.values()].sort(
    (one, other) => byName(one, other) || compare(one.name.toLowerCase(), other.name.toLowerCase()),
  )
  counted.set(copy.items, { tags: copy.tags, all })
  return all
}

const tagOf = (copy: Copy, id: string | undefined): Tag => {
  const tag = allTags(copy).find((one) => one.id === id)
  if (!tag) throw missing()
  return tag
}

/** Links to one page, the very address first, then the newest. */
function linksTo({ items }: Copy, url: string): KeptItem[] {
  const key = addressKey(url)
  return [...items.values()]
    .filter(({ pageKey }) => pageKey === key)
    .sort((one, other) => Number(other.url === url) - Number(one.url === url) || compare(other.id, one.id))
}

/** The query of a request, checked and normalised as the server does. */
function queryOf<S extends z.ZodMiniType>(schema: S, { query }: CallRequest): z.output<S> {
  const sent = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  const { data, success } = z.safeParse(schema, Object.fromEntries(sent))
  if (!success) throw new CallFailure(400, {})
  return data
}

type Responder = (copy: Copy, request: CallRequest, finder: Finder) => Promise<CopyResponse>

const listOf =
  (kind: Kind): Responder =>
  async (copy, request, finder) => {
    const { page = 1, exact, untagged, view, tag, ...query } = queryOf(notes.list.query, request)
    if (tag !== undefined && !copy.tags.has(tag)) throw missing()
    const { items, counts, ...rest } = await list(copy, finder, {
      ...query,
      ...{ kinds: [kind], tag, exact: exact !== undefined, untagged: untagged !== undefined },
      ...{ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, summaries: view !== undefined },
    })
    return { value: { results: items[kind], count: counts[kind], ...rest } }
  }

const itemOf =
  (kind: Kind): Responder =>
  async (copy, { params }) => {
    const id = params?.id ?? ''
    const item = copy.items.get(id)
    if (item?.kind !== kind) throw missing()
    const text = (await copy.textsOf([id])).get(id) ?? ''
    return { value: wholeOf(copy, item, text), etag: item.etag }
  }

/** Items of both kinds that are like one. */
const similarTo =
  (kind: Kind): Responder =>
  async (copy, { params }, finder) => {
    const id = params?.id ?? ''
    if (copy.items.get(id)?.kind !== kind) throw missing()
    const ids = await finder.similarTo({ id, limit: SIMILAR_SIZE })
    const found = ids.flatMap((id) => copy.items.get(id) ?? [])
    return { value: { results: found.map((item) => ({ kind: item.kind, ...summaryOf(copy, item) })) } }
  }

const BOTH = ['note', 'urllink'] as const

const RESPONDERS: ReadonlyMap<Endpoint, Responder> = new Map<Endpoint, Responder>([
  [notes.list, listOf('note')],
  [links.list, listOf('urllink')],
  [notes.read, itemOf('note')],
  [links.read, itemOf('urllink')],
  [notes.similar, similarTo('note')],
  [links.similar, similarTo('urllink')],
  [
    latest,
    async (copy, request, finder) => {
      const { view } = queryOf(latest.query, request)
      const wanted = { kinds: BOTH, limit: LATEST_SIZE, summaries: view !== undefined }
      const { items, truncated } = await list(copy, finder, wanted)
      return { value: { notes: items.note, urllinks: items.urllink, ...(truncated && { truncated }) } }
    },
  ],
  [
    search,
    async (copy, request, finder) => {
      const { view, exact, search: text } = queryOf(search.query, request)
      const { items, counts, ...rest } = await list(copy, finder, {
        ...{ kinds: BOTH, search: text, exact: exact !== undefined },
        ...{ limit: SEARCH_SIZE, summaries: view !== undefined },
      })
      const found = { notes: items.note, urllinks: items.urllink }
      return { value: { ...found, notes_count: counts.note, urllinks_count: counts.urllink, ...rest } }
    },
  ],
  [
    links.check,
    async (copy, request) => {
      const { url } = queryOf(links.check.query, request)
      const same = linksTo(copy, url).slice(0, 1 + SAME_SIZE)
      const [found = null, ...similar] = same.map((item) => summaryOf(copy, item))
      return { value: { found, similar } }
    },
  ],
  [
    tags.list,
    async (copy, request) => {
      const { search: text = '', limit } = queryOf(tags.list.query, request)
      const part = fold(text)
      const all = allTags(copy)
      const found = part === '' ? all : all.filter(({ name }) => fold(name).includes(part))
      return { value: found.slice(0, limit) }
    },
  ],
  [tags.read, async (copy, { params }) => ({ value: tagOf(copy, params?.id) })],
  [
    tags.items,
    async (copy, request, finder) => {
      const { id: tag } = tagOf(copy, request.params?.id)
      const { view } = queryOf(tags.items.query, request)
      const wanted = { kinds: BOTH, tag, limit: TAG_ITEMS_SIZE, summaries: view !== undefined }
      const { items, truncated } = await list(copy, finder, wanted)
      return { value: { notes: items.note, urllinks: items.urllink, ...(truncated && { truncated }) } }
    },
  ],
])

/** Whether the copy can serve the call. */
export const isServedFromCopy = (endpoint: Endpoint): boolean => RESPONDERS.has(endpoint)

/** The response of the server to a call, as far as the copy knows. Fails with {@link CallFailure} as the server would. */
export async function responseFromCopy(
  copy: Copy,
  endpoint: Endpoint,
  request: CallRequest,
  finder: Finder,
): Promise<CopyResponse | undefined> {
  return RESPONDERS.get(endpoint)?.(copy, request, finder)
}

import type { ChangesPage } from '@kopilka/contract/changes.ts'
import { CHANGES_SIZE, MAX_CHANGES } from '@kopilka/contract/limits.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { etagOf } from '../items/etag.ts'
import { linkMapping, noteMapping } from '../items/item.ts'
import { wholesOf, withBodies } from '../items/queries.ts'
import { readTags } from '../tags/lines.ts'
import type { DeletedTag, GivenTag, RetaggedItems, TakenTag } from '../tags/tag-changes.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'
import { type Copying, type Cursor, fingerprintOf, readCursor, writeCursor } from './cursor.ts'
import {
  type ChangeRow,
  changesAfter,
  headOf,
  itemSizes,
  itemsBefore,
  shortItems,
  TAG_BYTES,
  tagCounts,
  tagsAfter,
  tagsAmong,
} from './rows.ts'

/** Bytes of a page; one item may have more. */
const PAGE_BYTES = 1_000_000

/** Bytes of an item whose texts are left out, besides its tags. */
const SHORT_BYTES = 200

/** Items without texts that are read in one iteration of the event loop. */
const SHORT_AT_ONCE = 100

/** Sorts after all ids. */
const BEHIND_ALL = 'g'

type Lists = Omit<ChangesPage, 'next' | 'has_more'>

const NOTHING: Lists = {
  ...{ notes: [], urllinks: [], changed: [], tags: [] },
  ...{ deleted_items: [], deleted_tags: [] },
}

interface Page {
  readonly lists: Lists
  /** The last change of which the page has what it concerns; absent in a copy. */
  readonly since?: number
  /** Where the copy goes on. */
  readonly copying?: Copying | undefined
  readonly has_more: boolean
}

/** How many of the sizes fit into a page, one at least. */
function countFitting(sizes: readonly number[]): number {
  let total = 0
  const end = sizes.findIndex((bytes, at) => {
    total += bytes
    return at > 0 && total > PAGE_BYTES
  })
  return end < 0 ? sizes.length : end
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>

/**
 * The items and tags of an owner, then what has changed of them. A page has the present state of what its changes concern, so it
 * may be newer than they are; a later page then brings the same once more.
 */
export function createChangeFeed(db: Db) {
  async function head(owner_id: string, seen: number) {
    const [row] = await headOf(db, { owner_id, seen })
    const { entity_id = null, at = null } = row ?? {}
    return {
      last: Number(row?.last_seq ?? 0),
      forgotten: Number(row?.forgotten_seq ?? 0),
      fingerprint: fingerprintOf({ entity_id, at: at === null ? null : Number(at) }),
    }
  }

  /** Whole items in the order of the ids; undefined where they have grown since their sizes were read. */
  async function wholes(
    owner_id: string,
    ids: readonly string[],
  ): Promise<Pick<Lists, 'notes' | 'urllinks'> | undefined> {
    const byId = new Map((await wholesOf(db, { owner_id, ids })).map((row) => [row.id, row]))
    const inOrder = ids.flatMap((id) => byId.get(id) ?? [])
    const { rows, truncated } = await withBodies(db, owner_id, inOrder)
    if (truncated) return undefined
    const notes = rows.filter(({ kind }) => kind === 'note')
    const links = rows.filter(({ kind }) => kind === 'link')
    const etag = ({ revision }: { revision: number }) => etagOf(Number(revision))
    return {
      notes: notes.map((row) => ({ ...noteMapping.toWhole(row), etag: etag(row) })),
      urllinks: links.map((row) => ({ ...linkMapping.toWhole(row), etag: etag(row) })),
    }
  }

  /** Items without their texts. */
  async function shorts(owner_id: string, ids: readonly string[]): Promise<Lists['changed']> {
    const rows = await inParts(ids, SHORT_AT_ONCE, (some) => shortItems(db, { owner_id, ids: some }))
    return rows.flat().map(({ id, revision, updated_at, pinned, tags }) => ({
      ...{ id, etag: etagOf(Number(revision)), updated_at: new Date(Number(updated_at)).toISOString() },
      ...{ pinned: pinned === 1, tags: readTags(tags) },
    }))
  }

  /** The next page of a first copy. */
  async function copy(owner_id: string, { part, after }: Copying, limit: number): Promise<Page> {
    const tags = part === 'tags' ? await tagsAfter(db, { owner_id, after, limit }) : []
    const room = limit - tags.length
    if (room === 0) {
      const copying: Copying = { part: 'tags', after: tags.at(-1)?.id ?? '' }
      return { lists: { ...NOTHING, tags }, copying, has_more: true }
    }
    const before = part === 'tags' || after === '' ? BEHIND_ALL : after
    const found = await itemsBefore(db, { owner_id, before, limit: room })
    const ids = found.slice(0, countFitting(found.map(({ bytes }) => Number(bytes)))).map(({ id }) => id)
    const items = await wholes(owner_id, ids)
    if (!items) return copy(owner_id, { part, after }, Math.ceil(limit / 2))
    const isDone = ids.length === found.length && found.length < room
    const copying: Copying | undefined = isDone ? undefined : { part: 'items', after: ids.at(-1) ?? '' }
    return { lists: { ...NOTHING, ...items, tags }, copying, has_more: true }
  }

  /** The first of these changes that fit into a page. */
  async function fittingOf(owner_id: string, rows: readonly ChangeRow[]): Promise<readonly ChangeRow[]> {
    const ids = idsOf(rows.filter(({ kind }) => kind !== 'tag'))
    const sizes = new Map(
      (await itemSizes(db, { owner_id, ids: [...ids] })).map(({ id, bytes }) => [id, Number(bytes)]),
    )
    const fitting = (tags: ReadonlyMap<string, number>) => {
      const short = (id: string) => SHORT_BYTES + TAG_BYTES * (tags.get(id) ?? 0)
      const counted = new Set<string>()
      const bytes = rows.map((row) => {
        if (row.kind === 'tag') return itemsOf(row).reduce((sum, id) => sum + short(id), SHORT_BYTES)
        if (row.is_short === 1 || counted.has(row.entity_id)) return short(row.entity_id)
        counted.add(row.entity_id)
        return sizes.get(row.entity_id) ?? SHORT_BYTES
      })
      return rows.slice(0, countFitting(bytes))
    }
    // The tags are counted of no more items than a page may have.
    const named = new Set(
      fitting(new Map()).flatMap((row) => (row.kind === 'tag' ? itemsOf(row) : row.entity_id)),
    )
    const counts = await inParts([...named], SHORT_AT_ONCE, (some) => tagCounts(db, { owner_id, ids: some }))
    return fitting(new Map(counts.flat().map(({ item_id, count }) => [item_id, Number(count)])))
  }

  /** The page of the changes after one. */
  async function follow(owner_id: string, since: number, limit: number): Promise<Page> {
    const rows: ChangeRow[] = await changesAfter(db, { owner_id, since, limit })
    if (rows.length === 0) return { lists: NOTHING, since, has_more: false }
    const page = await fittingOf(owner_id, rows)
    const ofTags = page.filter(({ kind }) => kind === 'tag')
    const ofItems = page.filter(({ kind }) => kind !== 'tag')
    const touched = idsOf(ofTags)
    const whole = idsOf(ofItems.filter((row) => row.is_short === 0))
    // Read before the items: those of a tag that is gone need not be named.
    const tags = await tagsAmong(db, { owner_id, ids: [...touched] })
    const named = new Set(tags.map(({ id }) => id))
    const retagged = new Set(
      ofTags.flatMap((row) => (named.has(row.entity_id) || isRetagging(row) ? itemsOf(row) : [])),
    )
    const items = await wholes(owner_id, [...whole])
    if (!items) return follow(owner_id, since, Math.ceil(limit / 2))
    const short = [...idsOf(ofItems.filter((row) => row.is_short === 1)), ...retagged]
    const changed = await shorts(owner_id, [...new Set(without(whole, short))])
    const present = new Set([...items.notes, ...items.urllinks, ...changed].map(({ id }) => id))
    const lists: Lists = {
      ...{ ...items, changed, tags },
      deleted_items: without(present, idsOf(ofItems)),
      deleted_tags: without(named, touched),
    }
    const has_more = page.length < rows.length || rows.length === limit
    return { lists, since: Number(page.at(-1)?.seq), has_more }
  }

  return {
    /** The page after a cursor; without one the first of all. Throws 'changesGone'. */
    async page(owner_id: string, text: string | undefined, size = CHANGES_SIZE): Promise<ChangesPage> {
      const limit = Math.min(size, MAX_CHANGES)
      const cursor = text === undefined ? await begin(owner_id) : readCursor(text)
      const { since, seen } = cursor
      const page = cursor.copying
        ? await copy(owner_id, cursor.copying, limit)
        : await follow(owner_id, since, limit)
      // After the page was read: what was purged meanwhile may be missing in it.
      const { last, forgotten, fingerprint } = await head(owner_id, seen)
      const isKnown = seen <= last && since <= seen && fingerprint === cursor.fingerprint
      if (!isKnown || since < forgotten) throw new AppError('changesGone')
      // All that was read is older than this change.
      const now =
        seen === last ? cursor : { seen: last, fingerprint: (await head(owner_id, last)).fingerprint }
      const { lists, copying, has_more } = page
      const next = { since: page.since ?? since, seen: now.seen, fingerprint: now.fingerprint, copying }
      return { ...lists, next: writeCursor(next), has_more }
    },
  }

  async function begin(owner_id: string): Promise<Cursor> {
    const { last } = await head(owner_id, 0)
    const { fingerprint } = await head(owner_id, last)
    return { since: last, seen: last, fingerprint, copying: { part: 'tags', after: '' } }
  }
}

const idsOf = (rows: readonly ChangeRow[]): Set<string> => new Set(rows.map(({ entity_id }) => entity_id))

const without = (left: ReadonlySet<string>, ids: Iterable<string>): string[] =>
  [...ids].filter((id) => !left.has(id))

type TagChange = Partial<DeletedTag & GivenTag & TakenTag & RetaggedItems>

const parsed = new WeakMap<ChangeRow, TagChange>()

/** What a change of a tag says, which is parsed once. */
function tagChangeOf(row: ChangeRow): TagChange {
  const { kind, before } = row
  const known = parsed.get(row)
  if (known) return known
  const change: TagChange = kind === 'tag' && before !== null ? JSON.parse(before) : {}
  parsed.set(row, change)
  return change
}

/** The items that a change of a tag gave it to, or took it from. */
function itemsOf(row: ChangeRow): readonly string[] {
  const { items, given, taken, retagged } = tagChangeOf(row)
  return items ?? given ?? taken ?? retagged ?? []
}

/** Whether a change of a tag names items that may have got, or lost, another one. */
const isRetagging = (row: ChangeRow): boolean => tagChangeOf(row).retagged !== undefined

import { VERSION_DAYS } from '@kopilka/contract/limits.ts'
import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import type { ItemBefore } from '../items/item-changes.ts'
import { readTags } from '../tags/lines.ts'
import {
  bodyOf,
  changedBodyOf,
  itemsAfter,
  tagsAfter,
  trashAfter,
  versionsAfter,
  withVersions,
} from './rows.ts'

/** An item as every format gets it. Times are milliseconds since 1970. */
export interface ExportedItem {
  readonly kind: ItemKind
  readonly title: string
  readonly url: string | null
  readonly body: string
  /** Names in the order of their code units, which is the same everywhere. */
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
  /** Set where the item lies in the trash. */
  readonly deleted_at: number | undefined
}

/** An earlier version of the item before it. `replaced_at`: when the save that followed it was made. */
export interface ExportedVersion extends Pick<ExportedItem, 'title' | 'url' | 'body' | 'tags' | 'revision'> {
  readonly saved_at: number
  readonly replaced_at: number
}

export type ExportRecord =
  | { readonly type: 'tag'; readonly name: string }
  | { readonly type: 'item'; readonly item: ExportedItem }
  | { readonly type: 'version'; readonly kind: ItemKind; readonly version: ExportedVersion }

/** What is exported. */
export interface ExportFilter {
  readonly owner_id: string
  readonly kinds: readonly ItemKind[]
  readonly tag_id?: string | undefined
  readonly untagged: boolean
  /** Set where only these items are, or only these of the trash. */
  readonly ids?: readonly string[] | undefined
  /** Whether tags are exported by themselves, so also those without items. */
  readonly tags: boolean
  readonly trash: boolean
  readonly versions: boolean
  /** The time of the export. */
  readonly now: number
}

/** First the tags by their names, then the items by their ids, each with its versions, then those of the trash. */
export const PHASES = ['tags', 'items', 'trash'] as const
export type Phase = (typeof PHASES)[number]

/** The place after a record. */
export interface Place {
  readonly phase: Phase
  /** Key of the last record: a tag's name in lower case, or an item's id. */
  readonly after: string
  /** Set where versions of the item `after` follow: the number in the journal of the last one that was exported. */
  readonly seq?: number | undefined
}

/** Rows that are read at once. */
const ROWS = 100

const KEPT_FOR = VERSION_DAYS * 24 * 60 * 60_000

const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

interface Placed {
  readonly record: ExportRecord
  readonly next: Place
}

/** The records of a phase after a place. */
export async function* recordsAfter(db: Db, filter: ExportFilter, place: Place): AsyncGenerator<Placed> {
  const { phase, after } = place
  if (phase !== 'tags') {
    if (phase === 'items' || filter.trash) yield* itemRecords(db, filter, { ...place, phase })
  } else if (filter.tags) yield* tagRecords(db, filter, after)
}

async function* tagRecords(db: Db, { owner_id }: ExportFilter, from: string): AsyncGenerator<Placed> {
  for (let after = from; ; ) {
    const rows = await tagsAfter(db, { owner_id, after, limit: ROWS })
    for (const { name, name_key } of rows) {
      after = name_key
      yield { record: { type: 'tag', name }, next: { phase: 'tags', after } }
    }
    if (rows.length < ROWS) return
  }
}

type ItemPlace = Place & { readonly phase: 'items' | 'trash' }

/** An item, and what it takes to read its text where that is long. */
interface Row extends Omit<ExportedItem, 'body'> {
  readonly id: string
  readonly body: string | null
  readonly seq?: number
}

async function* itemRecords(db: Db, filter: ExportFilter, place: ItemPlace): AsyncGenerator<Placed> {
  const { owner_id, now } = filter
  const { phase } = place
  if (place.seq !== undefined) yield* versionRecords(db, filter, place.after, { ...place, seq: place.seq })
  for (let { after } = place; ; ) {
    const { rows, last } = await (phase === 'items' ? itemRows : trashRows)(db, filter, after)
    const ids = rows.map(({ id }) => id)
    const found =
      filter.versions && ids.length > 0
        ? await withVersions(db, { owner_id, ids, since: now - KEPT_FOR })
        : []
    const changed = new Set(found.map(({ id }) => id))
    for (const { id, body, seq, ...item } of rows) {
      const long = async () =>
        seq === undefined ? bodyOf(db, { owner_id, id }) : changedBodyOf(db, { owner_id, seq })
      const whole = { ...item, body: body ?? (await long())[0]?.body ?? '' }
      const next = { phase, after: id, ...(changed.has(id) && { seq: 0 }) }
      yield { record: { type: 'item', item: whole }, next }
      if (changed.has(id)) yield* versionRecords(db, filter, id, { phase, after: id, seq: 0 })
    }
    if (last === undefined) return
    after = last
  }
}

interface Rows {
  readonly rows: readonly Row[]
  /** The key after which there may be more. */
  readonly last: string | undefined
}

const lastOf = (rows: readonly { id: string }[]): string | undefined =>
  rows.length === ROWS ? rows.at(-1)?.id : undefined

async function itemRows(db: Db, filter: ExportFilter, after: string): Promise<Rows> {
  const { owner_id, kinds, tag_id = '', untagged, ids = null } = filter
  const shape = ids ? 'named' : tag_id !== '' ? 'tagged' : untagged ? 'untagged' : 'all'
  if (kinds.length === 0 || (tag_id !== '' && untagged)) return { rows: [], last: undefined }
  const without = ITEM_KINDS.find((kind) => !kinds.includes(kind)) ?? ''
  const rows = await itemsAfter[shape](db, { owner_id, after, limit: ROWS, without, tag_id, ids })
  return {
    last: lastOf(rows),
    rows: rows.map(({ tags, pinned, ...row }) => ({
      ...row,
      tags: namesOf(readTags(tags)),
      pinned: pinned === 1,
      deleted_at: undefined,
    })),
  }
}

const namesOf = (tags: readonly { name: string }[]): string[] =>
  tags.map(({ name }) => name).sort(byCodeUnits)

async function trashRows(db: Db, filter: ExportFilter, after: string): Promise<Rows> {
  const { owner_id, kinds, tag_id, untagged, ids = null } = filter
  const rows = await trashAfter[ids ? 'named' : 'all'](db, { owner_id, after, limit: ROWS, ids })
  const kept = rows.flatMap(({ id, kind, before, ...row }) => {
    // Written by items/item-changes.ts.
    const { tags, ...item }: ItemBefore = JSON.parse(before ?? '{}')
    const fits =
      kind !== 'tag' &&
      kinds.includes(kind) &&
      (tag_id === undefined || tags.some((tag) => tag.id === tag_id)) &&
      (!untagged || tags.length === 0)
    if (!fits) return []
    const { title, url, revision, created_at, updated_at } = item
    const pinned = item.pinned === 1
    return [{ id, kind, title, url, revision, created_at, updated_at, pinned, ...row, tags: namesOf(tags) }]
  })
  return { rows: kept, last: lastOf(rows) }
}

async function* versionRecords(
  db: Db,
  { owner_id, now }: ExportFilter,
  id: string,
  { phase, after, seq: from }: ItemPlace & { seq: number },
): AsyncGenerator<Placed> {
  for (let seq = from; ; ) {
    const rows = await versionsAfter(db, { owner_id, id, seq, since: now - KEPT_FOR, limit: ROWS })
    for (const row of rows) {
      seq = row.seq
      const body = row.body ?? (await changedBodyOf(db, { owner_id, seq }))[0]?.body ?? ''
      // Written by items/item-changes.ts.
      const { title, url, revision, updated_at, tags }: ItemBefore = JSON.parse(row.before ?? '{}')
      const version = {
        ...{ title, url, body, revision, tags: namesOf(tags) },
        ...{ saved_at: updated_at, replaced_at: row.at },
      }
      const kind = row.kind === 'link' ? 'link' : 'note'
      yield { record: { type: 'version', kind, version }, next: { phase, after, seq } }
    }
    if (rows.length < ROWS) return
  }
}

import { VERSION_DAYS } from '@kopilka/contract/limits.ts'
import type { Db, ItemKind } from '../db/schema.ts'
import type { ItemBefore } from '../items/item-changes.ts'
import { readTags } from '../tags/lines.ts'
import {
  bodyOf,
  changedBodyOf,
  itemsAfter,
  itemsAmong,
  tagsAfter,
  trashAfter,
  trashAmong,
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
  /** Whether items are named by their ids: then these are the next ones, at most some hundreds. */
  readonly isNamed: boolean
  readonly ids?: readonly string[] | undefined
  /** Whether tags are exported by themselves, so also those without items. */
  readonly tags: boolean
  readonly trash: boolean
  readonly versions: boolean
  /** The time of the export. */
  readonly now: number
}

/** The order of an export. `named` and `namedTrash` stand for those between and after them where a filter names ids. */
export const PHASES = [
  ...(['tags', 'named', 'notes', 'pinnedNotes', 'links', 'pinnedLinks'] as const),
  ...(['namedTrash', 'trash'] as const),
] as const
type Phase = (typeof PHASES)[number]

const GROUPS = {
  notes: ['note', 0],
  pinnedNotes: ['note', 1],
  links: ['link', 0],
  pinnedLinks: ['link', 1],
} as const

/** The key of a record in its phase: a tag's or an id; a time, and an id or a number of the journal. */
type Key = readonly [string] | readonly [number, string | number]

/** The place after a record. */
export interface Place {
  readonly phase: Phase
  /** Absent at the beginning of a phase. */
  readonly after?: Key
  /** Set where versions of the last item follow: its id, and the number in the journal of the last one that is exported. */
  readonly versions?: { readonly id: string; readonly seq: number } | undefined
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
  const { phase } = place
  if (phase !== 'tags') yield* itemRecords(db, filter, place, rowsOf(db, filter, phase))
  else if (filter.tags) yield* tagRecords(db, filter, String(place.after?.[0] ?? ''))
}

async function* tagRecords(db: Db, { owner_id }: ExportFilter, from: string): AsyncGenerator<Placed> {
  for (let after = from; ; ) {
    const rows = await tagsAfter(db, { owner_id, after, limit: ROWS })
    for (const { name, name_key } of rows) {
      after = name_key
      yield { record: { type: 'tag', name }, next: { phase: 'tags', after: [after] } }
    }
    if (rows.length < ROWS) return
  }
}

/** An item, and what it takes to read its text where that is long. */
interface Row extends Omit<ExportedItem, 'body'> {
  readonly id: string
  readonly key: Key
  readonly body: string | null
  readonly seq?: number
}

/** Rows of a phase after a key; `last`: the key after which there are more. */
type ReadRows = (after: Key | undefined) => Promise<{ rows: readonly Row[]; last: Key | undefined }>

async function* itemRecords(
  db: Db,
  filter: ExportFilter,
  place: Place,
  read: ReadRows,
): AsyncGenerator<Placed> {
  const { owner_id, now } = filter
  if (place.versions) yield* versionRecords(db, filter, { ...place, versions: place.versions })
  for (let { after } = place; ; ) {
    const { rows, last } = await read(after)
    const ids = rows.map(({ id }) => id)
    const isWanted = filter.versions && ids.length > 0
    const found = isWanted ? await withVersions(db, { owner_id, ids, since: now - KEPT_FOR }) : []
    const changed = new Set(found.map(({ id }) => id))
    for (const { id, key, body, seq, ...item } of rows) {
      const long = async () =>
        seq === undefined ? bodyOf(db, { owner_id, id }) : changedBodyOf(db, { owner_id, seq })
      const whole = { ...item, body: body ?? (await long())[0]?.body ?? '' }
      const versions = changed.has(id) ? { id, seq: 0 } : undefined
      const next = { phase: place.phase, after: key, versions }
      yield { record: { type: 'item', item: whole }, next }
      if (versions) yield* versionRecords(db, filter, { ...next, versions })
    }
    if (last === undefined) return
    after = last
  }
}

/** Before any time, and any id. */
const FIRST = [-9e15, ''] as const

const NOTHING = async () => ({ rows: [], last: undefined })

function rowsOf(db: Db, filter: ExportFilter, phase: Exclude<Phase, 'tags'>): ReadRows {
  const { owner_id, kinds, tag_id = '', untagged, ids, isNamed, trash } = filter
  const isOne = phase === 'named' || phase === 'namedTrash'
  const isTrash = phase === 'namedTrash' || phase === 'trash'
  if (isOne !== isNamed || (isTrash && !trash) || (tag_id !== '' && untagged)) return NOTHING
  if (phase === 'named')
    return async (after) => {
      const rows = await itemsAmong(db, { owner_id, ids: idsAfter(ids, after) })
      return { rows: rows.map((row) => itemOf(row, [row.id])), last: undefined }
    }
  if (phase === 'namedTrash')
    return async (after) => {
      const rows = await trashAmong(db, { owner_id, ids: idsAfter(ids, after) })
      return { rows: rows.flatMap((row) => trashedOf(row, [row.id], filter)), last: undefined }
    }
  if (phase === 'trash')
    return async (after = FIRST) => {
      const [deleted_at, seq] = [Number(after[0]), Number(after[1])]
      const rows = await trashAfter(db, { owner_id, deleted_at, seq, limit: ROWS })
      const keyOf = (row: (typeof rows)[number]): Key => [row.deleted_at, row.seq]
      return { rows: rows.flatMap((row) => trashedOf(row, keyOf(row), filter)), last: lastOf(rows, keyOf) }
    }
  const [kind, pinned] = GROUPS[phase]
  if (!kinds.includes(kind)) return NOTHING
  const shape = tag_id !== '' ? 'tagged' : untagged ? 'untagged' : 'all'
  return async (after = FIRST) => {
    const [created_at, id] = [Number(after[0]), String(after[1])]
    const asked = { owner_id, kind, pinned, created_at, id, tag_id, limit: ROWS }
    const rows = await itemsAfter[shape](db, asked)
    const keyOf = (row: (typeof rows)[number]): Key => [row.created_at, row.id]
    return { rows: rows.map((row) => itemOf(row, keyOf(row))), last: lastOf(rows, keyOf) }
  }
}

function lastOf<R>(rows: readonly R[], keyOf: (row: R) => Key): Key | undefined {
  const last = rows.at(-1)
  return last && rows.length === ROWS ? keyOf(last) : undefined
}

const idsAfter = (ids: readonly string[] = [], after: Key = ['']): readonly string[] =>
  ids.filter((id) => id > String(after[0]))

const namesOf = (tags: readonly { name: string }[]): string[] =>
  tags.map(({ name }) => name).sort(byCodeUnits)

type StoredItem = Awaited<ReturnType<typeof itemsAmong>>[number]

const itemOf = ({ tags, pinned, ...row }: StoredItem, key: Key): Row => ({
  ...row,
  key,
  tags: namesOf(readTags(tags)),
  pinned: pinned === 1,
  deleted_at: undefined,
})

/** An item of the trash, where the filter holds for it. */
function trashedOf(
  { id, kind, before, ...row }: Awaited<ReturnType<typeof trashAmong>>[number],
  key: Key,
  { kinds, tag_id, untagged }: ExportFilter,
): Row[] {
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
  const own = { id, key, kind, title, url, revision, created_at, updated_at, pinned }
  return [{ ...own, ...row, tags: namesOf(tags) }]
}

async function* versionRecords(
  db: Db,
  { owner_id, now }: ExportFilter,
  { versions: { id, seq: from }, ...place }: Place & { versions: NonNullable<Place['versions']> },
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
      yield { record: { type: 'version', kind, version }, next: { ...place, versions: { id, seq } } }
    }
    if (rows.length < ROWS) return
  }
}

import { tagNameKey } from '@kopilka/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

interface Lookup<Wanted> {
  owner_id: string
  wanted: readonly Wanted[]
}

interface Key {
  identity_key: string
}

/**
 * The first item of each key, from the index of keys. One look-up of each: a group would read all copies, of which a file may
 * bring as many as it has entries.
 */
const firstItems = statement(
  (_, value: Value<Lookup<Key>>) => sql<Key & { id: string | null }>`select wanted.identity_key,
      (select id from "items" where owner_id = ${value('owner_id')} and identity_key = wanted.identity_key
        order by kind, id limit 1) as id
    from ${value.rows('wanted', 'wanted', ['identity_key'])}`,
)

/** Those of the items that the operation has created. */
const createdIn = statement(
  (db, value: Value<{ owner_id: string; ids: readonly string[]; operation_id: string }>) =>
    db
      .selectFrom('changes')
      .select('entity_id as id')
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('entity_id', 'ids'))
      .where('operation_id', '=', value('operation_id'))
      // What it has merged into an item keeps an earlier version.
      .where('version', 'is', null),
)

/** What of an import says which items its entries are compared with. */
export interface Compared {
  owner_id: string
  format: string | null
  /** Null before it is run. */
  operation_id: string | null
}

export const isOwnArchive = ({ format }: Pick<Compared, 'format'>): boolean => format === 'kopilka'

/**
 * Whether an entry is compared with others of its file: links are, as browsers keep one page in several folders. Equal notes are
 * copies that somebody kept, and so is all that an archive of Копилка has.
 */
export const isComparedInFile = (found: Pick<Compared, 'format'>, { url }: { url: string | null }): boolean =>
  url !== null && !isOwnArchive(found)

/** An item that an entry repeats. `isOfFile`: the import itself has created it, from an entry before. */
export interface ExistingItem {
  readonly id: string
  readonly isOfFile: boolean
}

/** The entries of an import that are looked for. */
type Sought = Key & { url: string | null }

/**
 * The items that entries repeat, and are merged into, by their keys. Not those that the import has created from entries that are not
 * compared with others of the file: the first item of a key says whether it has, as it adds all entries of a key or none.
 */
export async function findExistingItems(
  db: Db,
  found: Compared,
  entries: readonly (Omit<Sought, 'identity_key'> & { identity_key: string | null })[],
): Promise<Map<string, ExistingItem>> {
  const { owner_id, operation_id } = found
  const sought = new Map(
    entries.flatMap(({ identity_key, url }): [string, Sought][] =>
      identity_key === null ? [] : [[identity_key, { identity_key, url }]],
    ),
  )
  const wanted = [...sought.keys()].map((identity_key) => ({ identity_key }))
  const items = wanted.length === 0 ? [] : await firstItems(db, { owner_id, wanted })
  const ids = items.flatMap(({ id }) => id ?? [])
  const created = new Set(
    operation_id !== null && ids.length > 0
      ? (await createdIn(db, { owner_id, ids, operation_id })).map(({ id }) => id)
      : [],
  )
  return new Map(
    items.flatMap(({ identity_key, id }): [string, ExistingItem][] => {
      if (id === null) return []
      const isOfFile = created.has(id)
      const entry = sought.get(identity_key)
      return isOfFile && entry && !isComparedInFile(found, entry) ? [] : [[identity_key, { id, isOfFile }]]
    }),
  )
}

/** Copies of a page or note that {@link findCopies} takes at one look. */
const COPIES = 50
/** Tags of an entry that it compares, and those at which it looks for copies: the ones that the fewest items have. */
const [COMPARED_TAGS, SEARCHED_TAGS] = [5, 2]

/** What is wanted of a copy. */
interface Copy extends Key {
  kind: ItemKind
  url: string | null
  title: string
  excerpt: string
  created_at: number | undefined
  pinned: number
  /** Ids of the {@link COMPARED_TAGS}, the one that the fewest items have first; a statement has them in one text. */
  tags: readonly string[]
  seq: number
}

/** A copy, and where to look for it: from an id on, or at a tag. */
type CopySearch = Copy & { from?: string; tag?: string }

/** An entry that is ready to be saved. */
interface Entry {
  readonly seq: number
  readonly kind: ItemKind
  readonly createdAt: number | undefined
  readonly deletedAt: number | undefined
  readonly item: {
    readonly pinned?: boolean | undefined
    readonly tags: readonly string[] | undefined
    readonly saved: Pick<Copy, 'url' | 'title' | 'excerpt'> & { readonly identity_key: string | null }
  }
}

const equals = (column: string) =>
  sql`case when copies.${sql.ref(column)} = wanted.${sql.ref(column)} then 1 else 0 end`

/** Points of an address, a title, a text or a date: more than all that a pin and tags give. */
const WEIGHT = COMPARED_TAGS + 2

interface Found {
  seq: number
  /** The points of the nearest copy, and its id. */
  nearest: string | null
  is_more: 1 | null
}

/**
 * Of copies of each key the one that has most in common with what is wanted, so that this adds nothing to its own one. Pins and
 * tags decide only between copies that are equally near in the rest: people change them most, and an item has many tags.
 * `is_more`: the key has more than one look takes.
 */
const nearestOf = (copies: (value: Value<Lookup<CopySearch>>) => RawBuilder<unknown>) =>
  statement(
    (_, value: Value<Lookup<CopySearch>>) => sql<Found>`select cast(wanted.seq as bigint) as seq,
      (select points || ' ' || id from (
          select copies.kind, copies.id,
            ${sql.lit(WEIGHT)} * (${equals('url')} + ${equals('title')} + ${equals('excerpt')}
              + case when copies.created_at = cast(wanted.created_at as bigint) then 1 else 0 end)
            + case when copies.pinned = cast(wanted.pinned as integer) then 1 else 0 end
            + (select count(*) from item_tags where owner_id = ${value('owner_id')} and item_id = copies.id
              and wanted.tags like '%' || tag_id || '%') as points
          from ${copies(value)} limit ${sql.lit(COPIES)}
        ) as looked_at
        order by points desc, kind, id limit 1) as nearest,
      (select 1 from "items" where owner_id = ${value('owner_id')} and identity_key = wanted.identity_key
        limit 1 offset ${sql.lit(COPIES)}) as is_more
    from ${value.rows('wanted', 'wanted', [
      ...['seq', 'identity_key', 'kind', 'url', 'title', 'excerpt', 'created_at', 'pinned', 'tags'],
      ...['from', 'tag'],
    ])}`,
  )

const nearestFirst = nearestOf(
  (value) =>
    sql`"items" as copies where copies.owner_id = ${value('owner_id')}
      and copies.identity_key = wanted.identity_key order by copies.kind, copies.id`,
)
const nearestDated = nearestOf(
  (value) =>
    sql`"items" as copies where copies.owner_id = ${value('owner_id')}
      and copies.identity_key = wanted.identity_key and copies.kind = wanted.kind and copies.id >= wanted."from"
      order by copies.kind, copies.id`,
)
/** By the ids that the tag has, not by the index of keys, which would read all copies: SQLite keeps the order of a cross join. */
const nearestTagged = nearestOf(
  (value) =>
    sql`(select item_id from item_tags where owner_id = ${value('owner_id')} and tag_id = wanted.tag
        and kind = wanted.kind order by item_id limit ${sql.lit(COPIES)}) as given
      cross join "items" as copies
      where copies.owner_id = ${value('owner_id')} and copies.id = given.item_id
        and copies.identity_key || '' = wanted.identity_key`,
)

/** What the ids of items begin with that were created at a time, or imported as such. */
const idsAt = (time: number): string =>
  time
    .toString(16)
    .padStart(12, '0')
    .replace(/(?=.{4}$)/, '-')

/**
 * Looks at the copies of a key, each at so many, as there may be as many as a file has entries: at the first, at those since the same
 * date, at those that have one of its rarest tags.
 */
const SEARCHES: readonly [typeof nearestFirst, (copy: Copy) => readonly CopySearch[]][] = [
  [nearestFirst, (copy) => [copy]],
  [
    nearestDated,
    (copy) => (copy.created_at === undefined ? [] : [{ ...copy, from: idsAt(copy.created_at) }]),
  ],
  [nearestTagged, (copy) => copy.tags.slice(0, SEARCHED_TAGS).map((tag) => ({ ...copy, tag }))],
]

/** Whether no other copy can be nearer than the one that was found: all were looked at, or it lacks nothing. */
const isSettled = (
  { url, created_at, tags }: Copy,
  found: { points: number; isOfAll: boolean } | undefined,
): boolean =>
  found !== undefined &&
  (found.isOfAll ||
    found.points === WEIGHT * (2 + Number(url !== null) + Number(created_at !== undefined)) + 1 + tags.length)

/** The tag that the fewest items have comes first. */
const tagsByKeys = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name_key'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('name_key', 'keys'))
    .orderBy(({ eb, ref }) => eb('notes_count', '+', ref('urllinks_count')))
    .orderBy('id'),
)

/**
 * Which of several kept copies each entry is merged into that is not compared with others of its file, by its number: its own one,
 * where it has been imported before; the nearest of those that were looked at, where that is none of them. `kept`: as of
 * {@link findExistingItems}.
 */
export async function findCopies(
  db: Db,
  found: Compared,
  { rows, kept }: { rows: readonly Entry[]; kept: ReadonlyMap<string, ExistingItem> },
): Promise<Map<number, string>> {
  const { owner_id } = found
  const repeated = rows.filter(
    ({ deletedAt, item: { saved } }) =>
      deletedAt === undefined && kept.has(saved.identity_key ?? '') && !isComparedInFile(found, saved),
  )
  if (repeated.length === 0) return new Map()
  const keys = [...new Set(repeated.flatMap(({ item: { tags = [] } }) => tags.map(tagNameKey)))]
  const tags = keys.length > 0 ? await tagsByKeys(db, { owner_id, keys }) : []
  const rarity = new Map(tags.map(({ id, name_key }, at) => [name_key, { id, at }]))
  const wanted = repeated.map(({ seq, kind, createdAt: created_at, item }): Copy => {
    const { identity_key, url, title, excerpt } = item.saved
    const own = (item.tags ?? []).flatMap((name) => rarity.get(tagNameKey(name)) ?? [])
    const rarest = own.sort((one, other) => one.at - other.at).slice(0, COMPARED_TAGS)
    return {
      ...{ seq, identity_key: identity_key ?? '', kind, url, title, excerpt, created_at },
      pinned: Number(item.pinned ?? false),
      tags: rarest.map(({ id }) => id),
    }
  })
  const nearest = new Map<number, { id: string; points: number; isOfAll: boolean }>()
  for (const [nearestIn, searchesFor] of SEARCHES) {
    const searches = wanted.filter((copy) => !isSettled(copy, nearest.get(copy.seq))).flatMap(searchesFor)
    const found = searches.length > 0 ? await nearestIn(db, { owner_id, wanted: searches }) : []
    for (const one of found) {
      const seq = Number(one.seq)
      const [points, id] = one.nearest?.split(' ') ?? []
      if (id !== undefined && Number(points) > (nearest.get(seq)?.points ?? -1))
        nearest.set(seq, { id, points: Number(points), isOfAll: one.is_more === null })
    }
  }
  return new Map([...nearest].map(([seq, { id }]) => [seq, id]))
}

interface Deletion {
  readonly deletedAt?: number | undefined
  readonly identity_key: string | null
}

interface Trashed extends Key {
  deleted_from: number
  deleted_to: number
}

/** The change that put the first item of each key, and of times, into the trash. */
const firstTrashed = statement(
  (_, value: Value<Lookup<Trashed>>) => sql<Trashed & { seq: number | null }>`
    select wanted.identity_key, wanted.deleted_from, wanted.deleted_to,
      (select seq from "trash" where owner_id = ${value('owner_id')} and identity_key = wanted.identity_key
        and deleted_at >= cast(wanted.deleted_from as bigint) and deleted_at <= cast(wanted.deleted_to as bigint)
        order by deleted_at, item_id limit 1) as seq
    from ${value.rows('wanted', 'wanted', ['identity_key', 'deleted_from', 'deleted_to'])}`,
)

/** Items of a key that were deleted before a time, of which {@link firstCapped} looks at the last. */
const CAPPED = 20

/** The change that put an item of each key into the trash at the time of its import, as the file says a later one. */
const firstCapped = statement(
  (_, value: Value<Lookup<Trashed>>) => sql<Trashed & { seq: number | null }>`
    select wanted.identity_key, wanted.deleted_from, wanted.deleted_to,
      (select earlier.seq from (
          select seq from "trash" where owner_id = ${value('owner_id')} and identity_key = wanted.identity_key
            and deleted_at < cast(wanted.deleted_to as bigint)
          order by deleted_at desc, item_id desc limit ${sql.lit(CAPPED)}
        ) as earlier
        join changes on changes.owner_id = ${value('owner_id')} and changes.seq = earlier.seq
        where changes.before like '%"deleted_at_in_file":' || wanted.deleted_to || '}' limit 1) as seq
    from ${value.rows('wanted', 'wanted', ['identity_key', 'deleted_from', 'deleted_to'])}`,
)

/** Those of the changes that the operation has made. */
const madeIn = statement(
  (db, value: Value<{ owner_id: string; seqs: readonly number[]; operation_id: string }>) =>
    db
      .selectFrom('changes')
      .select('seq')
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('seq', 'seqs', 'bigint'))
      .where('operation_id', '=', value('operation_id')),
)

const keyOf = ({ identity_key, deleted_to }: Trashed): string => `${deleted_to} ${identity_key}`

/**
 * Tells of deleted entries whether the trash had them before the import: the same texts, deleted at the same time, or said to be
 * when they were imported before that time. As long as that has not come the texts alone decide.
 */
export async function trashedBefore(
  db: Db,
  { owner_id, operation_id }: Pick<Compared, 'owner_id' | 'operation_id'>,
  entries: readonly Deletion[],
  now: number,
): Promise<(entry: Deletion) => boolean> {
  const wantedOf = ({ deletedAt, identity_key }: Deletion): Trashed | undefined => {
    if (deletedAt === undefined || identity_key === null) return undefined
    return deletedAt < now
      ? { identity_key, deleted_from: deletedAt, deleted_to: deletedAt }
      : { identity_key, deleted_from: 0, deleted_to: Number.MAX_SAFE_INTEGER }
  }
  const wanted = new Map(
    entries.flatMap((entry) => {
      const one = wantedOf(entry)
      return one ? [[keyOf(one), one] as const] : []
    }),
  )
  if (wanted.size === 0) return () => false
  const exact = await firstTrashed(db, { owner_id, wanted: [...wanted.values()] })
  const missing = exact.filter(({ seq, deleted_to }) => seq === null && Number(deleted_to) < now)
  const capped = missing.length > 0 ? await firstCapped(db, { owner_id, wanted: missing }) : []
  const found = [...exact, ...capped]
  const seqs = found.flatMap(({ seq }) => (seq === null ? [] : Number(seq)))
  const made = new Set(
    operation_id !== null && seqs.length > 0
      ? (await madeIn(db, { owner_id, seqs, operation_id })).map(({ seq }) => Number(seq))
      : [],
  )
  const keys = new Set(
    found.flatMap((one) => (one.seq === null || made.has(Number(one.seq)) ? [] : keyOf(one))),
  )
  return (entry) => {
    const one = wantedOf(entry)
    return one !== undefined && keys.has(keyOf(one))
  }
}

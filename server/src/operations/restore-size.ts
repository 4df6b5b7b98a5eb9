import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'
import { bodyBytes, type Usage } from '../db/usage.ts'
import { countIds, type IdPiece, type IdPieces, idsInPiece, inPieces } from '../items/id-pieces.ts'
import { mergedInto } from '../tags/merged-tags.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'
import type { OperationKey } from './running.ts'

/** Quota that restored items and tags take up. */
export type RestoreSize = Pick<Usage, 'items' | 'tags' | 'text_bytes'>

/** Changes that are read at once: with fifty tags each some 10 ms of the event loop on SQLite. */
const AT_ONCE = 200

/** The tags that a deleted item had, as rows `tag` with a JSON `value`. */
const eachTag = (db: Db): RawBuilder<unknown> =>
  fullTextOf(db) === 'fts5'
    ? sql`json_each(changes."before", '$.tags') as tag`
    : sql`json_array_elements(cast(changes."before" as json) -> 'tags') as tag (value)`

/** Those of the tags that do not exist. */
const missing = (owner_id: RawBuilder<string>): RawBuilder<unknown> =>
  sql`not exists (select 1 from tags where tags.owner_id = ${owner_id} and tags.id = tag.value ->> 'id')`

interface Piece {
  owner_id: string
  ids: readonly string[]
}

const idsAfter = statement((db, value: Value<{ owner_id: string; after: string; limit: number }>) =>
  db
    .selectFrom('trash')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '>', value('after'))
    .orderBy('item_id')
    .limit(value('limit')),
)

const trashedBytes = statement(
  (_, value: Value<Piece>) =>
    sql<{ items: number; bytes: number | null }>`select count(*) as items, sum(${bodyBytes}) as bytes
    from trash join changes on changes.owner_id = trash.owner_id and changes.seq = trash.seq
    where trash.owner_id = ${value('owner_id')} and ${value.among('trash.item_id', 'ids')}`,
)

const trashedTags = statement(
  (db, value: Value<Piece>) =>
    sql<TagRef>`select distinct tag.value ->> 'id' as id, tag.value ->> 'name' as name
    from trash join changes on changes.owner_id = trash.owner_id and changes.seq = trash.seq cross join ${eachTag(db)}
    where trash.owner_id = ${value('owner_id')} and ${value.among('trash.item_id', 'ids')}
      and ${missing(value('owner_id'))}`,
)

interface Range extends OperationKey {
  first: number
  last: number
}

interface Sums {
  changes: number
  items: number | null
  tags: number | null
  bytes: number | null
}

const sumsOf = statement(
  (_, value: Value<Range>) =>
    sql<Sums>`
    select count(*) as changes, sum(case when revision is null and kind <> 'tag' then 1 else 0 end) as items,
      sum(case when revision is null and kind = 'tag' then 1 else 0 end) as tags,
      sum(case when revision is null then ${bodyBytes} end) as bytes
    from changes where owner_id = ${value('owner_id')} and seq >= ${value('first')} and seq <= ${value('last')}
      and operation_id = ${value('id')}`,
)

const deletedTags = statement(
  (db, value: Value<Range>) =>
    sql<TagRef>`select distinct tag.value ->> 'id' as id, tag.value ->> 'name' as name
    from changes cross join ${eachTag(db)}
    where changes.owner_id = ${value('owner_id')} and seq >= ${value('first')} and seq <= ${value('last')}
      and operation_id = ${value('id')} and revision is null and kind <> 'tag' and ${missing(value('owner_id'))}`,
)

const namesakes = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select('name_key')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('name_key', 'keys')),
)

/** How many tags come back that no other tag has taken the names of. */
async function countNew(db: Db, owner_id: string, keys: ReadonlySet<string>): Promise<number> {
  if (keys.size === 0) return 0
  return keys.size - (await namesakes(db, { owner_id, keys: [...keys] })).length
}

/** Ids that are listed at once: whole pieces, so that those of all of them have but one that is not full. */
const LISTED_AT_ONCE = 10_000

/** The ids of all items of the trash, sorted. Runs in a worker thread. */
export async function allTrashed(db: Db, owner_id: string): Promise<IdPieces> {
  const pieces: IdPiece[] = []
  for (let after = ''; ; ) {
    const rows = await idsAfter(db, { owner_id, after, limit: LISTED_AT_ONCE })
    for (const piece of inPieces(rows.map(({ item_id }) => item_id))) pieces.push(piece)
    if (rows.length < LISTED_AT_ONCE) return pieces
    after = rows.at(-1)?.item_id ?? ''
  }
}

/**
 * Quota that items of the trash take up once restored; undefined for a single one, whose only step finds out. Throws the
 * reason of the signal.
 */
export async function sizeOfTrashed(
  db: Db,
  owner_id: string,
  wanted: IdPieces,
  signal: AbortSignal,
): Promise<RestoreSize | undefined> {
  if (countIds(wanted) < 2) return undefined
  const restoreSize = { items: 0, text_bytes: 0 }
  const keys = new Set<string>()
  for (const piece of wanted) {
    signal.throwIfAborted()
    const some = { owner_id, ids: idsInPiece(piece) }
    const [sums] = await trashedBytes(db, some)
    restoreSize.items += Number(sums?.items ?? 0)
    restoreSize.text_bytes += Number(sums?.bytes ?? 0)
    const tags = await trashedTags(db, some)
    const merged = await mergedInto(
      db,
      owner_id,
      tags.map(({ id }) => id),
    )
    for (const tag of tags) keys.add(tagNameKey((merged.get(tag.id) ?? tag).name))
    await yieldToEventLoop()
  }
  return { ...restoreSize, tags: await countNew(db, owner_id, keys) }
}

const rangeOf = statement((db, value: Value<OperationKey>) =>
  db
    .selectFrom('operations')
    .select(['first_seq', 'last_seq'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** How many changes an undo has, and the quota that it takes up; absent for a single change, whose only step finds out. */
export interface UndoSize {
  readonly changes: number
  readonly restoreSize?: RestoreSize
}

export async function sizeOfUndo(db: Db, { owner_id, id }: OperationKey): Promise<UndoSize> {
  const [operation] = await rangeOf(db, { owner_id, id })
  const [first_seq, last_seq] = [Number(operation?.first_seq ?? 0), Number(operation?.last_seq ?? -1)]
  if (last_seq <= first_seq) return { changes: 1 }
  const restoreSize = { items: 0, text_bytes: 0 }
  let [changes, tags] = [0, 0]
  const keys = new Set<string>()
  for (let first = first_seq; first <= last_seq; first += AT_ONCE) {
    const range = { owner_id, id, first, last: Math.min(last_seq, first + AT_ONCE - 1) }
    const [sums] = await sumsOf(db, range)
    const items = Number(sums?.items ?? 0)
    changes += Number(sums?.changes ?? 0)
    restoreSize.items += items
    tags += Number(sums?.tags ?? 0)
    restoreSize.text_bytes += Number(sums?.bytes ?? 0)
    if (items > 0) for (const { name } of await deletedTags(db, range)) keys.add(tagNameKey(name))
    await yieldToEventLoop()
  }
  return { changes, restoreSize: { ...restoreSize, tags: tags + (await countNew(db, owner_id, keys)) } }
}

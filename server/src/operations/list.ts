import type { Operation, OperationAction } from '@kopilka/contract/operations.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { progressOf } from './running.ts'
import { trashedItemsOf } from './trash.ts'
import { UNDOABLE_FOR } from './undo.ts'

const newest = statement(
  (db, value: Value<{ owner_id: string; since: number; limit: number; offset: number }>) =>
    db
      .selectFrom('operations')
      .select(['id', 'action', 'at', 'items', 'undone_at', 'work', 'last_seq'])
      .where('owner_id', '=', value('owner_id'))
      .where('at', '>', value('since'))
      .orderBy('at', 'desc')
      // Of one millisecond the ids are in no order.
      .orderBy('last_seq', 'desc')
      .orderBy('id', 'desc')
      .limit(value('limit'))
      .offset(value('offset')),
)

/** How many there are, or `most`. */
const counted = statement((db, value: Value<{ owner_id: string; since: number; most: number }>) =>
  db
    .selectFrom((some) =>
      some
        .selectFrom('operations')
        .select('id')
        .where('owner_id', '=', value('owner_id'))
        .where('at', '>', value('since'))
        .limit(value('most'))
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
)

const changesAt = statement((db, value: Value<{ owner_id: string; seqs: readonly number[] }>) =>
  db
    .selectFrom('changes')
    .select(['seq', 'entity_id', 'before'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint')),
)

const itemTitles = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'title'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

const OF_TAGS: readonly OperationAction[] = ['delete_tag', 'rename_tag', 'merge_tags']

/**
 * Titles of the items, and names of the tags, by the numbers of the last changes of the operations that changed one of them. An
 * item is called what it is called now, as lists and the trash do; a tag what it was called before.
 */
async function titlesAt(db: Db, owner_id: string, seqs: readonly number[]): Promise<Map<number, string>> {
  const titles = new Map<number, string>()
  const ids = new Map<number, string>()
  for (const { seq, entity_id, before } of await changesAt(db, { owner_id, seqs })) {
    const kept: { title?: string; name?: string } = JSON.parse(before ?? '{}')
    const title = kept.name ?? kept.title
    if (title !== undefined) titles.set(Number(seq), title)
    if (kept.name === undefined) ids.set(Number(seq), entity_id)
  }
  if (ids.size === 0) return titles
  const wanted = [...new Set(ids.values())]
  const listed = await itemTitles(db, { owner_id, ids: wanted })
  const trashed = await trashedItemsOf(db, owner_id, wanted)
  const titleOf = new Map([...trashed, ...listed].map(({ id, title }) => [id, title]))
  for (const [seq, id] of ids) {
    const title = titleOf.get(id)
    if (title !== undefined) titles.set(seq, title)
  }
  return titles
}

export interface OperationsPiece {
  owner_id: string
  now: number
  limit: number
  offset: number
}

export interface OperationsPage {
  count: number
  results: Operation[]
}

const iso = (time: number): string => new Date(time).toISOString()

/**
 * The operations that can be undone, or were, the newest first. Counts them all, and passes over what comes before the piece: of
 * more than `few` resolves to undefined, because that is for a worker thread.
 */
export async function listOperations(
  db: Db,
  { now, ...piece }: OperationsPiece,
  few: number,
): Promise<OperationsPage | undefined> {
  const asked = { ...piece, since: now - UNDOABLE_FOR }
  const [{ count } = { count: 0 }] = await counted(db, { ...asked, most: few + 1 })
  if (count > few) return undefined
  const rows = piece.offset < count ? await newest(db, asked) : []
  const ofOne = rows.filter(
    ({ action, items, work }) =>
      work === null && action !== 'import' && (items === 1 || OF_TAGS.includes(action)),
  )
  const seqs = ofOne.map(({ last_seq }) => Number(last_seq))
  const titles = seqs.length > 0 ? await titlesAt(db, piece.owner_id, seqs) : new Map<number, string>()
  const titleOf = new Map(ofOne.map(({ id, last_seq }) => [id, titles.get(Number(last_seq))]))
  const results = rows.map(({ at, undone_at, work, last_seq: _, ...row }) => {
    const title = titleOf.get(row.id)
    return {
      ...row,
      at: iso(at),
      ...(title !== undefined && { title }),
      undone_at: undone_at === null || work !== null ? null : iso(undone_at),
      ...(work !== null && { progress: progressOf(work) }),
    }
  })
  return { count, results }
}

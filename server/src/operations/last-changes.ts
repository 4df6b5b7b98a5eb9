import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { OperationKey } from './running.ts'

const lastChanges = statement(
  (db, value: Value<{ owner_id: string; id: string; after: number; ids: readonly string[] }>) =>
    db
      .selectFrom('changes')
      .select(({ fn }) => ['entity_id', fn.max('seq').as('seq')])
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '>', value('after'))
      .where('is_reverted', '=', 0)
      .where(({ eb, or }) => or([eb('operation_id', 'is', null), eb('operation_id', '!=', value('id'))]))
      .where(value.among('entity_id', 'ids'))
      .groupBy('entity_id'),
)

const renamesAndDeletions = statement(
  (db, value: Value<{ owner_id: string; id: string; after: number; ids: readonly string[] }>) =>
    db
      .selectFrom('changes')
      .select(['entity_id', 'revision', 'seq'])
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '>', value('after'))
      .where('is_reverted', '=', 0)
      .where(({ eb, or }) => or([eb('operation_id', 'is', null), eb('operation_id', '!=', value('id'))]))
      .where(value.among('entity_id', 'ids'))
      // Renamed and deleted tags; not those that items got or lost, of which there may be thousands.
      .where('before', 'like', '{"name":%'),
)

/** The numbers of the last changes that renamed or deleted a tag; 0 where none did. */
interface RenamedAndDeleted {
  readonly renamed: number
  readonly deleted: number
}

/** Tags that were renamed or deleted after a change: without what was undone, and what the operation did. */
export async function lastRenamesAndDeletions(
  trx: Trx,
  { owner_id, id }: OperationKey,
  after: number,
  ids: readonly string[],
): Promise<Map<string, RenamedAndDeleted>> {
  const ends = new Map<string, RenamedAndDeleted>()
  if (ids.length === 0) return ends
  for (const { entity_id, revision, seq } of await renamesAndDeletions(trx, { owner_id, id, after, ids })) {
    const known = ends.get(entity_id) ?? { renamed: 0, deleted: 0 }
    const end = revision === null ? 'deleted' : 'renamed'
    ends.set(entity_id, { ...known, [end]: Math.max(known[end], Number(seq)) })
  }
  return ends
}

/** The numbers of the last changes of each, of those after one: without those that were undone, and those of the operation. */
export async function lastChangesOf(
  trx: Trx,
  { owner_id, id }: OperationKey,
  after: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await lastChanges(trx, { owner_id, id, after, ids })
  return new Map(rows.map(({ entity_id, seq }) => [entity_id, Number(seq)]))
}

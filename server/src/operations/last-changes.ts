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

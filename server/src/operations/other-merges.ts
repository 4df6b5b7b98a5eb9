import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { DeletedTag, TakenTag } from '../tags/tag-changes.ts'
import type { OperationKey } from './running.ts'

const finished = statement((db, value: Value<OperationKey & { after: number; deletion: string }>) =>
  db
    .selectFrom('operations')
    .innerJoin('changes', (join) =>
      join
        .onRef('changes.owner_id', '=', 'operations.owner_id')
        .onRef('changes.seq', '=', 'operations.last_seq'),
    )
    .select(['operations.id', 'operations.first_seq', 'operations.last_seq'])
    .where('operations.owner_id', '=', value('owner_id'))
    .where('operations.id', '!=', value('id'))
    .where('operations.action', '=', 'merge_tags')
    .where('operations.last_seq', '>', value('after'))
    .where('changes.is_reverted', '=', 0)
    .where('changes.before', 'like', value('deletion')),
)

const takenIn = statement((db, value: Value<OperationKey & { first_seq: number; last_seq: number }>) =>
  db
    .selectFrom('changes')
    .select('before')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '>=', value('first_seq'))
    .where('seq', '<=', value('last_seq'))
    .where('operation_id', '=', value('id'))
    .where('is_reverted', '=', 0),
)

/**
 * Those of the items to which finished merges after the change `after`, other than the operation `id`, gave the tag `into`, or
 * would have given it: they had another tag, which the merges took from them. Without merges that were undone.
 */
export async function itemsOfOtherMerges(
  trx: Trx,
  key: OperationKey,
  { into, after, items }: { into: string; after: number; items: readonly string[] },
): Promise<Set<string>> {
  const wanted = new Set(items)
  const found = new Set<string>()
  // The last change of a merge is the deletion of the other tag, whose JSON names the one that stays (tags/tag-changes.ts).
  const merges = await finished(trx, { ...key, after, deletion: `%"into":{"id":"${into}"%` })
  for (const { id, first_seq, last_seq } of merges) {
    const range = { owner_id: key.owner_id, id, first_seq: Number(first_seq), last_seq: Number(last_seq) }
    for (const { before } of await takenIn(trx, range)) {
      const { items: last, taken }: Partial<DeletedTag & TakenTag> = JSON.parse(before ?? '{}')
      for (const item of last ?? taken ?? []) if (wanted.has(item)) found.add(item)
    }
  }
  return found
}

import type { Skipped } from '@kopilka/contract/operations.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { tagsById } from '../tags/item-tags.ts'
import { lockTag } from '../tags/tag-changes.ts'
import { lastChangesOf } from './last-changes.ts'
import type { UndoSummary } from './running.ts'
import { trashedItemsOf } from './trash.ts'
import type { TagItems } from './undo-state.ts'

const titles = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'title'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/** Gives the titles again to what was left as it is. */
export async function titled(
  trx: Trx,
  owner_id: string,
  skipped: UndoSummary['skipped'],
): Promise<Skipped[]> {
  const ids = skipped.map(({ id }) => id)
  const items = [...(await titles(trx, { owner_id, ids })), ...(await trashedItemsOf(trx, owner_id, ids))]
  const titleOf = new Map(items.map(({ id, title }) => [id, title]))
  for (const { id, name } of await tagsById(trx, { owner_id, ids })) titleOf.set(id, name)
  return skipped.map(({ kind, id }) => ({ kind, id, title: titleOf.get(id) ?? '', reason: 'changed' }))
}

/** The last change that deleted an item or a tag. */
export const deletion = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('changes')
    .select('before')
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('revision', 'is', null)
    .orderBy('seq', 'desc')
    .limit(1),
)

/** Names what the undo of a change left as it is. */
export async function skippedOf(
  trx: Trx,
  { owner_id, kind, entity_id: id, before }: ChangesTable,
): Promise<Skipped> {
  const kept: { title?: string; name?: string } = JSON.parse(before ?? '{}')
  const skipped = { id, reason: 'changed' } as const
  if (kind === 'tag') {
    const tag = await lockTag(trx, { owner_id, id })
    const [deleted] = tag ? [] : await deletion(trx, { owner_id, id })
    const { name }: { name?: string } = tag ?? JSON.parse(deleted?.before ?? JSON.stringify(kept))
    return { ...skipped, kind, title: name ?? '' }
  }
  const [item] = [
    ...(await titles(trx, { owner_id, ids: [id] })),
    ...(await trashedItemsOf(trx, owner_id, [id])),
  ]
  return { ...skipped, kind: kind === 'link' ? 'urllink' : 'note', title: item?.title ?? kept.title ?? '' }
}

const changesAt = statement((db, value: Value<{ owner_id: string; seqs: readonly number[] }>) =>
  db
    .selectFrom('changes')
    .select(['kind', 'entity_id', 'before'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint')),
)

/** Those of the items that were not changed since; the others, also in the trash, are added to `skipped`. */
export async function unchanged(
  trx: Trx,
  { owner_id, seq, items: ids }: TagItems,
  skipped: Skipped[],
): Promise<string[]> {
  const last = await lastChangesOf(trx, { owner_id, id: '' }, seq, ids)
  const listed = await titles(trx, { owner_id, ids: [...last.keys()] })
  const titleOf = new Map(listed.map(({ id, title }) => [id, title]))
  for (const { kind, entity_id: id, before } of await changesAt(trx, {
    owner_id,
    seqs: [...last.values()],
  })) {
    const kept: { title?: string } = JSON.parse(before ?? '{}')
    const title = titleOf.get(id) ?? kept.title ?? ''
    skipped.push({ kind: kind === 'link' ? 'urllink' : 'note', id, title, reason: 'changed' })
  }
  return ids.filter((id) => !last.has(id))
}

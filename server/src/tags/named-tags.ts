import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { lockTags, tagsById } from './item-tags.ts'
import { mergedInto } from './merged-tags.ts'

/** A name of a tag, with the id of the tag that had it when it was looked up; undefined: none had. */
export interface NamedTag {
  name: string
  id?: string | undefined
}

const byKeys = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name_key'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('name_key', 'keys')),
)

/** The tags with the ids of those that exist and of which the id was not known. */
export async function withIds(db: Db, owner_id: string, tags: readonly NamedTag[]): Promise<NamedTag[]> {
  const keys = tags.flatMap(({ id, name }) => (id === undefined ? tagNameKey(name) : []))
  const rows = keys.length > 0 ? await byKeys(db, { owner_id, keys }) : []
  const ids = new Map(rows.map(({ id, name_key }) => [name_key, id]))
  return tags.map(({ id, name }) => ({ name, id: id ?? ids.get(tagNameKey(name)) }))
}

/**
 * The names of the tags by now, of a merged one that of the tag into which it was. Leaves out the tags that were deleted since they
 * were looked up. Locks the tags, and `others` with them, so that the names stay.
 */
export async function namesByNow(
  trx: Trx,
  owner_id: string,
  tags: readonly NamedTag[],
  others: readonly { id: string }[],
): Promise<string[]> {
  const known = tags.flatMap(({ id }) => (id === undefined ? [] : { id }))
  const unknown = tags.flatMap(({ id, name }) => (id === undefined ? tagNameKey(name) : []))
  await lockTags(trx, owner_id, [...known, ...others], unknown)
  const ids = known.map(({ id }) => id)
  const there = new Set((await tagsById(trx, { owner_id, ids })).map(({ id }) => id))
  const gone = ids.filter((id) => !there.has(id))
  const merged = await mergedInto(trx, owner_id, gone)
  if (merged.size > 0) await lockTags(trx, owner_id, [...merged.values()], [])
  const wanted = [...ids, ...Array.from(merged.values(), ({ id }) => id)]
  const names = new Map((await tagsById(trx, { owner_id, ids: wanted })).map(({ id, name }) => [id, name]))
  return tags.flatMap(({ id, name }) =>
    id === undefined ? name : (names.get(merged.get(id)?.id ?? id) ?? []),
  )
}

import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'
import { findTags } from '../tags/item-tags.ts'

/** The tags that a deleted item had, as rows `tag` with a JSON `value`. */
const eachTag = (db: Db): RawBuilder<unknown> =>
  fullTextOf(db) === 'fts5'
    ? sql`json_each(changes."before", '$.tags') as tag`
    : sql`json_array_elements(cast(changes."before" as json) -> 'tags') as tag (value)`

/** Those of the tags that do not exist. */
const missing = (owner_id: RawBuilder<string>): RawBuilder<unknown> =>
  sql`not exists (select 1 from tags where tags.owner_id = ${owner_id} and tags.id = tag.value ->> 'id')`

const ofTrash = statement(
  (db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
    sql<TagRef>`select distinct tag.value ->> 'id' as id, tag.value ->> 'name' as name
    from trash join changes on changes.owner_id = trash.owner_id and changes.seq = trash.seq cross join ${eachTag(db)}
    where trash.owner_id = ${value('owner_id')} and ${value.among('trash.item_id', 'ids')}
      and ${missing(value('owner_id'))}`,
)

interface Deletions {
  owner_id: string
  id: string
  first_seq: number
  last_seq: number
}

const ofOperation = statement(
  (db, value: Value<Deletions>) =>
    sql<TagRef>`select distinct tag.value ->> 'id' as id, tag.value ->> 'name' as name
    from changes cross join ${eachTag(db)}
    where changes.owner_id = ${value('owner_id')} and seq >= ${value('first_seq')} and seq <= ${value('last_seq')}
      and operation_id = ${value('id')} and revision is null and kind <> 'tag' and ${missing(value('owner_id'))}`,
)

/** How many tags come back that no other tag has taken the names of. */
async function countNew(trx: Trx, owner_id: string, tags: readonly TagRef[]): Promise<number> {
  if (tags.length === 0) return 0
  const keys = new Set(tags.map(({ name }) => tagNameKey(name)))
  const namesakes = await findTags(trx, owner_id, [...keys])
  return keys.size - namesakes.length
}

/** How many tags come back with these items of the trash. */
export const tagsReturningFromTrash = async (
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
): Promise<number> => countNew(trx, owner_id, await ofTrash(trx, { owner_id, ids }))

/** How many tags come back with the items that an operation deleted. */
export const tagsReturningByUndo = async (trx: Trx, deletions: Deletions): Promise<number> =>
  countNew(trx, deletions.owner_id, await ofOperation(trx, deletions))

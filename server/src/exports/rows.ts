import { sql } from 'kysely'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { tagLines } from '../tags/lines.ts'

/*
 * Rows in the order of a key, after the last row that was read: no transaction stays open between two reads.
 */

/** Longest text in bytes that is read with its row; others are read one by one. */
const SHORT_TEXT = 25_000

const shortBody = (column: string) =>
  sql<
    string | null
  >`case when octet_length(${sql.ref(column)}) <= ${sql.lit(SHORT_TEXT)} then ${sql.ref(column)} end`.as(
    'body',
  )

/** Whether the account is there: its export ends with it. */
export const isOpen = statement((db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '=', value('owner_id'))
    .where('password_hash', '!=', ''),
)

export const tagsAfter = statement((db, value: Value<{ owner_id: string; after: string; limit: number }>) =>
  db
    .selectFrom('tags')
    .select(['name', 'name_key'])
    .where('owner_id', '=', value('owner_id'))
    .where('name_key', '>', value('after'))
    .orderBy('name_key')
    .limit(value('limit')),
)

const ITEM = ['id', 'kind', 'title', 'url', 'revision', 'created_at', 'updated_at', 'pinned'] as const

const itemRows = (db: Db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('items')
    .select(ITEM)
    .select(shortBody('items.body'))
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))

const tagsOfItem = (db: Db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('item_tags')
    .select('tag_id')
    .where('item_tags.owner_id', '=', value('owner_id'))
    .where('item_tags.item_id', '=', sql.ref<string>('items.id'))

interface ItemPiece {
  owner_id: string
  kind: ItemKind
  pinned: number
  /** The key of the last item. */
  created_at: number
  id: string
  /** Empty: items of any tags. */
  tag_id: string
  limit: number
}

/** Items of one kind, pinned or not, in the order of an index, which is that of their creation. */
const itemsOf = (shape: 'all' | 'tagged' | 'untagged') =>
  statement((db, value: Value<ItemPiece>) =>
    itemRows(db, value)
      .where('kind', '=', value('kind'))
      .where('pinned', '=', value('pinned'))
      .where(sql<boolean>`(created_at, id) > (${value('created_at')}, ${value('id')})`)
      .$if(shape === 'tagged', (items) =>
        items.where(({ exists }) =>
          exists(tagsOfItem(db, value).where('item_tags.tag_id', '=', value('tag_id'))),
        ),
      )
      .$if(shape === 'untagged', (items) =>
        items.where(({ not, exists }) => not(exists(tagsOfItem(db, value)))),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(value('limit')),
  )

export const itemsAfter = {
  all: itemsOf('all'),
  tagged: itemsOf('tagged'),
  untagged: itemsOf('untagged'),
}

type Named = { owner_id: string; ids: readonly string[] }

const existing = statement((db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)
const trashed = statement((db, value: Value<Named>) =>
  db
    .selectFrom('trash')
    .select('item_id as id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids')),
)

/** Whether the owner has all of the items; `trash`: there too. */
export async function hasAll(db: Db, { trash, ...named }: Named & { trash: boolean }): Promise<boolean> {
  const found = [...(await existing(db, named)), ...(trash ? await trashed(db, named) : [])]
  return new Set(found.map(({ id }) => id)).size === new Set(named.ids).size
}

const linksAmong = statement((db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .where('kind', '=', 'link')
    .limit(1),
)

/** Whether any of the items is a link. */
export const hasLinks = async (db: Db, named: Named): Promise<boolean> =>
  (await linksAmong(db, named)).length > 0

/** Those of the items that the owner has, in the order of their ids. */
export const itemsAmong = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  itemRows(db, value).where(value.among('items.id', 'ids')).orderBy('id'),
)

export const bodyOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('items')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

const CHANGE = ['changes.seq', 'changes.kind', 'changes.before'] as const

const trashRows = (db: Db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .select(['trash.item_id as id', 'trash.deleted_at', ...CHANGE])
    .select(shortBody('changes.body'))
    .where('trash.owner_id', '=', value('owner_id'))

/** The trash in the order in which it was filled. */
export const trashAfter = statement(
  (db, value: Value<{ owner_id: string; deleted_at: number; seq: number; limit: number }>) =>
    trashRows(db, value)
      .where(sql<boolean>`(trash.deleted_at, trash.seq) > (${value('deleted_at')}, ${value('seq')})`)
      .orderBy('trash.deleted_at')
      .orderBy('trash.seq')
      .limit(value('limit')),
)

/** Those of the items that are in the trash, in the order of their ids. */
export const trashAmong = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashRows(db, value).where(value.among('trash.item_id', 'ids')).orderBy('trash.item_id'),
)

export const versionsAfter = statement(
  (db, value: Value<{ owner_id: string; id: string; seq: number; since: number; limit: number }>) =>
    db
      .selectFrom('changes')
      .select([...CHANGE, 'changes.at'])
      .select(shortBody('changes.body'))
      .where('owner_id', '=', value('owner_id'))
      .where('entity_id', '=', value('id'))
      .where('seq', '>', value('seq'))
      .where('version', 'is not', null)
      .where('at', '>', value('since'))
      .orderBy('seq')
      .limit(value('limit')),
)

/** Those of the items that have earlier versions. */
export const withVersions = statement(
  (db, value: Value<{ owner_id: string; ids: readonly string[]; since: number }>) =>
    db
      .selectFrom('changes')
      .select('entity_id as id')
      .distinct()
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('entity_id', 'ids'))
      .where('version', 'is not', null)
      .where('at', '>', value('since')),
)

export const changedBodyOf = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

/** Those of the pictures that the owner has. */
export const picturesAmong = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('files')
    .select(['id', 'type'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .where('is_complete', '=', 1),
)

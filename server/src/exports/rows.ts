import { sql } from 'kysely'
import type { ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { tagLines } from '../tags/lines.ts'

/** Rows in the order of a key, after the last row that was read: no transaction stays open between two reads. */
interface Piece {
  owner_id: string
  after: string
  limit: number
}

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

export const tagsAfter = statement((db, value: Value<Piece>) =>
  db
    .selectFrom('tags')
    .select(['name', 'name_key'])
    .where('owner_id', '=', value('owner_id'))
    .where('name_key', '>', value('after'))
    .orderBy('name_key')
    .limit(value('limit')),
)

interface ItemPiece extends Piece {
  /** The kind that is left out; empty: none. */
  without: ItemKind | ''
  /** Empty: items of any tags. */
  tag_id: string
  /** Of these alone; null: of all. */
  ids: readonly string[] | null
}

/** Which of the conditions a statement has: each set of them has a plan of its own. */
type Shape = 'all' | 'tagged' | 'untagged' | 'named'

const itemsOf = (shape: Shape) =>
  statement((db, value: Value<ItemPiece>) =>
    db
      .selectFrom('items')
      .select(['id', 'kind', 'title', 'url', 'revision', 'created_at', 'updated_at', 'pinned'])
      .select(shortBody('items.body'))
      .select((items) => tagLines(items, value('owner_id')).as('tags'))
      .where('owner_id', '=', value('owner_id'))
      .where('id', '>', value('after'))
      // Not `kind =`: an index that begins with the kind has another order.
      .where(sql<string>`kind || ''`, '<>', value('without'))
      .$if(shape === 'named', (items) => items.where(value.among('items.id', 'ids')))
      .$if(shape === 'tagged', (items) =>
        items.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('item_tags')
              .select('tag_id')
              .where('item_tags.owner_id', '=', value('owner_id'))
              .whereRef('item_tags.item_id', '=', 'items.id')
              .where('item_tags.tag_id', '=', value('tag_id')),
          ),
        ),
      )
      .$if(shape === 'untagged', (items) =>
        items.where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('item_tags')
                .select('tag_id')
                .where('item_tags.owner_id', '=', value('owner_id'))
                .whereRef('item_tags.item_id', '=', 'items.id'),
            ),
          ),
        ),
      )
      .orderBy('id')
      .limit(value('limit')),
  )

export const itemsAfter = {
  all: itemsOf('all'),
  tagged: itemsOf('tagged'),
  untagged: itemsOf('untagged'),
  named: itemsOf('named'),
} satisfies Record<Shape, unknown>

export const bodyOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('items')
    .select('body')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

const CHANGE = ['changes.seq', 'changes.kind', 'changes.before'] as const

const trashOf = (isNamed: boolean) =>
  statement((db, value: Value<Piece & { ids: readonly string[] | null }>) =>
    db
      .selectFrom('trash')
      .innerJoin('changes', (join) =>
        join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
      )
      .select(['trash.item_id as id', 'trash.deleted_at', ...CHANGE])
      .select(shortBody('changes.body'))
      .where('trash.owner_id', '=', value('owner_id'))
      .where('trash.item_id', '>', value('after'))
      .$if(isNamed, (rows) => rows.where(value.among('trash.item_id', 'ids')))
      .orderBy('trash.item_id')
      .limit(value('limit')),
  )

export const trashAfter = { all: trashOf(false), named: trashOf(true) }

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

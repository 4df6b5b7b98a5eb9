import { sortKey } from '@kopilka/text/sort-key.ts'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { statement, type Value } from '../statement.ts'

/** Pins, and lists in other orders than newest first: each order has an index in which pinned items come first. */
export const lists: Migration = {
  name: '012-lists',
  up: async (db) => {
    await db.schema
      .alterTable('items')
      .addColumn('pinned', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('items')
      .addColumn('title_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await fillTitleKeys(db as unknown as Kysely<Filled>)
    // On tables that were spread over partitions it has another name.
    await db.schema.dropIndex('items_newest').ifExists().execute()
    for (const [name, columns] of Object.entries(ORDERS))
      await db.schema
        .createIndex(name)
        .on('items')
        .columns(['owner_id', 'kind', ...columns, 'id'])
        .execute()
  },
}

/** Each is read from its end where the newest come first. */
const ORDERS = {
  items_newest: ['pinned', 'created_at'],
  items_changed: ['pinned', 'updated_at'],
  items_by_title: ['pinned desc', 'title_key'],
}

interface Filled {
  users: { owner_id: string }
  items: { owner_id: string; id: string; title: string; title_key: string }
}

interface Keys {
  owner_id: string
  keys: readonly { id: string; title_key: string }[]
}

const store = statement(
  (_, value: Value<Keys>) => sql<never>`update items set title_key = made.title_key
    from ${value.rows('keys', 'made', ['id', 'title_key'])}
    where owner_id = ${value('owner_id')} and items.id = made.id`,
)

const AT_A_TIME = 1000

async function fillTitleKeys(db: Kysely<Filled>): Promise<void> {
  const owners = await db.selectFrom('users').select('owner_id').execute()
  for (const { owner_id } of owners)
    for (let after = ''; ; ) {
      const items = await db
        .selectFrom('items')
        .select(['id', 'title'])
        .where('owner_id', '=', owner_id)
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_A_TIME)
        .execute()
      const last = items.at(-1)
      if (!last) break
      const keys = items.map(({ id, title }) => ({ id, title_key: sortKey(title) }))
      await store(db as never, { owner_id, keys })
      after = last.id
    }
}

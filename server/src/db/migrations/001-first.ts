import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { createSearch } from './001-search.ts'

/** Accounts, items, tags, and the search index. */
export const first: Migration = {
  name: '001-first',
  up: async (db, fullText) => {
    await db.schema
      .createTable('users')
      .addColumn('owner_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull().unique())
      .addColumn('first_name', 'text', (column) => column.notNull())
      .addColumn('last_name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('sign_ins')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('access_hash', 'text', (column) => column.notNull())
      .addColumn('access_expires_at', 'bigint', (column) => column.notNull())
      .addColumn('refresh_hash', 'text', (column) => column.notNull())
      .addColumn('refresh_expires_at', 'bigint', (column) => column.notNull())
      .addColumn('previous_refresh_hash', 'text')
      .addColumn('rotation_salt', 'text')
      .addColumn('rotated_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('sign_ins_key', ['owner_id', 'id'])
      .addForeignKeyConstraint('sign_ins_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()

    await db.schema
      .createTable('items')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('note', 'link')`))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('excerpt', 'text', (column) => column.notNull())
      .addColumn('url', 'text')
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('items_key', ['owner_id', 'id'])
      .addForeignKeyConstraint('items_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('items_newest')
      .on('items')
      .columns(['owner_id', 'kind', 'created_at', 'id'])
      .execute()

    await db.schema
      .createTable('tags')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('tags_key', ['owner_id', 'id'])
      .addUniqueConstraint('tags_name', ['owner_id', 'name_key'])
      .addForeignKeyConstraint('tags_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()

    await db.schema
      .createTable('item_tags')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('tag_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('item_tags_key', ['owner_id', 'item_id', 'tag_id'])
      .addForeignKeyConstraint(
        'item_tags_item',
        ['owner_id', 'item_id'],
        'items',
        ['owner_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .addForeignKeyConstraint('item_tags_tag', ['owner_id', 'tag_id'], 'tags', ['owner_id', 'id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createIndex('item_tags_by_tag')
      .on('item_tags')
      .columns(['owner_id', 'tag_id', 'kind', 'item_id'])
      .execute()

    await createSearch[fullText](db)
  },
}

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createOlderDatabase } from '../../testing/older-database.ts'

it('finds the pages that the accounts of an older database keep twice', async () => {
  const { db, migrateAll } = await createOlderDatabase('-duplicates')
  for (const owner of ['a', 'b']) {
    await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
      values (${owner}, ${owner}, ${owner}, '', '', '', 0)`.execute(db)
    await sql`insert into usage (owner_id, items, tags, text_bytes) values (${owner}, 0, 0, 0)`.execute(db)
  }
  for (const [owner, id, kind, key] of [
    ['a', '1', 'link', 'x'],
    ['a', '2', 'link', 'x'],
    ['a', '3', 'link', 'y'],
    ['a', '4', 'note', 'z'],
    ['a', '5', 'note', 'z'],
    ['a', '6', 'link', null],
    ['a', '7', 'link', null],
    ['b', '1', 'link', 'x'],
  ])
    await sql`insert into items (owner_id, id, kind, title, body, excerpt, revision, created_at, updated_at, identity_key)
      values (${owner}, ${id}, ${kind}, '', '', '', 1, 0, 0, ${key})`.execute(db)

  await migrateAll()
  expect(await db.selectFrom('duplicates').selectAll().execute()).toEqual([
    { owner_id: 'a', identity_key: 'x', copies: 2, newest_id: '2' },
  ])
  expect(
    await db.selectFrom('usage').select(['owner_id', 'duplicates']).orderBy('owner_id').execute(),
  ).toEqual([
    { owner_id: 'a', duplicates: 1 },
    { owner_id: 'b', duplicates: 0 },
  ])
})

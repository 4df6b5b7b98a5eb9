import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createOlderDatabase } from '../../testing/older-database.ts'

it('drops the identity of notes with pictures, which is computed again', async () => {
  const { db, migrateOnce } = await createOlderDatabase('-picture-identity')
  for (const owner of ['a', 'b'])
    await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
      values (${owner}, ${owner}, ${owner}, '', '', '', 0)`.execute(db)
  for (const [owner, id, kind] of [
    ['a', '1', 'note'],
    ['a', '2', 'note'],
    ['a', '3', 'link'],
    ['b', '1', 'note'],
  ])
    await sql`insert into items (owner_id, id, kind, title, body, excerpt, revision, created_at, updated_at, identity_key)
      values (${owner}, ${id}, ${kind}, '', '', '', 1, 0, 0, 'x')`.execute(db)
  for (const [file, item] of ['p1', 'p2'].flatMap((file) => ['1', '3'].map((item) => [file, item])))
    await sql`insert into file_items (owner_id, file_id, item_id) values ('a', ${file}, ${item})`.execute(db)

  await migrateOnce()
  expect(
    await db
      .selectFrom('items')
      .select(['owner_id', 'id', 'identity_key'])
      .orderBy('owner_id')
      .orderBy('id')
      .execute(),
  ).toEqual([
    { owner_id: 'a', id: '1', identity_key: null },
    { owner_id: 'a', id: '2', identity_key: 'x' },
    { owner_id: 'a', id: '3', identity_key: 'x' },
    { owner_id: 'b', id: '1', identity_key: 'x' },
  ])
})

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createOlderDatabase } from '../../testing/older-database.ts'

it('drops the identity of notes and of the trash, which is computed again, not that of links', async () => {
  const { db, migrateOnce } = await createOlderDatabase('-layout-identity')
  await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values ('a', 'a', 'a', '', '', '', 0)`.execute(db)
  for (const [id, kind] of [
    ['1', 'note'],
    ['2', 'link'],
  ])
    await sql`insert into items (owner_id, id, kind, title, body, excerpt, revision, created_at, updated_at, identity_key)
      values ('a', ${id}, ${kind}, '', '', '', 1, 0, 0, 'x')`.execute(db)
  await sql`insert into changes (owner_id, seq, kind, entity_id, at, is_reverted) values ('a', 1, 'note', '3', 0, 0)`.execute(
    db,
  )
  await sql`insert into trash (owner_id, item_id, deleted_at, seq, identity_key) values ('a', '3', 0, 1, 'x')`.execute(
    db,
  )

  await migrateOnce()
  expect(await db.selectFrom('items').select(['id', 'identity_key']).orderBy('id').execute()).toEqual([
    { id: '1', identity_key: null },
    { id: '2', identity_key: 'x' },
  ])
  expect(await db.selectFrom('trash').select(['item_id', 'identity_key']).execute()).toEqual([
    { item_id: '3', identity_key: null },
  ])
})

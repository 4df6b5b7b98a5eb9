import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createOlderDatabase } from '../../testing/older-database.ts'

it('counts once what the accounts of an older database store', async () => {
  const { db, migrateAll } = await createOlderDatabase('-usage')
  for (const owner of ['a', 'b', 'c'])
    await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
      values (${owner}, ${owner}, ${owner}, '', '', '', 0)`.execute(db)
  for (const [owner, id, url] of [
    ['a', '1', null],
    ['a', '2', 'https://example.org/'],
    ['b', '1', null],
  ])
    await sql`insert into items (owner_id, id, kind, title, body, excerpt, url, revision, created_at, updated_at)
      values (${owner}, ${id}, 'note', 'Имя', '<p>ё</p>', 'ё', ${url}, 1, 0, 0)`.execute(db)
  await sql`insert into tags (owner_id, id, name, name_key) values ('a', 't', 'т', 'т')`.execute(db)

  await migrateAll()
  // Six bytes of the title, nine of the body, twenty of the address.
  expect(await db.selectFrom('usage').selectAll().orderBy('owner_id').execute()).toEqual([
    { owner_id: 'a', items: 2, tags: 1, text_bytes: 50, duplicates: 0, file_bytes: 0 },
    { owner_id: 'b', items: 1, tags: 0, text_bytes: 15, duplicates: 0, file_bytes: 0 },
  ])
})

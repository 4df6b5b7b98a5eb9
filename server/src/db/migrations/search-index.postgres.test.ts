import { ANALYSER, TERMS } from '@kopilka/text/search/terms.ts'
import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { postgresIndex } from '../../search/index-postgres.ts'
import { createTestApp } from '../../testing/create-test-app.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { type MigrationTables, migrate } from '../migrate.ts'
import { dialectFor } from '../open.ts'
import { migrations } from './index.ts'

const OWNER = '01a2b3c4-0000-7000-8000-000000000001'
const ITEM = '01a2b3c4-0000-7000-8000-000000000002'

/** Creates a database of the version before this migration, with a note and its terms. */
async function makeOlder(settings: { DATA_DIR: string; DATABASE_URL: string }): Promise<void> {
  const dialect = dialectFor(settings)
  const db = new Kysely<MigrationTables>({ dialect: dialect.connectForMigrations() })
  await migrate(
    db,
    dialect,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name.startsWith('007')),
    ),
  )
  await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values (${OWNER}, 'a@example.org', 'a@example.org', 'Анна', 'Каренина', '', 0)`.execute(db)
  await sql`insert into items (owner_id, id, kind, title, body, excerpt, url, revision, created_at, updated_at)
    values (${OWNER}, ${ITEM}, 'note', 'Заметка', '<p>О книгах</p>', 'О книгах', null, 1, 0, 0)`.execute(db)
  await sql`insert into search_words (owner_id, item_id, part, parted, kind, created_at, words)
    values (${OWNER}, ${ITEM}, 0, false, 'note', 0, array_to_tsvector('{0001*,0001=старое}'))`.execute(db)
  await sql`update search_analyser set version = ${ANALYSER}`.execute(db)
  await db.destroy()
}

it('the server fills the index of an older database from its items without a command', async () => {
  const database = await createTestDatabase()
  await makeOlder(database.settings)
  const app = await createTestApp({ database })
  const version = async () =>
    (await app.db.selectFrom('search_analyser').select('version').executeTakeFirstOrThrow()).version
  await expect.poll(version).toBe(ANALYSER)

  const find = (term: string) => postgresIndex.newest(app.db, OWNER, { term }, { limit: 10 })
  expect(await find(TERMS.text('старое'))).toEqual([])
  expect(await find(TERMS.text('книг'))).toMatchObject([{ id: ITEM, kind: 'note' }])
  await app.close()
  await database.remove()
})

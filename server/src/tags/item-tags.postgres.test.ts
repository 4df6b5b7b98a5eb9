import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { type Database, openDb } from '../db/open.ts'
import { transact } from '../db/transact.ts'
import { rowsRead } from '../testing/query-plan.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { removeTags, tagsOfEach } from './item-tags.ts'

const [KNOWN, NEW] = ['01a2b3c4-0000-7000-8000-000000000001', '01a2b3c4-0000-7000-8000-000000000002']
const [TAGS, ITEMS, TAGS_OF_ITEM] = [400, 50, 20]

const idsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}-0000-7000-8000-${String(at).padStart(12, '0')}`)

/** An owner with tags, and items that have some of them each. Resolves to the ids of the items. */
async function fill(db: Database, owner_id: string): Promise<string[]> {
  const [tags, items] = [idsOf('01a2b3c5', TAGS), idsOf('01a2b3c6', ITEMS)]
  await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values (${owner_id}, ${owner_id}, ${owner_id}, 'Анна', 'Каренина', '', 0)`.execute(db)
  await sql`insert into tags (owner_id, id, name, name_key, notes_count, urllinks_count)
    select ${owner_id}, id, id, id, 0, 0 from unnest(${tags}::text[]) as tag (id)`.execute(db)
  await sql`insert into items (owner_id, id, kind, title, body, excerpt, created_at, updated_at, revision)
    select ${owner_id}, id, 'note', 'Заметка', '', '', 0, 0, 1 from unnest(${items}::text[]) as item (id)`.execute(
    db,
  )
  await sql`insert into item_tags (owner_id, item_id, tag_id, kind)
    select ${owner_id}, item.id, tag.id, 'note'
    from unnest(${items}::text[]) with ordinality as item (id, at), unnest(${tags}::text[]) with ordinality as tag (id, at)
    where (tag.at + 7 * item.at) % ${TAGS / TAGS_OF_ITEM} = 0`.execute(db)
  return items
}

it('reads each tag of items once, also of an owner whom the statistics do not know', async () => {
  const database = await createTestDatabase()
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = await openDb(database.settings, ({ sql, parameters }) => {
    asked.push({ sql, parameters })
  })
  onTestFinished(async () => {
    await db.destroy()
    await database.remove()
  })
  for (const table of ['tags', 'item_tags'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db)
  await fill(db, KNOWN)
  for (const table of ['tags', 'item_tags']) await sql`analyze ${sql.table(table)}`.execute(db)
  const items = await fill(db, NEW)
  asked.length = 0
  await transact(db, async (trx) => {
    const tags = await tagsOfEach(trx, NEW, items)
    expect([...tags.values()].map(({ length }) => length)).toEqual(items.map(() => TAGS_OF_ITEM))
  })
  const rollBack = new Error('The items keep their tags for the plans')
  const removal = transact(db, async (trx) => {
    await removeTags(trx, NEW, items)
    throw rollBack
  })
  await expect(removal).rejects.toBe(rollBack)
  const figures = []
  for (const statement of asked.filter((one) => one.sql.startsWith('select')))
    figures.push(await rowsRead(db, statement, 'tags'))
  // Once by their ids, and once more to lock them; which items have them is read beside that.
  expect(figures.map(({ read }) => read).filter((read) => read > 0)).toEqual([TAGS, TAGS])
  for (const { inVain } of figures) expect(inVain).toBe(0)
})

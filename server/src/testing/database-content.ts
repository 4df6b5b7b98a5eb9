import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { sqliteFile } from '../db/sqlite.ts'
import type { TestApp } from './create-test-app.ts'

/** All that a database holds, as text in lower case: on SQLite the bytes of its file. */
export async function contentOf(app: TestApp): Promise<string> {
  if (app.db.fullText === 'fts5') {
    await sql`vacuum`.execute(app.db)
    await sql`pragma wal_checkpoint(truncate)`.execute(app.db)
    return (await readFile(sqliteFile(app.database.settings.DATA_DIR))).toString('utf8').toLowerCase()
  }
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    app.db,
  )
  const texts = []
  for (const { name } of rows) {
    const content = await sql<{
      text: string
    }>`select whole::text as text from ${sql.table(name)} as whole`.execute(app.db)
    texts.push(...content.rows.map(({ text }) => text))
  }
  return texts.join('\n').toLowerCase()
}

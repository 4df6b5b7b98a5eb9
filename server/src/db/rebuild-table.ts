import { type Kysely, sql } from 'kysely'

interface Definition {
  sql: string
}

/**
 * Replaces a SQLite table by one with another definition and the same columns, for changes that `alter table` cannot make
 * (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes"). The migration must set `rebuildsTables`:
 * with foreign keys on, dropping the old table would delete the rows that reference it.
 */
export async function rebuildTable(
  db: Kysely<never>,
  table: string,
  change: (definition: string) => string,
): Promise<void> {
  const { rows: keys } = await sql<{ foreign_keys: number }>`pragma foreign_keys`.execute(db)
  if (keys[0]?.foreign_keys !== 0) throw new Error(`A migration that rebuilds ${table} says rebuildsTables.`)
  const definitionsOf = async (type: 'table' | 'index' | 'trigger'): Promise<string[]> => {
    const { rows } = await sql<Definition>`select sql from sqlite_master
      where type = ${type} and tbl_name = ${table} and sql is not null order by name`.execute(db)
    return rows.map((row) => row.sql)
  }
  const [before = ''] = await definitionsOf('table')
  const dependent = [...(await definitionsOf('index')), ...(await definitionsOf('trigger'))]
  const after = change(before)
  if (after === before)
    throw new Error(`The definition of ${table} is not what the migration expects: ${before}`)

  const rebuilt = `${table}_rebuilt`
  await sql.raw(after.replace(`"${table}"`, `"${rebuilt}"`)).execute(db)
  await sql`insert into ${sql.table(rebuilt)} select * from ${sql.table(table)}`.execute(db)
  await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`alter table ${sql.table(rebuilt)} rename to ${sql.table(table)}`.execute(db)
  for (const definition of dependent) await sql.raw(definition).execute(db)
}

import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { openReader } from './open.ts'

it('prepares statements, but none with a list: each length would be another one', async () => {
  const database = await createTestDatabase()
  const db = openReader(database.settings)
  await db.connection().execute(async (connection) => {
    for (const numbers of [
      [1, 2],
      [1, 2, 3],
    ]) {
      await sql`select 1 where 1 in (${sql.join(numbers)})`.execute(connection)
      await sql`values ${sql.join(numbers.map((number) => sql`(${number}::integer)`))}`.execute(connection)
    }
    await sql`select ${1}::integer as one`.execute(connection)
    const { rows } = await sql`select statement from pg_prepared_statements
      where statement not like '%pg_prepared_statements%'`.execute(connection)
    expect(rows).toEqual([{ statement: 'select $1::integer as one' }])
  })
  await db.destroy()
  await database.remove()
})

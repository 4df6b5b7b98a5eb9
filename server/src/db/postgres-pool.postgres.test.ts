import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { openReader } from './open.ts'

/** Twice as many texts are more than the names that the pool gives. */
const LENGTHS = 260

it('prepares statements also after lists of many lengths, each of which is another text', async () => {
  const database = await createTestDatabase()
  const db = openReader(database.settings)
  await db.connection().execute(async (connection) => {
    for (let length = 2; length < LENGTHS; length += 1) {
      const numbers = Array.from({ length }, (_, at) => at)
      await sql`select 1 where 1 in (${sql.join(numbers)})`.execute(connection)
      await sql`values ${sql.join(numbers.map((number) => sql`(${number}::integer)`))}`.execute(connection)
    }
    await sql`select ${'prepared'}::text as later`.execute(connection)
    const { rows } = await sql`select statement from pg_prepared_statements
      where statement like 'select $1::text as later'`.execute(connection)
    expect(rows).toHaveLength(1)
  })
  await db.destroy()
  await database.remove()
})

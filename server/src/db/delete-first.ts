import { type RawBuilder, sql } from 'kysely'
import type { Tables } from './schema.ts'
import { fullTextOf, statement, type Value } from './statement.ts'

interface Rows<Values> {
  table: keyof Tables
  /** With the owner it names a row. */
  key: string
  order: string
  /** Which rows of the owner. */
  where: (value: Value<Values>) => RawBuilder<unknown>
}

/**
 * A statement that deletes the first rows of an owner in an order, `limit` at most, and returns their keys. PostgreSQL looks
 * them up once, as an array: from a subquery it may look all rows through for each of them.
 */
export const deleteFirst = <Values extends { owner_id: string; limit: number }>({
  table,
  key,
  order,
  where,
}: Rows<Values>) =>
  statement((db, value: Value<Values>) => {
    const rows = sql`${sql.table(table)} where owner_id = ${value('owner_id')} and ${where(value)}`
    const first = sql`(select ${sql.ref(key)} from ${rows} order by ${sql.ref(order)} limit ${value('limit')})`
    const isFirst = fullTextOf(db) === 'fts5' ? sql`in ${first}` : sql`= any(array${first})`
    return sql<{
      key: string
    }>`delete from ${rows} and ${sql.ref(key)} ${isFirst} returning ${sql.ref(key)} as key`
  })

import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Not partitioned: emails are unique among all users (docs/scale.md). */
const UNPARTITIONED = 'users'

const partitionOf = (table: string, at: number): string => `${table}_on_${at}`

interface Named {
  name: string
}

interface ForeignKey extends Named {
  table: string
  definition: string
}

/**
 * Partitions the empty tables of a migrated PostgreSQL by `owner_id` into `count` partitions, as a distributed database
 * does: PostgreSQL then rejects every key without `owner_id`.
 */
export async function partitionByOwner(db: Db, count: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const run = (statement: string) => sql.raw(statement).execute(trx)
    const { rows: tables } = await sql<Named>`
      select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'owner_id' and relname <> ${UNPARTITIONED}
      order by relname`.execute(trx)
    const { rows: keys } = await sql<ForeignKey>`
      select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`.execute(trx)

    for (const { name, table } of keys) await run(`alter table ${table} drop constraint ${name}`)
    for (const { name } of tables) {
      await run(`alter table ${name} rename to ${name}_before`)
      await run(`create table ${name} (like ${name}_before including all) partition by hash (owner_id)`)
      await run(`drop table ${name}_before`)
      for (let at = 0; at < count; at += 1) {
        await run(`create table ${partitionOf(name, at)} partition of ${name}
          for values with (modulus ${count}, remainder ${at})`)
      }
    }
    for (const { name, table, definition } of keys)
      await run(`alter table ${table} add constraint ${name} ${definition}`)
  })
}

/** A statement that the server executed. */
export interface ExecutedStatement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Throws where PostgreSQL would read more than one partition for a statement, that is more than one machine of a
 * distributed database.
 */
export async function checkOnePartition(db: Db, statements: Iterable<ExecutedStatement>): Promise<void> {
  const crossing: string[] = []
  for (const statement of statements) {
    const plan = await planOf(db, statement)
    const partitions = new Set(
      Array.from(plan.matchAll(/"Relation Name":\s*"\w+_on_(\d+)"/g), ([, at]) => at),
    )
    if (partitions.size > 1) crossing.push(statement.sql)
  }
  if (crossing.length > 0) {
    throw new Error(
      `These read several partitions. Filter each table by one owner_id, or say in testing/check-statements.ts why not:\n${crossing.join('\n')}`,
    )
  }
}

async function planOf(db: Db, { sql: text, parameters }: ExecutedStatement): Promise<string> {
  const { rows } = await db.executeQuery({
    ...sql`select 1`.compile(db),
    sql: `explain (format json) ${text}`,
    parameters,
  })
  return JSON.stringify(rows)
}

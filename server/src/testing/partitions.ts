import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** Users stay together: an email is unique among all of them, whoever owns it (docs/scale.md). */
const WHOLE = 'users'

const partitionOf = (table: string, at: number): string => `${table}_on_${at}`

interface Named {
  name: string
}

interface ForeignKey extends Named {
  table: string
  definition: string
}

/**
 * Spreads the empty tables of a migrated PostgreSQL over `count` partitions by `owner_id`, as a database of many machines
 * spreads them: every key must then hold `owner_id`, or PostgreSQL refuses it.
 */
export async function spreadByOwner(db: Db, count: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const run = (statement: string) => sql.raw(statement).execute(trx)
    const { rows: tables } = await sql<Named>`
      select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'owner_id' and relname <> ${WHOLE}
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

/** A statement as the server asked it once. */
export interface Asked {
  sql: string
  parameters: readonly unknown[]
}

/**
 * Throws where PostgreSQL would look for the rows of a statement in more than one piece of the database, that is on more
 * than one machine.
 */
export async function checkOnePartition(db: Db, statements: Iterable<Asked>): Promise<void> {
  const spread: string[] = []
  for (const statement of statements) {
    const plan = await planOf(db, statement)
    const pieces = new Set(Array.from(plan.matchAll(/"Relation Name":\s*"\w+_on_(\d+)"/g), ([, at]) => at))
    if (pieces.size > 1) spread.push(statement.sql)
  }
  if (spread.length > 0) {
    throw new Error(
      `These ask several partitions. Hold each table to one owner_id, or say in testing/statements.ts why not:\n${spread.join('\n')}`,
    )
  }
}

async function planOf(db: Db, { sql: text, parameters }: Asked): Promise<string> {
  const { rows } = await db.executeQuery({
    ...sql`select 1`.compile(db),
    sql: `explain (format json) ${text}`,
    parameters,
  })
  return JSON.stringify(rows)
}

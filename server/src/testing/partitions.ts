import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** A statement that the server executed. */
export interface ExecutedStatement {
  sql: string
  parameters: readonly unknown[]
}

/** Plans of Citus that ask more than one shard, or bring rows to the coordinator in between. */
const ON_SHARDS = /"Task Count":\s*(?:[2-9]|\d\d)|"Subplans":/
/** Plans of Citus in which the rows of an insert do not come from the shard that takes them. */
const CARRIES_ROWS = /"INSERT\/SELECT method":/

/** Whether an insert takes its rows from a parameter alone: they come from the coordinator in any case. */
const insertsList = (text: string): boolean =>
  Array.from(text.matchAll(/\b(?:from|join) "?(\w+)/gi), ([, name]) => name).every(
    (name) => name === 'json_to_recordset' || name === 'unnest',
  )

/** Whether by its plan a statement stays within one partition, or on Citus within one shard. */
export function staysInOnePartition({ sql, plan }: { sql: string; plan: string }): boolean {
  const partitions = new Set(Array.from(plan.matchAll(/"Relation Name":\s*"\w+_on_(\d+)"/g), ([, at]) => at))
  if (partitions.size > 1 || ON_SHARDS.test(plan)) return false
  return !CARRIES_ROWS.test(plan) || insertsList(sql)
}

/**
 * Throws where PostgreSQL would read more than one partition for a statement, that is more than one machine of a
 * distributed database; on Citus where it asks more than one shard.
 */
export async function checkOnePartition(db: Db, statements: Iterable<ExecutedStatement>): Promise<void> {
  const crossing: string[] = []
  for (const statement of statements) {
    if (!staysInOnePartition({ sql: statement.sql, plan: await planOf(db, statement) }))
      crossing.push(statement.sql)
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

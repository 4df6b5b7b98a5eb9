import { sql } from 'kysely'
import type { Database } from '../db/open.ts'

/** A step of a plan in the JSON of PostgreSQL's EXPLAIN. */
interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

const nodesIn = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)]

/** Rows that a plan reads from a table, and pairs of rows that its joins compare in vain. */
function rowsOf(plan: PlanNode, table: string): { read: number; inVain: number } {
  const rows = { read: 0, inVain: 0 }
  for (const node of nodesIn(plan)) {
    const loops = node['Actual Loops']
    rows.inVain += (node['Rows Removed by Join Filter'] ?? 0) * loops
    if (node['Relation Name'] === table)
      rows.read += (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * loops
  }
  return rows
}

/** Runs a statement once more, and tells what its plan read from a table on PostgreSQL. */
export async function rowsRead(
  db: Database,
  statement: { readonly sql: string; readonly parameters: readonly unknown[] },
  table: string,
): Promise<{ read: number; inVain: number }> {
  const explain = {
    ...sql`select 1`.compile(db),
    sql: `explain (analyze, format json) ${statement.sql}`,
    parameters: statement.parameters,
  }
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(explain)
  const figures = { read: 0, inVain: 0 }
  for (const { Plan } of rows.flatMap((row) => row['QUERY PLAN'])) {
    const { read, inVain } = rowsOf(Plan, table)
    figures.read += read
    figures.inVain += inVain
  }
  return figures
}

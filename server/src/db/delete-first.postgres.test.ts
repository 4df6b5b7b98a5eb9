import { sql } from 'kysely'
import { expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { deleteFirst } from './delete-first.ts'
import { openDb } from './open.ts'

interface Node {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Node[]
}

/** Rows that a plan has looked at. */
const looked = (node: Node): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) *
    node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, inner) => sum + looked(inner), 0)

const LIMIT = 50

it('looks at no other rows than those that it deletes, also where the database knows nothing of the table', async ({
  app,
  account: { id: owner_id },
}) => {
  const operation = {
    owner_id,
    id: 'o',
    action: 'delete_items',
    at: 0,
    items: 0,
    first_seq: 0,
    last_seq: 0,
  } as const
  await app.db.insertInto('operations').values(operation).execute()
  await sql`insert into operation_items (owner_id, operation_id, item_id)
    select ${owner_id}, 'o', lpad(at::text, 36, '0') from generate_series(1, 5000) as at`.execute(app.db)
  const remove = deleteFirst<{ owner_id: string; limit: number }>({
    ...{ table: 'operation_items', key: 'item_id', order: 'item_id' },
    where: () => sql`operation_id = 'o'`,
  })
  const sent: { sql: string; parameters: readonly unknown[] }[] = []
  const db = await openDb(app.database.settings, (statement) => sent.push(statement))
  const [first, ...others] = await remove(db, { owner_id, limit: LIMIT })
  await db.destroy()
  expect([first?.key, others.length]).toEqual(['1'.padStart(36, '0'), LIMIT - 1])
  const { sql: text, parameters } = sent.find((one) => one.sql.startsWith('delete')) ?? {
    sql: '',
    parameters: [],
  }
  // As the server runs it after a few times: with one plan for all values.
  const rows = await app.db.transaction().execute(async (trx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(trx)
    await sql`prepare first_rows as ${sql.raw(text)}`.execute(trx)
    const values = sql.join(parameters.map((value) => sql.lit(value)))
    const explained = await sql<{
      'QUERY PLAN': { Plan: Node }[]
    }>`explain (analyze, format json) execute first_rows(${values})`.execute(trx)
    return explained.rows
  })
  expect(looked(rows[0]?.['QUERY PLAN'][0]?.Plan ?? { 'Actual Rows': 1e9, 'Actual Loops': 1 })).toBeLessThan(
    10 * LIMIT,
  )
})

import { Kysely, sql } from 'kysely'
import { createMigrationsTable, type MigrationTables } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { postgresDialect } from './postgres.ts'
import { citusOf } from './spread-tables.ts'

/**
 * Every part of the schema by kind and name, with its definition, the same for equal schemas: relations with their columns,
 * constraints, indexes, triggers, rules, policies and functions. Without PostgreSQL's own and those of extensions, and
 * without triggers and rules that belong to a constraint or view.
 */
const PARTS = `
  with relations as (
    select pg_class.oid, relkind, relname as name, relrowsecurity from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind <> 'i'
        and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
  )
  select case relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'view' when 'S' then 'sequence' else 'relation' end
      || ' ' || name as name,
    relkind::text || relrowsecurity::text || coalesce((
      select string_agg(concat_ws(' ', attname, format_type(atttypid, atttypmod), collname, attnotnull, attidentity, attgenerated,
          pg_get_expr(adbin, adrelid)), ', ' order by attname)
        from pg_attribute left join pg_collation on pg_collation.oid = attcollation
          left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = relations.oid and attnum > 0 and not attisdropped
    ), '') as definition
    from relations
  union all
  select 'constraint ' || conname || ' ' || name, pg_get_constraintdef(pg_constraint.oid)
    from relations join pg_constraint on conrelid = relations.oid
    -- PostgreSQL 18 lists what the columns say as constraints too.
    where contype <> 'n'
  union all
  select 'index ' || relname, pg_get_indexdef(indexrelid)
    from relations join pg_index on indrelid = relations.oid join pg_class on pg_class.oid = indexrelid
  union all
  select 'trigger ' || tgname || ' ' || name, pg_get_triggerdef(pg_trigger.oid)
    from relations join pg_trigger on tgrelid = relations.oid where not tgisinternal
  union all
  select 'rule ' || rulename || ' ' || name, pg_get_ruledef(pg_rewrite.oid)
    from relations join pg_rewrite on ev_class = relations.oid where rulename <> '_RETURN'
  union all
  select 'policy ' || polname || ' ' || name, pg_get_expr(polqual, polrelid)
    from relations join pg_policy on polrelid = relations.oid
  union all
  select 'function ' || proname, prosrc from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
    where nspname !~ '^pg_' and nspname <> 'information_schema'
      and not exists (select 1 from pg_depend where objid = pg_proc.oid and deptype = 'e')`

interface Part {
  name: string
  definition: string | null
}

/**
 * Names the parts of a schema that differ from what its migrations create: a trigger or a rule from elsewhere could change
 * what users save. Empty if there are none. `ddl`: the statements that create the schema. They run in the empty database at
 * `url`, in a transaction that is rolled back, as the migrations do.
 */
export async function postgresDifferences(
  url: string,
  ddl: string,
  applied: readonly string[],
): Promise<string[]> {
  const [given, expected] = [await partsAfterDdl(url, ddl), await partsAfterMigrations(url, applied)]
  return [...new Set([...given.keys(), ...expected.keys()])].filter(
    (name) => given.get(name) !== expected.get(name),
  )
}

/**
 * Gathers what PostgreSQL plans with, which a restored database has not: until it does so itself, it plans searches of large
 * tables badly.
 */
export const gatherStatistics = (url: string): Promise<void> =>
  inDatabase(url, async (db) => void (await sql`analyze`.execute(db)))

/** Whether the database at `url` has Citus, and whether it has spread tables. */
export const citusIn = (url: string): ReturnType<typeof citusOf> => inDatabase(url, citusOf)

/** Whether the database has tables or views, besides those that come with an extension. */
export const hasTables = (url: string): Promise<boolean> =>
  inDatabase(url, async (db) => {
    const { rows } = await sql`
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'f')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
      limit 1`.execute(db)
    return rows.length > 0
  })

async function inDatabase<T>(url: string, work: (db: Kysely<never>) => Promise<T>): Promise<T> {
  const db = new Kysely<never>({ dialect: postgresDialect(url).connectForMigrations() })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function partsAfterDdl(url: string, ddl: string): Promise<Map<string, string>> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(ddl)
    // As it was: pg_dump empties it. Names outside of it would be qualified.
    await client.query('reset search_path')
    return byName((await client.query<Part>(PARTS)).rows)
  } finally {
    // Ends the transaction as well.
    await client.end()
  }
}

async function partsAfterMigrations(url: string, applied: readonly string[]): Promise<Map<string, string>> {
  const db = new Kysely<MigrationTables>({ dialect: postgresDialect(url).connectForMigrations() })
  try {
    const trx = await db.startTransaction().execute()
    await createMigrationsTable(trx)
    for (const { name, up } of migrations)
      if (applied.includes(name)) await up(trx as unknown as Kysely<never>, 'tsvector')
    const { rows } = await sql.raw<Part>(PARTS).execute(trx)
    await trx.rollback().execute()
    return byName(rows)
  } finally {
    await db.destroy()
  }
}

const byName = (parts: readonly Part[]): Map<string, string> =>
  new Map(parts.map(({ name, definition }) => [name, definition ?? '']))

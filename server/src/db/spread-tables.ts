import {
  AddConstraintNode,
  AlterTableNode,
  type CreateTableNode,
  type Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  sql,
  type UnknownRow,
} from 'kysely'
import { type Dialect, type Machines, UnusableDatabase } from './dialect.ts'

// Tables spread over the machines of a Citus cluster (docs/scale.md).

/** Any connection: the tables of Citus are none of ours. */
type Any = Kysely<never>

interface Named {
  name: string
}

interface OwnedTable extends Named {
  hasOwner: boolean
}

/** A foreign key between two tables that are spread: both sides begin with the owner. */
interface SpreadKey extends Named {
  table: string
  target: string
  definition: string
}

/** Every machine has all rows: an email is unique among all users, and names its owner. */
const REFERENCE_TABLE = 'users'

/** All our tables, and whether each has an owner, that is whether it is spread. The schema says both: no table can be forgotten. */
async function tablesOf(db: Any): Promise<OwnedTable[]> {
  const { rows } = await sql<OwnedTable>`
    select relname as name, exists (
        select from pg_attribute where attrelid = pg_class.oid and attname = 'owner_id' and not attisdropped
      ) as "hasOwner"
    from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by relname = 'items' desc, relname`.execute(db)
  return rows
}

/** Whether a table is spread, or one row of its owner's lies on every machine. */
const isSpread = ({ name, hasOwner }: OwnedTable): boolean => hasOwner && name !== REFERENCE_TABLE

/** The foreign keys from and to spread tables. A table of which one end alone is spread can have none. */
async function keysBetweenSpread(db: Any): Promise<SpreadKey[]> {
  const { rows } = await sql<SpreadKey>`
    select conname as name, conrelid::regclass::text as "table", confrelid::regclass::text as target, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
      and confrelid <> ${sql.lit(REFERENCE_TABLE)}::regclass
    order by conname`.execute(db)
  return rows
}

const nameOf = (table: string) => sql.ref(table)

/** Drops a foreign key, which {@link addKey} adds again. */
const dropKey = (db: Any, { table, name }: SpreadKey): Promise<unknown> =>
  sql`alter table ${nameOf(table)} drop constraint ${sql.ref(name)}`.execute(db)

const addKey = (db: Any, { table, name, definition }: SpreadKey): Promise<unknown> =>
  sql`alter table ${nameOf(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(db)

/** Whether the database has Citus, and whether it has spread tables. PostgreSQL without Citus has not even the list of them. */
export async function citusOf(db: Any): Promise<{ isThere: boolean; hasSpread: boolean }> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass('pg_catalog.pg_dist_partition') is not null as is_there`.execute(db)
  if (!rows[0]?.is_there) return { isThere: false, hasSpread: false }
  const spread = await sql`select from pg_dist_partition limit 1`.execute(db)
  return { isThere: true, hasSpread: spread.rows.length > 0 }
}

/** Asks each machine of a database whose tables are spread; undefined for one that lies on one machine. */
export async function machinesOf(db: Any): Promise<Machines | undefined> {
  if (!(await citusOf(db)).hasSpread) return undefined
  return db.transaction().execute(async (trx) => {
    // A machine without power refuses nothing: the caller would wait half a minute.
    await sql`set local citus.node_connection_timeout = '500ms'`.execute(trx)
    const { rows } = await sql<Machines>`
      select count(*) filter (where success)::integer as reached, count(*) filter (where not success)::integer as away
      from run_command_on_workers('select 1')`.execute(trx)
    return rows[0]
  })
}

/** Runs DDL on one connection a machine: in one transaction Citus accepts foreign keys to `users` so alone. */
export const oneByOne = (trx: Any): Promise<unknown> =>
  sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx)

const spreadTable = (trx: Any, table: string): Promise<unknown> =>
  sql`select create_distributed_table(${table}, 'owner_id', colocate_with => ${table === 'items' ? 'none' : 'items'})`.execute(
    trx,
  )

/**
 * Settings of columns that Citus takes from nobody: `alter column … set` fails on a spread table. Migrations set them through
 * {@link setColumn}, and `npm run distribute` on every shard.
 */
export const COLUMN_SETTINGS: readonly { table: string; column: string; setting: string }[] = [
  { table: 'search_words', column: 'owner_id', setting: 'set (n_distinct = 10)' },
  { table: 'search_words', column: 'words', setting: 'set statistics 0' },
  { table: 'search_words', column: 'owner_id', setting: 'set storage plain' },
  { table: 'search_words', column: 'item_id', setting: 'set storage plain' },
  { table: 'search_words', column: 'kind', setting: 'set storage plain' },
  { table: 'file_chunks', column: 'bytes', setting: 'set storage external' },
]

/** Sets one of {@link COLUMN_SETTINGS}, or of an index, in a migration; on a spread table `npm run distribute` does it. */
export async function setColumn(
  db: Any,
  {
    kind = 'table',
    name,
    column,
    setting,
  }: { kind?: 'table' | 'index'; name: string; column: string; setting: string },
): Promise<void> {
  if ((await citusOf(db)).hasSpread) return
  const place = /^\d+$/.test(column) ? sql.raw(column) : sql.ref(column)
  await sql`alter ${sql.raw(kind)} ${nameOf(name)} alter column ${place} ${sql.raw(setting)}`.execute(db)
}

/**
 * Spreads what is not spread yet over the machines of the cluster, in one transaction: a table with an owner by the owner,
 * `users` on every machine, the others on the coordinator, where every machine finds them. Resolves to their names.
 */
export async function distributeTables(
  db: Any,
  { lockMigrations }: Pick<Dialect, 'lockMigrations'>,
): Promise<string[]> {
  const tables = await db.transaction().execute(async (trx) => {
    await lockMigrations(trx)
    await oneByOne(trx)
    const known = await knownToCitus(trx)
    const left = (await tablesOf(trx)).filter((table) => known.get(table.name) !== wantedOf(table))
    if (left.length === 0) return []
    const names = new Set(left.map(({ name }) => name))
    // Of tables that are spread one after the other, the second cannot refer to the first in between.
    const keys = (await keysBetweenSpread(trx)).filter(
      ({ table, target }) => names.has(table) || names.has(target),
    )
    for (const key of keys) await dropKey(trx, key)
    if (names.has(REFERENCE_TABLE)) await sql`select create_reference_table(${REFERENCE_TABLE})`.execute(trx)
    for (const table of left.filter(isSpread)) await spreadTable(trx, table.name)
    for (const key of keys) await addKey(trx, key)
    for (const { name } of left.filter(({ hasOwner }) => !hasOwner)) {
      if (known.has(name)) await sql`select undistribute_table(${name})`.execute(trx)
      await sql`select citus_add_local_table_to_metadata(${name})`.execute(trx)
    }
    return [...names]
  })
  await setColumnsOfShards(db)
  return tables
}

type Wanted = 'spread' | 'reference' | 'local'

const wantedOf = (table: OwnedTable): Wanted =>
  isSpread(table) ? 'spread' : table.hasOwner ? 'reference' : 'local'

/** How Citus keeps each table that it knows. A table that refers to `users` it makes known by itself, as a local one. */
async function knownToCitus(trx: Any): Promise<Map<string, Wanted>> {
  const { rows } = await sql<{ name: string; kept: Wanted }>`
    select relname as name, case
        when partmethod = 'h' then 'spread' when repmodel = 't' then 'reference' else 'local'
      end as kept
    from pg_dist_partition join pg_class on pg_class.oid = logicalrelid`.execute(trx)
  return new Map(rows.map(({ name, kept }) => [name, kept]))
}

/** On every shard, by connections of their own: after the transaction. */
async function setColumnsOfShards(db: Any): Promise<void> {
  const { rows: spread } = await sql<{ table: string; column: string }>`
    select relname as "table", attname as "column" from pg_dist_partition
    join pg_class on pg_class.oid = logicalrelid join pg_attribute on attrelid = logicalrelid where not attisdropped`.execute(
    db,
  )
  for (const { table, column, setting } of COLUMN_SETTINGS) {
    if (!spread.some((there) => there.table === table && there.column === column)) continue
    const { rows } = await sql<{ result: string }>`select result from run_command_on_shards(${table},
      ${`alter table %s alter column ${column} ${setting}`}) where not success`.execute(db)
    if (rows[0])
      throw new UnusableDatabase(`Не все машины приняли настройку таблицы ${table}: ${rows[0].result}`)
  }
}

/** Throws {@link UnusableDatabase} where the database is not of Citus or its cluster is not ready. */
export async function checkCluster(db: Any): Promise<void> {
  if (!(await citusOf(db)).isThere)
    throw new UnusableDatabase(
      'Это обычный PostgreSQL: разносить таблицы по машинам умеет Citus. Подключите его (create extension citus) и повторите, подробности в docs/scale.md.',
    )
  const { rows } = await sql<{ is_coordinator: boolean; has_coordinator: boolean; has_machines: boolean }>`
    select citus_is_coordinator() as is_coordinator,
      exists (select from pg_dist_node where groupid = 0) as has_coordinator,
      exists (select from pg_dist_node where shouldhaveshards and isactive) as has_machines`.execute(db)
  const [cluster] = rows
  if (!cluster?.is_coordinator)
    throw new UnusableDatabase('Это не координатор Citus: назовите в DATABASE_URL координатор.')
  if (!cluster.has_coordinator)
    throw new UnusableDatabase(
      "Citus не знает адреса координатора: выполните на нём select citus_set_coordinator_host('АДРЕС') и повторите.",
    )
  if (!cluster.has_machines)
    throw new UnusableDatabase(
      "В Citus нет ни одной машины для данных: добавьте их (select citus_add_node('АДРЕС', ПОРТ)) и повторите.",
    )
}

/**
 * Spreads each table as a migration creates it: the migration may fill it from spread tables, and refer to them. Its foreign
 * keys are added once it is spread, because a table that is not cannot refer to one that is.
 */
export class SpreadNewTables implements KyselyPlugin {
  readonly #trx: Any
  readonly #created = new WeakMap<PluginTransformQueryArgs['queryId'], CreateTableNode>()

  constructor(trx: Any) {
    this.#trx = trx
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind !== 'CreateTableNode' || !hasOwner(node)) return node
    this.#created.set(queryId, node)
    return { ...node, constraints: node.constraints?.filter(({ kind }) => kind !== FOREIGN_KEY) ?? [] }
  }

  async transformResult({ queryId, result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const created = this.#created.get(queryId)
    if (!created) return result
    await spreadTable(this.#trx, created.table.table.identifier.name)
    const executor = this.#trx.getExecutor()
    for (const constraint of created.constraints?.filter(({ kind }) => kind === FOREIGN_KEY) ?? []) {
      const addConstraint = AddConstraintNode.create(constraint)
      const alter = AlterTableNode.cloneWithTableProps(AlterTableNode.create(created.table), {
        addConstraint,
      })
      await this.#trx.executeQuery(executor.compileQuery(alter, queryId))
    }
    return result
  }
}

const FOREIGN_KEY = 'ForeignKeyConstraintNode'

const hasOwner = ({ columns }: CreateTableNode): boolean =>
  columns.some(({ column }) => column.column.name === 'owner_id')

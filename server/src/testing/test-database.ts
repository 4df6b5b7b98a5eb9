import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { migrations } from '../db/migrations/index.ts'
import { dialectFor, distribute, openDb } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import { standInForCitus } from './stand-in-for-citus.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL to test on; absent in a run on SQLite. */
    postgres?: string
    /** On PostgreSQL: prefix of the names of databases with all tables, from which others are copied. */
    templates?: string
    /** Number of partitions by owner on PostgreSQL; absent: tables are not partitioned. */
    partitions?: number
    /** URL of the coordinator of a Citus cluster: each database is spread over its machines. */
    citus?: string
  }
}

/** A new, empty database on SQLite or PostgreSQL, whichever this run tests. */
export interface TestDatabase {
  /** The server's settings for it. */
  readonly settings: { readonly DATA_DIR: string; readonly DATABASE_URL: string }
  readonly remove: () => Promise<void>
}

interface Wanted {
  /** URL of a server other than that of the run. */
  postgres?: string | undefined
  /** PostgreSQL: with all tables. Copying them takes a tenth of the time of migrations. */
  isMigrated?: boolean
}

export async function createTestDatabase({
  postgres = inject('postgres'),
  isMigrated = inject('partitions') !== undefined,
}: Wanted = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (postgres === undefined) {
    return { settings: { DATA_DIR: folder, DATABASE_URL: '' }, remove: removeFolder }
  }
  const name = `kopilka_${randomBytes(8).toString('hex')}`
  const citus = inject('citus')
  if (citus !== undefined) {
    const remove = await createOnCluster(citus, name)
    const settings = { DATA_DIR: folder, DATABASE_URL: urlOf(citus, name) }
    await distribute(settings)
    return { settings, remove: () => remove().then(removeFolder) }
  }
  await runAdminStatement(
    postgres,
    `create database ${name}${isMigrated ? ` template ${await templateOn(postgres)}` : ''}`,
  )
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: urlOf(postgres, name) },
    async remove() {
      await runAdminStatement(postgres, `drop database ${name} with (force)`)
      await removeFolder()
    },
  }
}

/**
 * Creates an empty database on every machine of the cluster whose coordinator has `citus`. Resolves to what removes it.
 * Few shards: each test file spreads all tables.
 */
export async function createOnCluster(citus: string, name: string): Promise<() => Promise<void>> {
  const { rows: nodes } = await runAdminStatement(
    citus,
    'select nodename, nodeport, groupid from pg_dist_node order by groupid',
  )
  const onNode = (node: pg.QueryResultRow, database: string) =>
    String(
      Object.assign(new URL(urlOf(citus, database)), {
        hostname: node.nodename,
        port: String(node.nodeport),
      }),
    )
  for (const node of nodes) {
    await runAdminStatement(onNode(node, 'postgres'), `create database ${name}`)
    await runAdminStatement(onNode(node, 'postgres'), `alter database ${name} set citus.shard_count = 4`)
    await runAdminStatement(onNode(node, name), 'create extension citus')
  }
  for (const { nodename, nodeport, groupid } of nodes)
    await runAdminStatement(
      urlOf(citus, name),
      groupid === 0
        ? `select citus_set_coordinator_host('${nodename}', ${nodeport})`
        : `select citus_add_node('${nodename}', ${nodeport})`,
    )
  return async () => {
    for (const node of nodes)
      await runAdminStatement(onNode(node, 'postgres'), `drop database ${name} with (force)`)
  }
}

const urlOf = (postgres: string, database: string): string =>
  String(Object.assign(new URL(postgres), { pathname: database }))

let template: Promise<string> | undefined

/** The name of a database with all tables. The first worker of a run that needs it creates it. */
function templateOn(postgres: string): Promise<string> {
  template ??= createTemplate(postgres)
  return template
}

async function createTemplate(postgres: string): Promise<string> {
  const partitions = inject('partitions')
  const name = `${inject('templates')}_${partitions ?? 'whole'}`
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  try {
    // Until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 1) return name
    await client.query(`create database ${name}_unfinished`)
    const settings = { DATA_DIR: '', DATABASE_URL: urlOf(postgres, `${name}_unfinished`) }
    if (partitions === undefined) await (await openDb(settings)).destroy()
    else await createPartitioned(settings, partitions)
    await client.query(`alter database ${name}_unfinished rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

/** Creates all tables in the empty database, partitioned by owner after the fifth migration: all later ones find them so. */
async function createPartitioned(settings: TestDatabase['settings'], partitions: number): Promise<void> {
  await runAdminStatement(settings.DATABASE_URL, standInForCitus(partitions))
  await distribute(settings, migrations.slice(0, 5))
  await distribute(settings)
}

/** Opens a database that is up to date on a connection that may write, unlike those of the server on SQLite. */
export async function openWritable(settings: TestDatabase['settings']): Promise<Kysely<Tables>> {
  await (await openDb(settings)).destroy()
  return new Kysely<Tables>({ dialect: dialectFor(settings).connectForMigrations() })
}

/** Runs an administrative statement on a connection of its own. */
export async function runAdminStatement(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}

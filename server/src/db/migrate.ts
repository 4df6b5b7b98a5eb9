import { type Kysely, sql } from 'kysely'
import { type Dialect, type FullText, UnusableDatabase } from './dialect.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'
import { citusOf, oneByOne, SpreadNewTables } from './spread-tables.ts'

/** The table that lists the applied migrations. */
export type MigrationTables = { migrations: { name: string } }

/**
 * Applies the missing migrations, each in its own transaction. Safe when two servers start at once or one is killed
 * midway. Throws {@link UnusableDatabase} if a newer version of the program created the database.
 */
export async function migrate(
  db: Kysely<MigrationTables>,
  { lockMigrations, fullText }: Pick<Dialect, 'lockMigrations' | 'fullText'>,
  list: readonly Migration[] = migrations,
): Promise<void> {
  const alone = <T>(work: (trx: Kysely<MigrationTables>) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (trx) => {
      await lockMigrations(trx)
      return work(trx)
    })

  const applied = await alone(async (trx) => {
    await createMigrationsTable(trx)
    return trx.selectFrom('migrations').select('name').execute()
  })
  const done = new Set(applied.map(({ name }) => name))
  refuseNewer(done, list)

  for (const { name, up, rebuildsTables } of list.filter(({ name }) => !done.has(name))) {
    const isRebuilding = rebuildsTables && fullText === 'fts5'
    // SQLite ignores this pragma inside transactions.
    if (isRebuilding) await sql`pragma foreign_keys = off`.execute(db)
    await alone(async (trx) => {
      // Another server may have applied it since.
      const row = await trx
        .selectFrom('migrations')
        .where('name', '=', name)
        .select('name')
        .executeTakeFirst()
      if (row) return
      await up(await spreading(trx as unknown as Kysely<never>, fullText), fullText)
      if (isRebuilding) await checkForeignKeys(trx)
      await trx.insertInto('migrations').values({ name }).execute()
    }).finally(async () => {
      if (isRebuilding) await sql`pragma foreign_keys = on`.execute(db)
    })
  }
}

/** The connection of a migration: where tables are spread over machines, it spreads those that the migration creates. */
async function spreading(trx: Kysely<never>, fullText: FullText): Promise<Kysely<never>> {
  if (fullText !== 'tsvector' || !(await citusOf(trx)).hasSpread) return trx
  await oneByOne(trx)
  return trx.withPlugin(new SpreadNewTables(trx))
}

/** Creates the table that lists the applied migrations, unless it is there. */
export async function createMigrationsTable(db: Kysely<MigrationTables>): Promise<void> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .execute()
}

async function checkForeignKeys(trx: Kysely<MigrationTables>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(trx)
  const [fault] = rows
  if (fault)
    throw new Error(`Rows of ${fault.table} would refer to rows of ${fault.parent} that do not exist.`)
}

/** Throws {@link UnusableDatabase} unless this version of the program, or an older one, applied these migrations. */
export function refuseForeign(applied: readonly string[]): void {
  const done = new Set(applied)
  if (!migrations.slice(0, 1).every(({ name }) => done.has(name))) {
    throw new UnusableDatabase('Это не база данных Копилки.')
  }
  refuseNewer(done, migrations)
}

function refuseNewer(done: ReadonlySet<string>, list: readonly Migration[]): void {
  const known = new Set(list.map(({ name }) => name))
  const unknown = [...done].find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new UnusableDatabase(
    `База данных новее программы (в ней есть изменение ${unknown}): обновите Копилку.`,
  )
}

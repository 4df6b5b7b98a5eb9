import { type Kysely, sql } from 'kysely'
import { migrations } from './migrations/index.ts'
import type { Db } from './schema.ts'

/** A change to the tables. Never edited once released: a later one corrects it. */
export interface Migration {
  /** Sorts after all before it: `001-first`. */
  readonly name: string
  readonly up: (db: Kysely<never>) => Promise<void>
}

/** The database was made by a newer program; `message` says what to do. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError'
}

type MigrationTables = { migrations: { name: string } }

/** Applies what is missing, each migration in a transaction of its own. Two servers may start at once. */
export async function migrate(db: Db, list: readonly Migration[] = migrations): Promise<void> {
  const plain = db.withTables<MigrationTables>()
  await sql`create table if not exists migrations (name text primary key)`.execute(db)

  for (const { name, up } of list) {
    await plain.transaction().execute(async (trx) => {
      const done = await trx
        .selectFrom('migrations')
        .select('name')
        .where('name', '=', name)
        .executeTakeFirst()
      if (done) return
      await up(trx as unknown as Kysely<never>)
      await trx.insertInto('migrations').values({ name }).execute()
    })
  }

  const known = new Set(list.map(({ name }) => name))
  const applied = await plain.selectFrom('migrations').select('name').execute()
  const unknown = applied.find(({ name }) => !known.has(name))
  if (unknown) {
    throw new NewerDatabaseError(
      `База данных новее программы (в ней есть изменение ${unknown.name}): обновите Копилку.`,
    )
  }
}

import pg from 'pg'

/** The database of this name on the server at `url`, created where it is missing. */
export async function openServer(url: string, name: string): Promise<{ address: string; isNew: boolean }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    const isNew = rowCount === 0
    if (isNew) await client.query(`create database ${client.escapeIdentifier(name)} encoding 'UTF8'`)
    return { address: String(Object.assign(new URL(url), { pathname: name })), isNew }
  } finally {
    await client.end()
  }
}

/** A database on a PostgreSQL server, which `remove` drops. */
interface OwnDatabase {
  readonly address: string
  readonly remove: () => Promise<void>
}

/** A new empty database on the server at `url`. */
export const createDatabase = (url: string, name: string): Promise<OwnDatabase> =>
  replaceDatabase(url, name, "template template0 encoding 'UTF8'")

/** A copy of the database at `url`, which nobody may use meanwhile, on the same server. */
export const copyDatabase = (url: string, name: string): Promise<OwnDatabase> =>
  replaceDatabase(url, name, `template ${pg.escapeIdentifier(new URL(url).pathname.slice(1))}`)

async function replaceDatabase(url: string, name: string, options: string): Promise<OwnDatabase> {
  const run = async (...statements: string[]) => {
    const client = new pg.Client({
      connectionString: String(Object.assign(new URL(url), { pathname: 'postgres' })),
    })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const quoted = pg.escapeIdentifier(name)
  const drop = `drop database if exists ${quoted} with (force)`
  await run(drop, `create database ${quoted} ${options}`)
  return { address: String(Object.assign(new URL(url), { pathname: name })), remove: () => run(drop) }
}

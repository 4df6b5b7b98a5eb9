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

/** A copy of the database at `url`, which nobody may use meanwhile, on the same server. */
export async function copyDatabase(
  url: string,
  name: string,
): Promise<{ address: string; remove: () => Promise<void> }> {
  const source = new URL(url).pathname.slice(1)
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
  await run(drop, `create database ${quoted} template ${pg.escapeIdentifier(source)}`)
  return { address: String(Object.assign(new URL(url), { pathname: name })), remove: () => run(drop) }
}

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

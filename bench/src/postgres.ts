import pg from 'pg'

/** The address of the database of this name on the server at `url`; the database is created where it is missing. */
export async function openServer(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)} encoding 'UTF8'`)
  } finally {
    await client.end()
  }
  return String(Object.assign(new URL(url), { pathname: name }))
}

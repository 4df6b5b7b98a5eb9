import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** Milliseconds. The database's own limit ends a statement first; the client's limit covers a database that no longer responds. */
export const LIMITS = {
  statement_timeout: 15_000,
  idle_in_transaction_session_timeout: 30_000,
  query_timeout: 20_000,
} as const

/**
 * Sets up the planner of a connection. PostgreSQL does not know what it costs to compare a long vector of words: for a question of
 * many words it would read all items of a small account, by a scan or by their key, though the index of words answers in a
 * fraction of the time. So nothing is scanned, rows of other indexes are dear, and pages in no order cost what they cost in
 * memory or on an SSD. Where a scan is all there is, its price would let PostgreSQL compile the plan first, which takes
 * longer than the scan. Statements, because PgBouncer refuses start-up parameters. Not for migrations: they read whole tables.
 */
export async function setPlanner(client: pg.ClientBase): Promise<void> {
  await client.query(
    'set enable_seqscan = off; set jit = off; set random_page_cost = 1.1; set cpu_index_tuple_cost = 0.5',
  )
}

/** Milliseconds that a request waits for a connection, whether new or released by another request. */
const CONNECTION_TIMEOUT = 4000

type Translate = (error: unknown) => unknown

/**
 * Opens a pool of connections to the PostgreSQL at `url`. Broken connections are replaced. Queries throw what `translate`
 * makes of an error of pg. Loads `pg` lazily: a server on SQLite does not need it.
 */
export async function openPool(
  url: string,
  translate: Translate,
  limits: pg.PoolConfig = {},
): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'kopilka',
    pipeline: true,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: typeParsers(pg.types) },
    ...limits,
  })
  // The pool emits errors of idle connections; a connection in use emits its own besides failing its query. Without a
  // listener for each, Node would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const nameOf = createStatementNames()

  async function connect(): Promise<PostgresPoolClient> {
    const client = await pool.connect().catch((error: unknown) => {
      throw translate(error)
    })
    const { stream } = client.connection
    const query = async (text: string, values: readonly unknown[]) => {
      const name = nameOf(text)
      // What is sent in one go takes one system call.
      stream.cork()
      queueMicrotask(() => stream.uncork())
      try {
        return await client.query({ text, values: [...values], ...(name !== undefined && { name }) })
      } catch (error) {
        // The next query would wait behind the one without a response.
        if (error instanceof Error && error.message === 'Query read timeout') void client.end()
        throw translate(error)
      }
    }
    // Its other form takes a cursor: it is for streams, which nobody asks for.
    return { query: query as never, release: (destroy) => client.release(destroy) }
  }

  return { options: pool.options, connect, end: () => pool.end() }
}

/** pg returns int8 as text. Counts and times stay far below 2^53, so numbers hold them. */
const typeParsers =
  (types: typeof pg.types): typeof pg.types.getTypeParser =>
  (oid: number, format?: 'text' | 'binary') =>
    oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)

/** A pool has fewer statements, but for those with lists. */
const MAX_STATEMENTS = 500
/** A list or rows of values: each length is another text, and few come twice. */
const LIST = / in \(\$\d+(?:::\w+)?, \$|\), \(\$/

/** Returns a function that names the prepared statement of a text: PostgreSQL plans a named statement once for a connection. */
function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined || names.size >= MAX_STATEMENTS || LIST.test(text)) return known
    const name = `kopilka_${names.size}`
    names.set(text, name)
    return name
  }
}

import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type RawBuilder,
  type Sql,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { Db } from './schema.ts'
import { DirectAdapter, type SqliteConnection } from './sqlite-connection.ts'

/** Keeps the place of a value while a statement is written. */
class Place {
  readonly name: string
  readonly asJson: boolean

  constructor(name: string, asJson = false) {
    this.name = name
    this.asJson = asJson
  }

  in(values: object): unknown {
    const value: unknown = Reflect.get(values, this.name)
    return this.asJson ? JSON.stringify(value) : value
  }
}

/** Says where values go. */
export interface Value<Values> {
  /** Names the value that is to stand here. */
  <Name extends keyof Values & string>(name: Name): RawBuilder<Values[Name]>
  /** Whether a column holds one of the texts of a list, however long: each length would be a statement of its own. */
  readonly among: (column: string, list: keyof Values & string) => RawBuilder<boolean>
}

function valueIn<Values>(db: Db): Value<Values> {
  const listed = db.getExecutor().adapter instanceof SqliteAdapter ? inJson : inArray
  return Object.assign(
    <Name extends keyof Values & string>(name: Name) => sql<Values[Name]>`${new Place(name)}`,
    {
      among: (column: string, list: string) => listed(sql.ref(column), list),
    },
  )
}

const inJson = (column: ReturnType<Sql['ref']>, list: string): RawBuilder<boolean> =>
  sql`${column} in (select value from json_each(${new Place(list, true)}))`
const inArray = (column: ReturnType<Sql['ref']>, list: string): RawBuilder<boolean> =>
  sql`${column} = any(${new Place(list)}::text[])`

/**
 * A statement that many requests run: built and compiled once a database, then run with other values each time.
 * Resolves to its rows. `write` says where values go: `value('owner_id')`.
 */
export function statement<Values extends object, Row>(
  write: (db: Db, value: Value<Values>) => Compilable<Row> | RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // Transactions share the adapter of their database.
  const written = new WeakMap<object, CompiledQuery<Row>>()

  function compiled(db: Db): CompiledQuery<Row> {
    const { adapter } = db.getExecutor()
    const known = written.get(adapter)
    if (known) return known
    const fresh = write(db, valueIn(db)).compile(db)
    written.set(adapter, fresh)
    return fresh
  }

  return async (db, values) => {
    const { query, sql: text, parameters: places } = compiled(db)
    const parameters = places.map((place) => (place instanceof Place ? place.in(values) : place))
    const direct = directConnection(db, text)
    if (direct) return direct.all<Row>(text, parameters)
    const { rows } = await db.executeQuery<Row>({ query, sql: text, queryId: createQueryId(), parameters })
    return rows
  }
}

/** The connection to SQLite, on which a statement needs nothing of Kysely. */
function directConnection(db: Db, text: string): SqliteConnection | undefined {
  const { adapter } = db.getExecutor()
  if (!(adapter instanceof DirectAdapter)) return undefined
  if (adapter.isInterim && (db.isTransaction || !adapter.direct?.isReadonly(text))) return undefined
  return adapter.direct
}

import {
  type Compilable,
  type CompiledQuery,
  createQueryId,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { FullText } from './dialect.ts'
import type { Db } from './schema.ts'
import { DirectAdapter, type SqliteConnection } from './sqlite-connection.ts'

/** Placeholder of a value while a statement is being built. */
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

/** Places values in a statement. A list is one parameter, so that lists of all lengths share one statement. */
export interface Value<Values> {
  /** The value of this name. */
  <Name extends keyof Values & string>(name: Name): RawBuilder<Values[Name]>
  /** The values of these names, for `values` and `set`. */
  readonly row: <Name extends keyof Values & string>(
    names: readonly Name[],
  ) => { [N in Name]: RawBuilder<Values[N]> }
  /** Whether a column is in a list of texts, or of numbers. */
  readonly among: (
    column: string,
    list: keyof Values & string,
    type?: 'text' | 'bigint',
  ) => RawBuilder<boolean>
  /** A list of objects as a table, `(...) as name`, with these texts as its columns. */
  readonly rows: (
    list: keyof Values & string,
    name: string,
    columns: readonly string[],
  ) => RawBuilder<unknown>
}

function valueIn<Values>(db: Db): Value<Values> {
  const { among, rows } = LISTS[fullTextOf(db)]
  const value = <Name extends keyof Values & string>(name: Name) => sql<Values[Name]>`${new Place(name)}`
  return Object.assign(value, {
    among,
    rows,
    row: <Name extends keyof Values & string>(names: readonly Name[]) =>
      // Object.fromEntries loses the names; they are those of `names`.
      Object.fromEntries(names.map((name) => [name, value(name)])) as {
        [N in Name]: RawBuilder<Values[N]>
      },
  })
}

const LISTS: Readonly<Record<FullText, Pick<Value<Record<string, unknown>>, 'among' | 'rows'>>> = {
  fts5: {
    among: (column, list) =>
      sql`${sql.ref(column)} in (select value from json_each(${new Place(list, true)}))`,
    rows: (list, name, columns) => {
      const each = columns.map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`)
      return sql`(select ${sql.join(each)} from json_each(${new Place(list, true)})) as ${sql.ref(name)}`
    },
  },
  tsvector: {
    among: (column, list, type = 'text') =>
      sql`${sql.ref(column)} = any(${new Place(list)}::${sql.raw(type)}[])`,
    rows: (list, name, columns) => {
      const each = columns.map((column) => sql`${sql.ref(column)} text`)
      const json = sql`cast(${new Place(list, true)} as json)`
      return sql`json_to_recordset(${json}) as ${sql.ref(name)}(${sql.join(each)})`
    },
  },
}

/** The full-text search of an open database. */
export const fullTextOf = (db: Db): FullText =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'fts5' : 'tsvector'

/**
 * A statement that is built and compiled once a database, then run with other values each time. The returned function
 * resolves to its rows. `write` places values with `value('owner_id')`.
 */
export function statement<Values extends object, Row>(
  write: (db: Db, value: Value<Values>) => Compilable<Row> | RawBuilder<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  // Keyed by the adapter, which transactions share with their database.
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
    const direct = directConnection(db)
    if (direct) return direct.all<Row>(text, parameters)
    const { rows } = await db.executeQuery<Row>({ query, sql: text, queryId: createQueryId(), parameters })
    return rows
  }
}

/** The SQLite connection of a database, on which a statement runs without Kysely; undefined on PostgreSQL. */
function directConnection(db: Db): SqliteConnection | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof DirectAdapter ? adapter.direct : undefined
}

import { type Compilable, type CompiledQuery, createQueryId, type RawBuilder, sql } from 'kysely'
import type { Db } from './schema.ts'

/** Keeps the place of a value while a statement is written. */
class Place {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Names the value that is to stand here. */
export type Value<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>

/**
 * A statement that every request asks: built and compiled once a database, then asked with other values each time.
 * Answers its rows. `write` says where values go: `value('owner_id')`.
 */
export function statement<Values extends object, Row>(
  write: (db: Db, value: Value<Values>) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const value: Value<Values> = (name) => sql`${new Place(name)}`
  // Transactions share the adapter of their database.
  const written = new WeakMap<object, CompiledQuery<Row>>()

  function compiled(db: Db): CompiledQuery<Row> {
    const { adapter } = db.getExecutor()
    const known = written.get(adapter)
    if (known) return known
    const fresh = write(db, value).compile()
    written.set(adapter, fresh)
    return fresh
  }

  return async (db, values) => {
    const { query, sql: text, parameters } = compiled(db)
    const { rows } = await db.executeQuery<Row>({
      query,
      sql: text,
      queryId: createQueryId(),
      parameters: parameters.map((parameter) =>
        parameter instanceof Place ? Reflect.get(values, parameter.name) : parameter,
      ),
    })
    return rows
  }
}

import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'

/** `dialect`, which throws what `translate` makes of each error of the database. */
export const translated = (dialect: Dialect, translate: (error: unknown) => unknown): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => new TranslatingDriver(dialect.createDriver(), translate),
})

type Translate = (error: unknown) => unknown

async function translating<T>(work: Promise<T>, translate: Translate): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw translate(error)
  }
}

class TranslatingDriver implements Driver {
  readonly #driver: Driver
  readonly #translate: Translate
  readonly #connections = new WeakMap<DatabaseConnection, TranslatingConnection>()

  constructor(driver: Driver, translate: Translate) {
    this.#driver = driver
    this.#translate = translate
  }

  init: Driver['init'] = (options) => translating(this.#driver.init(options), this.#translate)

  acquireConnection: Driver['acquireConnection'] = async (options) => {
    const inner = await translating(this.#driver.acquireConnection(options), this.#translate)
    const known = this.#connections.get(inner) ?? new TranslatingConnection(inner, this.#translate)
    this.#connections.set(inner, known)
    return known
  }

  beginTransaction: Driver['beginTransaction'] = (connection, settings) =>
    translating(this.#driver.beginTransaction(connection, settings), this.#translate)

  commitTransaction: Driver['commitTransaction'] = (connection) =>
    translating(this.#driver.commitTransaction(connection), this.#translate)

  rollbackTransaction: Driver['rollbackTransaction'] = (connection) =>
    translating(this.#driver.rollbackTransaction(innerOf(connection)), this.#translate)

  releaseConnection: Driver['releaseConnection'] = (connection, options) =>
    this.#driver.releaseConnection(innerOf(connection), options)

  destroy: Driver['destroy'] = (options) => this.#driver.destroy(options)
}

class TranslatingConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection
  readonly #translate: Translate

  constructor(inner: DatabaseConnection, translate: Translate) {
    this.inner = inner
    this.#translate = translate
  }

  executeQuery<R>(...asked: Parameters<DatabaseConnection['executeQuery']>): Promise<QueryResult<R>> {
    return translating(this.inner.executeQuery<R>(...asked), this.#translate)
  }

  streamQuery<R>(
    ...asked: Parameters<DatabaseConnection['streamQuery']>
  ): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(...asked)
  }
}

/** Drivers keep things of their own on their connections. */
const innerOf = (connection: DatabaseConnection): DatabaseConnection =>
  connection instanceof TranslatingConnection ? connection.inner : connection

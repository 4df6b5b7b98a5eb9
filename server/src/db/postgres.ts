import {
  type ColumnDefinitionNode,
  type DataTypeNode,
  PostgresDialect,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import type pg from 'pg'
import { codeOf, DatabaseConflict, DatabaseUnavailable } from '../errors.ts'
import { noteDamage, refuseDamaged } from './damage.ts'
import { type Dialect, UnusableDatabase } from './dialect.ts'
import { LIMITS, openPool, setPlanner } from './postgres-pool.ts'
import { machinesOf } from './spread-tables.ts'

const OLDEST = 15
/** Of a server, besides those of its worker threads. */
export const MAX_CONNECTIONS = 10
/** Any number of ours: the holder of this advisory lock migrates the database. */
const MIGRATION_LOCK = 5_061_986

/** PostgreSQL 15 or newer at `url`. */
export const postgresDialect = (url: string): Dialect => ({
  fullText: 'tsvector',

  connect: (_log, max = MAX_CONNECTIONS) => {
    const noting = (error: unknown) => {
      noteDamage(url, error)
      return translated(error)
    }
    return new BytewiseDialect({
      pool: async () => openPool(url, noting, { ...LIMITS, onConnect: setPlanner, max }),
    })
  },
  connectForMigrations: () => new BytewiseDialect({ pool: async () => openPool(url, translated) }),

  async check(db) {
    const { rows } = await sql<{ version: number; encoding: string }>`
      select current_setting('server_version_num')::integer as version,
        current_setting('server_encoding') as encoding`.execute(db)
    const { version, encoding } = rows[0] ?? { version: 0, encoding: '' }
    if (version < OLDEST * 10_000) {
      const major = Math.floor(version / 10_000)
      throw new UnusableDatabase(`PostgreSQL ${major} слишком старый: нужен ${OLDEST} или новее.`)
    }
    if (encoding !== 'UTF8') {
      throw new UnusableDatabase(
        `База данных в кодировке ${encoding} потеряет часть букв: создайте её с encoding 'UTF8'.`,
      )
    }
  },

  // Without synchronous_commit a crash of the database loses the latest writes; without fsync one of the machine, everything.
  async durabilityWarning(db) {
    const { rows } = await sql<Record<string, string>>`
      select current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync`.execute(
      db,
    )
    const off = Object.entries(rows[0] ?? {}).filter(([, value]) => value === 'off')
    if (off.length === 0) return undefined
    const settings = off.map(([name]) => `${name}=off`).join(', ')
    return `PostgreSQL подтверждает записи раньше, чем они на диске (${settings}): сбой может их унести. Включите эти настройки в PostgreSQL.`
  },

  checkFiles: () => refuseDamaged(url),

  machines: machinesOf,

  async lockMigrations(trx) {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
  },

  explain(error) {
    const code = codeOf(error)
    const because = error instanceof Error && error.message ? ` (${error.message})` : ''
    if (/^28/.test(code))
      return `PostgreSQL не принял имя или пароль: проверьте настройку DATABASE_URL.${because}`
    if (code === '3D000')
      return `Такой базы данных нет: создайте её или проверьте настройку DATABASE_URL.${because}`
    if (code === '42501')
      return `Не хватает прав в базе данных: дайте пользователю право создавать таблицы.${because}`
    if (/SSL|TLS|CERT|SIGNATURE/.test(code) || /SSL/.test(because))
      return `Не удалось установить защищённое соединение с PostgreSQL: проверьте sslmode в DATABASE_URL.${because}`
    return isUnavailable(error)
      ? `PostgreSQL не отвечает: запустите его или проверьте настройку DATABASE_URL.${because}`
      : undefined
  },
})

/** As `connectForMigrations`, on a single connection, which `onConnect` gets: for what Kysely has no word for. */
export const onOneConnection = (url: string, onConnect: (client: pg.ClientBase) => void): PostgresDialect =>
  new BytewiseDialect({
    pool: async () => openPool(url, translated, { max: 1, onConnect, pipeline: false }),
  })

/**
 * Errors after which the transaction is tried again: serialization failures, deadlocks, and violations of keys, because
 * another transaction has just inserted the same row or deleted the referenced one.
 */
const CONFLICT = new Set(['40001', '40P01', '23503', '23505'])

/**
 * PostgreSQL's classes of errors that may pass: connections, resources (disk full, too many connections), operator
 * intervention (shutdown, statement timeout), a lock timeout, a database that is read-only, refused or unknown; then the
 * codes of Node.
 */
const UNAVAILABLE =
  /^(?:08...|53...|57...|55P03|25006|25P03|28...|3D000|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)$/

/**
 * Messages of libpq about a lost connection, which Citus passes on from a connection between its machines: their code is
 * that of an internal error, because the machine that ended did not say one.
 */
const MACHINE_LOST =
  /^(?:server closed the connection unexpectedly|no connection to the server|could not (?:receive data from|send data to) (?:the )?server|SSL (?:connection has been closed|SYSCALL error)|connection not open|failure on connection marked as essential|failed to prepare transaction)/

/** Messages of pg and its pool about a lost connection: these errors have no code. */
const LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

function isUnavailable(error: unknown): boolean {
  const [code, message] = [codeOf(error), messageOf(error)]
  return (
    UNAVAILABLE.test(code) ||
    (code === '' && LOST.test(message)) ||
    (code === 'XX000' && MACHINE_LOST.test(message))
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Maps an error of pg to {@link DatabaseConflict} or {@link DatabaseUnavailable} where it is one, and removes quoted rows. */
function translated(error: unknown): unknown {
  withoutRows(error)
  if (CONFLICT.has(codeOf(error))) return new DatabaseConflict(messageOf(error), { cause: error })
  return isUnavailable(error) ? new DatabaseUnavailable(messageOf(error), { cause: error }) : error
}

/** Removes the rows that PostgreSQL quotes in errors: they hold users' texts, which must not reach the log. */
function withoutRows(error: unknown): void {
  if (!(error instanceof Error)) return
  if ('detail' in error) error.detail = undefined
  if ('where' in error) error.where = undefined
}

/** Creates text columns with collation "C": they compare by bytes as in SQLite, whatever the collation of the database. */
class BytewiseDialect extends PostgresDialect {
  override createQueryCompiler() {
    return new BytewiseCompiler()
  }
}

class BytewiseCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node)
    const ofColumn = this.parentNode?.kind === ('ColumnDefinitionNode' satisfies ColumnDefinitionNode['kind'])
    if (node.dataType === 'text' && ofColumn) this.append(' collate "C"')
  }
}

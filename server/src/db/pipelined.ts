import { Transaction } from 'kysely'
import type { Tables, Trx } from './schema.ts'
import { fullTextOf } from './statement.ts'

/** A transaction asks its executor alone. */
const UNUSED = {} as never

/**
 * PostgreSQL's codes of a statement that is refused because an earlier one of the transaction has failed: as such, or because that
 * one would have prepared it.
 */
const AFTER_FAILURE: ReadonlySet<unknown> = new Set(['25P02', '26000'])

const isAfterFailure = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && AFTER_FAILURE.has(reason.code)

type Part = (trx: Trx) => Promise<unknown>

type Results<Parts extends readonly Part[]> = {
  -readonly [Key in keyof Parts]: Awaited<ReturnType<Parts[Key]>>
}

/**
 * Runs parts of a transaction of which none needs what another resolves to. On SQLite they run one after the other. PostgreSQL gets
 * their statements without waiting in between (protocol-flow.html#PROTOCOL-FLOW-PIPELINING in its documentation), and runs them
 * in the order in which they are sent: first those that the parts send before they wait, in the order of the parts. All
 * parts have ended when it resolves to their results, or throws: of the errors of the first parts one that is not the consequence
 * of another.
 */
export async function pipelined<const Parts extends readonly Part[]>(
  trx: Trx,
  parts: Parts,
): Promise<Results<Parts>> {
  // The order of the results is that of the parts.
  if (fullTextOf(trx) === 'fts5') return (await inTurn(trx, parts)) as Results<Parts>
  const executor = trx.getExecutor()
  return executor.provideConnection(async (connection) => {
    // That of Kysely runs one statement after the other.
    const provider = {
      provideConnection: <T>(use: (own: typeof connection) => Promise<T>) => use(connection),
    }
    const props = { config: UNUSED, driver: UNUSED, dialect: UNUSED }
    const sending = new Transaction<Tables>({ ...props, executor: executor.withConnectionProvider(provider) })
    return (await ended(parts.map((part) => part(sending)))) as Results<Parts>
  })
}

/** A part after a failed one does not begin: SQLite may have rolled back by itself, and would commit its statements one by one. */
async function inTurn(trx: Trx, parts: readonly Part[]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const part of parts) results.push(await part(trx))
  return results
}

/** After the end of the transaction its connection has another: nothing may be sent late. */
async function ended(work: readonly Promise<unknown>[]): Promise<unknown[]> {
  const results = await Promise.allSettled(work)
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (reasons.length > 0) throw reasons.find((reason) => !isAfterFailure(reason)) ?? reasons[0]
  return results.map((result) => result.status === 'fulfilled' && result.value)
}

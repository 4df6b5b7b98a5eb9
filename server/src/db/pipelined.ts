import { Transaction } from 'kysely'
import type { Tables, Trx } from './schema.ts'
import { fullTextOf } from './statement.ts'

/** A transaction asks its executor alone. */
const UNUSED = {} as never

/** PostgreSQL's code of a statement that it refuses because an earlier one of the transaction has failed. */
const AFTER_FAILURE = '25P02'

const isAfterFailure = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === AFTER_FAILURE

type Results<Work extends readonly Promise<unknown>[]> = { -readonly [Key in keyof Work]: Awaited<Work[Key]> }

/**
 * Runs parts of a transaction of which none needs what another responds. PostgreSQL gets their statements without waiting
 * between them (protocol-flow.html#PROTOCOL-FLOW-PIPELINING in its documentation), and runs them in the order in which they
 * are sent: first those that the parts begin with, in the order of the parts. All parts have ended when it resolves to
 * their results, or throws the error of the one that failed first.
 */
export async function pipelined<const Work extends readonly Promise<unknown>[]>(
  trx: Trx,
  begin: (trx: Trx) => Work,
): Promise<Results<Work>> {
  if (fullTextOf(trx) === 'fts5') return ended(begin(trx))
  const executor = trx.getExecutor()
  return executor.provideConnection(async (connection) => {
    // That of Kysely runs one statement after the other.
    const provider = {
      provideConnection: <T>(use: (own: typeof connection) => Promise<T>) => use(connection),
    }
    const props = { config: UNUSED, driver: UNUSED, dialect: UNUSED }
    return ended(
      begin(new Transaction<Tables>({ ...props, executor: executor.withConnectionProvider(provider) })),
    )
  })
}

/** After the end of the transaction its connection has another: nothing may be sent late. */
async function ended<Work extends readonly Promise<unknown>[]>(work: Work): Promise<Results<Work>> {
  const results = await Promise.allSettled(work)
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  if (reasons.length > 0) throw reasons.find((reason) => !isAfterFailure(reason)) ?? reasons[0]
  // The order of the results is that of the work.
  return results.map((result) => result.status === 'fulfilled' && result.value) as Results<Work>
}

import type { Trx } from './schema.ts'

/**
 * A write operation. It runs in one transaction, perhaps in another thread and perhaps more than once, so `run` uses
 * only `trx` and `args`, and both `args` and the result can be structured-cloned. An `AppError` that it throws rolls back
 * its own changes alone.
 */
export interface Command<Args, Result> {
  /** Unique: `items.create`. */
  readonly name: string
  readonly run: (trx: Trx, args: Args) => Promise<Result>
}

/** Declares a command. List it in `server/src/commands.ts`. */
export const command = <Args, Result>(
  name: string,
  run: Command<Args, Result>['run'],
): Command<Args, Result> => ({ name, run })

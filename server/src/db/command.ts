import type { Trx } from './schema.ts'

interface CommandOptions<Args> {
  /** The buffers of the arguments that may be moved to another thread instead of copied: the caller reads them no more. */
  readonly moved?: ((args: Args) => readonly ArrayBuffer[]) | undefined
  /**
   * Whether it is committed before it is on the disk. A power failure may take it away, with whatever of its kind was committed
   * since, until the next command without this option is committed: only for steps that are taken again then. See decision 025.
   */
  readonly isDeferred?: boolean | undefined
}

/**
 * A write operation. It runs in one transaction, perhaps in another thread and perhaps more than once, so `run` uses
 * only `trx` and its arguments, and both arguments and result can be structured-cloned. An `AppError` that it throws
 * rolls back its own changes alone.
 */
export interface Command<Args, Result, Prepared = Args> extends CommandOptions<Args> {
  /** Unique: `items.create`. */
  readonly name: string
  /** Does the work that needs no database, so that the transaction holds no lock for it; resolves to the transaction's part. */
  readonly ready: (args: Args) => Promise<(trx: Trx) => Promise<Result>>
  readonly run: (trx: Trx, args: Prepared) => Promise<Result>
}

/** A command of any argument and result types. */
export interface AnyCommand {
  readonly name: string
  readonly isDeferred?: boolean | undefined
  readonly ready: (args: never) => Promise<(trx: Trx) => Promise<unknown>>
}

/** Declares a command. List it in `server/src/commands.ts`. */
export const command = <Args, Result>(
  name: string,
  run: Command<Args, Result>['run'],
): Command<Args, Result> => preparedCommand(name, (args) => args, run)

/** Declares a command with a `prepare` step. List it in `server/src/commands.ts`. */
export const preparedCommand = <Args, Prepared, Result>(
  name: string,
  prepare: (args: Args) => Prepared | Promise<Prepared>,
  run: (trx: Trx, args: Prepared) => Promise<Result>,
  options: CommandOptions<Args> = {},
): Command<Args, Result, Prepared> => ({
  ...options,
  name,
  run,
  ready: async (args) => {
    const prepared = await prepare(args)
    return (trx) => run(trx, prepared)
  },
})

interface Named {
  readonly owner_id?: unknown
}

/** The arguments that say whose command it is: themselves, or one of these. Those of the server's own say nothing. */
type Owned = Named & { readonly [name in 'key' | 'operation' | 'caller' | 'job']?: Named }

/** The owner that the arguments of a command name, or the first of its list of arguments; undefined for the server's own. */
export function ownerOf(args: unknown): string | undefined {
  const first = (Array.isArray(args) ? args[0] : args) as Owned | null | undefined
  const owner_id = [first, first?.key, first?.operation, first?.caller, first?.job].find(
    (each) => typeof each?.owner_id === 'string',
  )?.owner_id
  return typeof owner_id === 'string' ? owner_id : undefined
}

import type { AnyCommand } from './db/command.ts'

/** Everything that writes into the database. The writing thread knows commands by this list. */
export const commands: readonly AnyCommand[] = []

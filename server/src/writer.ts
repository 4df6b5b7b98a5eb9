import { commands } from './commands.ts'
import { runCommands } from './db/sqlite-commands.ts'

/** The thread that writes into SQLite (db/sqlite-writer.ts starts it). */
export const run = runCommands(commands)

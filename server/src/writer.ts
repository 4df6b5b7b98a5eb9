import { commands } from './commands.ts'
import { runCommands } from './db/sqlite-commands.ts'

// Entry of the writer thread of SQLite (db/sqlite-writer.ts starts it).
runCommands(commands)

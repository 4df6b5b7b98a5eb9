// `npm run backup [-- --to FILE]`: a copy of the database of the settings, made while the server goes on working.
import { parseArgs } from 'node:util'
import { loadConfig } from '../server/src/config.ts'
import { backupFile, namedFile, sizeOf } from './backup/new-file.ts'
import { backUpPostgres } from './backup/postgres.ts'
import { backUpSqlite } from './backup/sqlite.ts'
import { runCommand } from './command.ts'

const USAGE = 'npm run backup [-- --to ФАЙЛ]'

await runCommand(USAGE, async () => {
  const { to } = parseArgs({ options: { to: { type: 'string' } } }).values
  const { DATA_DIR, DATABASE_URL } = loadConfig()
  const ending = DATABASE_URL === '' ? '.sqlite' : '.dump'
  const path = to === undefined ? backupFile(DATA_DIR, ending) : namedFile(to, ending)
  if (DATABASE_URL === '') await backUpSqlite(DATA_DIR, path)
  else await backUpPostgres(DATABASE_URL, path)
  console.log(`Копия готова: ${path} (${sizeOf(path)})`)
})

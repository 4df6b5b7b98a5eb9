// `npm run restore -- FILE [--force]`: replaces the database of the settings by a copy made by `npm run backup`.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadConfig } from '../server/src/config.ts'
import { restorePostgres } from './backup/postgres.ts'
import { restoreSqlite } from './backup/sqlite.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'

const USAGE = 'npm run restore -- ФАЙЛ [--force]'

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    options: { force: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [file] = positionals
  if (file === undefined || positionals.length > 1) throw new CliError(`Нужен один файл: ${USAGE}`)
  const path = resolve(file)
  const { DATA_DIR, DATABASE_URL } = loadConfig()
  if (DATABASE_URL === '') await restoreSqlite(DATA_DIR, path, values)
  else await restorePostgres(DATABASE_URL, path)
  console.log(`Восстановлено из ${path}. Теперь запустите Копилку: npm start`)
})

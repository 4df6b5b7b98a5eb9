// `npm run distribute`: spreads the tables over the machines of a Citus cluster (docs/scale.md).
import { loadConfig } from '../server/src/config.ts'
import { distribute } from '../server/src/db/open.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'

await runCommand('npm run distribute', async () => {
  const config = loadConfig()
  if (config.DATABASE_URL === '')
    throw new CliError('База SQLite лежит на одной машине: назовите в DATABASE_URL координатор Citus.')
  const tables = await distribute(config)
  console.log(
    tables.length > 0
      ? `Таблицы переданы под управление Citus: ${tables.join(', ')}.`
      : 'Все таблицы уже разнесены по машинам.',
  )
})

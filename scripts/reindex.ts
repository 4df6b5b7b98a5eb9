// `npm run reindex`: rebuilds the search index from the items, also while the server runs.
import { loadConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/open.ts'
import { maintainIndex, reindex } from '../server/src/search/indexer.ts'
import { createWorkerPool } from '../server/src/threads/worker-pool.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'

const SAID = {
  busy: 'Индекс уже перестраивает сервер или другая такая команда: подождите, пока они закончат.',
  stopped: 'Индекс не достроен: повторите npm run reindex.',
} as const

await runCommand('npm run reindex', async () => {
  const config = loadConfig()
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  try {
    const { total } = await db
      .selectFrom('items')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const bar = createProgressBar('Индекс', total)
    const outcome = await reindex(
      { db, pool, clock: Date.now },
      { onProgress: (done) => bar.show(Math.min(done, total)), signal: ending.signal },
    )
    if (outcome !== 'done') throw new CliError(`\n${SAID[outcome]}`)
    await maintainIndex(db, ending.signal)
    bar.finish()
  } finally {
    await pool.close()
    await db.destroy()
  }
})

// `npm run reindex`: makes the index of search anew from the items, also while the server runs.
import { loadConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/open.ts'
import { createReindex } from '../server/src/items/reindex.ts'
import { searchIndexes } from '../server/src/search/indexes.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'

const SAID = {
  busy: 'Индекс уже перестраивает сервер или другая такая команда: подождите, пока они закончат.',
  stopped: 'Индекс не достроен: повторите npm run reindex.',
} as const

await runCommand('npm run reindex', async () => {
  const db = await openDb(loadConfig())
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  try {
    const clock = Date.now
    const { total } = await db
      .selectFrom('items')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const bar = createProgressBar('Индекс', total)
    const reindex = createReindex({
      db,
      index: searchIndexes[db.fullText],
      clock,
    })
    const outcome = await reindex.run({
      onProgress: (done) => bar.show(Math.min(done, total)),
      signal: ending.signal,
    })
    if (outcome !== 'done') throw new CliError(`\n${SAID[outcome]}`)
    bar.finish()
  } finally {
    await db.destroy()
  }
})

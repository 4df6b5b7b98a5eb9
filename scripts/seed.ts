// `npm run seed -- --items 10000 --email you@example.org [--password …] [--seed 1]`:
// fills an account with believable notes and links, to try things on. The database is that of the settings.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { accounts } from '@kopilka/contract/accounts.ts'
import { type Config, loadConfig } from '../server/src/config.ts'
import { type Database, openDb } from '../server/src/db/open.ts'
import { quotasOf } from '../server/src/db/usage.ts'
import { AppError } from '../server/src/errors.ts'
import { linkMapping, noteMapping } from '../server/src/items/item.ts'
import { createItemStore } from '../server/src/items/store.ts'
import { maintainIndex, reindex } from '../server/src/search/indexer.ts'
import type { Pool } from '../server/src/threads/pool.ts'
import { createWorkerPool } from '../server/src/threads/worker-pool.ts'
import { createUsers, type Users } from '../server/src/users/users.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'
import { sampleItems } from './samples/sample-items.ts'

const USAGE = 'npm run seed -- --items 10000 --email you@example.org [--password …] [--seed 1]'

interface Wanted {
  items: number
  email: string
  password: string | undefined
  seed: number
}

function readArguments(): Wanted {
  const { values } = parseArgs({
    options: {
      items: { type: 'string', default: '1000' },
      email: { type: 'string', default: '' },
      password: { type: 'string' },
      seed: { type: 'string', default: '1' },
    },
  })
  const [items, seed] = [Number(values.items), Number(values.seed)]
  if (!Number.isInteger(items) || items < 1 || !Number.isInteger(seed) || !values.email) {
    throw new CliError(`Нужны число записей и адрес: ${USAGE}`)
  }
  return { items, email: values.email, password: values.password, seed }
}

/** The owner of this email. Creates a missing account and prints its generated password. */
async function ownerOf({ email, password }: Wanted, users: Users): Promise<string> {
  const chosen = password ?? randomBytes(9).toString('hex')
  const account = { first_name: 'Анна', last_name: 'Каренина', email, password: chosen }
  const valid = accounts.register.body.safeParse(account)
  if (!valid.success)
    throw new CliError(`Такой адрес или пароль не подойдёт (пароль — от 6 символов): ${USAGE}`)
  try {
    const { id } = await users.register(valid.data)
    console.log(`Создана учётная запись: ${valid.data.email}, пароль: ${chosen}`)
    return id
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (password === undefined)
      throw new CliError('Такая учётная запись уже есть: добавьте --password с её паролем.')
    const { owner_id } = await users.checkCredentials(valid.data).catch(() => {
      throw new CliError('Такая учётная запись уже есть, но пароль не подходит.')
    })
    return owner_id
  }
}

/** Items of a transaction: few, because a server on the same database waits meanwhile. */
const BATCH = 50
/** Milliseconds between two transactions, in which waiting writers can begin. */
const PAUSE = 5

async function fillAccount(
  config: Config,
  { db, pool }: { db: Database; pool: Pool },
  owner_id: string,
  { items, seed }: Wanted,
): Promise<void> {
  const clock = Date.now
  const store = createItemStore({ db, clock, pool, quotas: quotasOf(config) })

  const bar = createProgressBar('Записи', items)
  const samples = sampleItems({ count: items, seed, until: clock() })
  for (let done = 0; done < items; ) {
    const batch = firstOf(samples, BATCH)
    await store.createMany(
      batch.map((item) => ({
        owner_id,
        kind: item.kind,
        created_at: item.created_at,
        draft: item.kind === 'note' ? noteMapping.toDraft(item.save) : linkMapping.toDraft(item.save),
      })),
    )
    done += batch.length
    bar.show(done)
    await sleep(PAUSE)
  }
  await maintainIndex(db)
  bar.finish()
}

/** The next `count` of them, fewer at their end. */
function firstOf<T>(values: Generator<T>, count: number): T[] {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = values.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

await runCommand(USAGE, async () => {
  const wanted = readArguments()
  const config = loadConfig()
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  try {
    const isEmpty = (await db.selectFrom('items').select('id').limit(1).execute()).length === 0
    // The index of nothing is of this version: else the first server would build that of the samples anew.
    if (isEmpty) await reindex({ db, pool, clock: Date.now })
    const owner_id = await ownerOf(wanted, createUsers(db, Date.now))
    await fillAccount(config, { db, pool }, owner_id, wanted)
    console.log(`База: ${config.DATABASE_URL === '' ? config.DATA_DIR : 'PostgreSQL'}`)
  } finally {
    await pool.close()
    await db.destroy()
  }
})

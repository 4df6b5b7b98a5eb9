import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import type { Account } from '../new-account.ts'
import { createRandom } from '../random.ts'
import type { WriteLog } from './write-log.ts'
import { write } from './writers.ts'

const WRITERS = 16

/** Time limit of a wait in milliseconds, generous for a busy machine. */
const TIME_LIMIT = 60_000

interface Load {
  readonly client: Client
  readonly account: Account
  readonly writeLog: WriteLog
  /** Determines everything that is written. */
  readonly seed: number
}

/** Runs `work` while the writers write, then waits for them to finish. */
export async function underLoad<T>(
  { client, account, writeLog, seed }: Load,
  work: () => Promise<T>,
): Promise<T> {
  let working = true
  const writing = { client, token: account.session.access_token, writeLog, working: () => working }
  const writers = Array.from({ length: WRITERS }, (_, at) =>
    write({ ...writing, name: `w${at}`, random: createRandom(seed + at) }),
  )
  try {
    return await work()
  } finally {
    working = false
    await Promise.all(writers)
  }
}

/** Waits until so many more writes are acknowledged. */
export async function moreAcknowledged(writeLog: WriteLog, count: number): Promise<void> {
  const deadline = performance.now() + TIME_LIMIT
  const wanted = writeLog.acknowledged() + count
  while (writeLog.acknowledged() < wanted) {
    if (performance.now() > deadline) {
      const [unexpected = ''] = writeLog.unexpectedResponses
      throw new Error(
        `За ${TIME_LIMIT / 1000} с подтверждено ${writeLog.acknowledged()} вместо ${wanted}. ${unexpected}`,
      )
    }
    await sleep(2)
  }
}

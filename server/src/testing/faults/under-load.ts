import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import type { Account } from '../new-account.ts'
import { createRandom } from '../random.ts'
import type { Ledger } from './ledger.ts'
import { write } from './writers.ts'

const WRITERS = 16

/** Milliseconds in which what is waited for must have come about, also on a machine with much else to do. */
const CEILING = 60_000

interface Load {
  readonly client: Client
  readonly account: Account
  readonly ledger: Ledger
  /** What is written depends on this alone. */
  readonly seed: number
}

/** Does `work` while many write, and lets them come to an end. */
export async function underLoad<T>(
  { client, account, ledger, seed }: Load,
  work: () => Promise<T>,
): Promise<T> {
  let working = true
  const writing = { client, token: account.session.access_token, ledger, working: () => working }
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

/** Until so many more writes are acknowledged. */
export async function moreAcknowledged(ledger: Ledger, count: number): Promise<void> {
  const deadline = performance.now() + CEILING
  const wanted = ledger.acknowledged() + count
  while (ledger.acknowledged() < wanted) {
    if (performance.now() > deadline) {
      const [wrong = ''] = ledger.wrongAnswers
      throw new Error(
        `За ${CEILING / 1000} с подтверждено ${ledger.acknowledged()} вместо ${wanted}. ${wrong}`,
      )
    }
    await sleep(2)
  }
}

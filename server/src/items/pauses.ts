import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Trx } from '../db/schema.ts'

/** Milliseconds that one request works on before others get their turn. */
const SPELL = 10

/** Something to await between the steps of long work: now and then others get their turn there. */
export function createPauses(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SPELL) return
    await nextTurn()
    begun = performance.now()
  }
}

/**
 * The transaction, in which others get their turn between statements that take long. Whoever asks SQLite waits for its
 * end all the same: it has one connection.
 */
export function withPauses(trx: Trx): Trx {
  const pause = createPauses()
  return trx.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await pause()
      return result
    },
  })
}

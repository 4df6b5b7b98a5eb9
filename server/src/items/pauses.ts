import { setImmediate as nextTurn } from 'node:timers/promises'

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

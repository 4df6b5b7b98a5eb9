const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop that no other caller of this function gets: however many long responses are made
 * at once, others wait for one piece of one of them.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })

function next(): void {
  const [resolve] = waiting
  resolve?.()
  // The caller works in a microtask, before the next turn.
  waiting.shift()
  if (waiting.length > 0) setImmediate(next)
}

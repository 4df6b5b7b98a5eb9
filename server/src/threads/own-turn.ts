/**
 * Turns of the event loop between two pieces of long work. Node accepts one new connection a turn. If every turn also did a
 * piece of long work, waiting connections would be accepted one per piece. An idle turn takes some microseconds.
 */
const TURNS_BETWEEN = 50

const waiting: (() => void)[] = []

/**
 * Resolves in a turn of the event loop that no other caller of this function gets: however many long responses are made
 * at once, others wait for one piece of one of them.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) afterTurns(next)
  })

function next(): void {
  const [resolve] = waiting
  resolve?.()
  // The caller works in a microtask, before the next turn.
  waiting.shift()
  if (waiting.length > 0) afterTurns(next)
}

/** Calls `resume` when others have had their turns. */
export function afterTurns(resume: () => void, turns = TURNS_BETWEEN): void {
  setImmediate(turns > 1 ? () => afterTurns(resume, turns - 1) : resume)
}

/**
 * Iterations of the event loop between two pieces of long work. Node accepts one new connection in each. If every iteration
 * also did a piece of long work, waiting connections would be accepted one per piece. An idle iteration takes some
 * microseconds.
 */
const ITERATIONS_BETWEEN = 50

const waiting: (() => void)[] = []

/**
 * Resolves in an iteration of the event loop that no other caller of this function gets: however many long responses are
 * made at once, others wait for one piece of one of them.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) afterIterations(next)
  })

function next(): void {
  const [resolve] = waiting
  resolve?.()
  // The caller works in a microtask, before the next iteration.
  waiting.shift()
  if (waiting.length > 0) afterIterations(next)
}

/**
 * Calls `handle` with each part of a list, of this many members, in an iteration of its own. A list of one part is handled at
 * once.
 */
export async function inParts<T, Result>(
  list: readonly T[],
  size: number,
  handle: (part: readonly T[]) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < list.length; at += size) {
    if (list.length > size) await yieldToEventLoop()
    results.push(await handle(list.slice(at, at + size)))
  }
  return results
}

/** Calls `resume` some iterations of the event loop later. */
export function afterIterations(resume: () => void, iterations = ITERATIONS_BETWEEN): void {
  setImmediate(iterations > 1 ? () => afterIterations(resume, iterations - 1) : resume)
}

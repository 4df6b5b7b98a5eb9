/** Requests that are routed in one iteration of the event loop: of all that came in it, some milliseconds of work. */
const ROUTED = 20

/**
 * Returns a function that calls `route` at once or, after many requests in one iteration of the event loop, in a later one: those that
 * wait are in a queue for each address, served round robin. An iteration receives all that has come, and reading the caller and
 * counting a burst would otherwise be one piece of work. How many wait is bounded by what a connection may have under way.
 */
export function createRoutingQueue(): (address: string, route: () => void) => void {
  /** Queues by address, in round-robin order. */
  const queues = new Map<string, (() => void)[]>()
  let routed = 0
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(next)
  }

  function next(): void {
    isScheduled = false
    routed = 0
    // A queue that is put back at the end has another turn.
    for (const [address, queue] of queues) {
      if (routed === ROUTED) break
      const route = queue.shift()
      queues.delete(address)
      if (queue.length > 0) queues.set(address, queue)
      routed += 1
      route?.()
    }
    if (routed > 0) schedule()
  }

  return (address, route) => {
    schedule()
    const queue = queues.get(address)
    if (queue) queue.push(route)
    else if (routed === ROUTED) queues.set(address, [route])
    else {
      routed += 1
      route()
    }
  }
}

/** Requests that are routed in one iteration of the event loop: of all that came in it, some milliseconds of work. */
const ROUTED = 20

/** The same in an iteration in which a connection was accepted, on average. */
const ROUTED_BESIDE_CONNECTION = 0.1

/**
 * Routes requests in queues of their networks, served round robin, a few in each iteration of the event loop. An iteration receives all
 * that has come, and reading the caller and counting a burst would otherwise be one piece of work. But it accepts one connection only:
 * while more connections wait, few requests are routed, because whoever connects last would otherwise wait for the work of all before.
 * How many requests wait is bounded by what a connection may have under way.
 */
export function createRoutingQueue() {
  /** Queues by network, in round-robin order. */
  const queues = new Map<string, (() => boolean)[]>()
  /** How many may be routed by now. */
  let free = ROUTED
  let hasConnection = false
  let isScheduled = false

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(next)
  }

  function next(): void {
    isScheduled = false
    free = hasConnection ? Math.min(ROUTED, free + ROUTED_BESIDE_CONNECTION) : ROUTED
    hasConnection = false
    // A queue that is put back at the end has another turn.
    for (const [network, queue] of queues) {
      if (free < 1) break
      const route = queue.shift()
      queues.delete(network)
      if (queue.length > 0) queues.set(network, queue)
      if (route?.()) free -= 1
    }
    if (free < ROUTED) schedule()
  }

  return {
    /** A connection was accepted in this iteration. */
    connected(): void {
      hasConnection = true
    },

    /** Calls `route` at once or in a later iteration. It returns false where the client has gone. */
    add(network: string, route: () => boolean): void {
      schedule()
      const queue = queues.get(network)
      if (queue) queue.push(route)
      else if (free < 1) queues.set(network, [route])
      else if (route()) free -= 1
    },
  }
}

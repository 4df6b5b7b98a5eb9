import type { Socket } from 'node:net'
import { networkOf } from './ip-address.ts'

/**
 * Most connections of an address, or of an IPv6 network: an unfinished head of each takes up to MAX_HEAD_BYTES (connections.ts),
 * and how many a process may have is limited, too. Browsers have six.
 */
const MAX_CONNECTIONS = 300

/** Networks that {@link ConnectionLimitOptions.onTooMany} reports. */
const MAX_REPORTED = 100

export interface ConnectionLimitOptions {
  readonly most?: number
  /** Proxies have the connections of everybody. */
  readonly isProxy?: (address: string) => boolean
  /** Called with the first address of a network whose connection is closed because it has too many. */
  readonly onTooMany?: (address: string) => void
}

interface Network {
  connections: number
  /** Connections that had a response and wait for the next request, in the order in which they began to. */
  readonly idle: Set<Socket>
}

/**
 * Limits how many connections a network has. One more takes the place of the one that has been idle for the longest time, as that of a
 * person whose colleagues read; where none is idle, it is refused.
 */
export function createConnectionLimit({
  most = MAX_CONNECTIONS,
  isProxy = () => false,
  onTooMany = () => {},
}: ConnectionLimitOptions = {}) {
  const networks = new Map<string, Network>()
  const counted = new WeakMap<Socket, Network>()
  const reported = new Set<string>()

  return {
    /** Counts a connection until it is closed; false if there is no place for it. */
    add(socket: Socket): boolean {
      const { remoteAddress } = socket
      if (remoteAddress === undefined || isProxy(remoteAddress)) return true
      const key = networkOf(remoteAddress)
      const network = networks.get(key) ?? { connections: 0, idle: new Set() }
      if (network.connections >= most) {
        if (!reported.has(key) && reported.size < MAX_REPORTED) {
          reported.add(key)
          onTooMany(remoteAddress)
        }
        const [longest] = network.idle
        if (!longest) return false
        network.idle.delete(longest)
        longest.destroySoon()
      }
      network.connections += 1
      networks.set(key, network)
      counted.set(socket, network)
      socket.once('close', () => {
        network.connections -= 1
        network.idle.delete(socket)
        if (network.connections === 0) networks.delete(key)
      })
      return true
    },

    /** Says whether a connection waits for its next request. */
    setIdle(socket: Socket, isIdle: boolean): void {
      const idle = counted.get(socket)?.idle
      if (isIdle && !socket.destroyed) idle?.add(socket)
      else idle?.delete(socket)
    },
  }
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { Random } from '../../server/src/testing/random.ts'

/** What happens to a connection: nothing, or it is cut before the server, during the request, or before the response has come. */
const FATES = ['passes', 'before', 'during', 'after', 'in response'] as const

/** A proxy that cuts connections at random. `failing`: the share of those that it cuts. */
export async function startCuttingProxy(target: string, random: Random) {
  const { hostname, port } = new URL(target)
  const state = { failing: 0 }
  const server = createServer((client) => {
    const fate = random.chance(state.failing) ? random.pick(FATES.slice(1)) : 'passes'
    client.on('error', () => {})
    if (fate === 'before') return void client.destroy()
    const upstream = connect(Number(port), hostname)
    upstream.on('error', () => client.destroy())
    client.on('data', (data) => {
      if (fate !== 'during') return void upstream.write(data)
      upstream.end(data.subarray(0, random.between(1, data.length - 1)))
      client.destroy()
    })
    upstream.on('data', (data) => {
      if (fate === 'passes') return void client.write(data)
      // The server has done what was asked.
      if (fate === 'in response') client.write(data.subarray(0, random.between(1, data.length - 1)))
      setImmediate(() => client.destroy())
    })
    client.on('close', () => upstream.destroySoon())
    upstream.on('close', () => client.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${own}`,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

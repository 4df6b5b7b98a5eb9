import { expect, it } from 'vitest'
import { createRoutingQueue } from './routing-queue.ts'

const iteration = () => new Promise<void>((resolve) => setImmediate(resolve))

it('routes twenty requests of an iteration, and the others in the next ones, in turns between their addresses', async () => {
  const queue = createRoutingQueue()
  const routed: string[] = []
  const ask = (address: string, name: string) => queue.add(address, () => routed.push(name) > 0)
  for (let at = 1; at <= 60; at += 1) ask('a', `a${at}`)
  ask('b', 'b1')
  ask('b', 'b2')
  expect(routed).toHaveLength(20)
  await iteration()
  expect(routed).toHaveLength(40)
  expect(routed.slice(20, 26)).toEqual(['a21', 'b1', 'a22', 'b2', 'a23', 'a24'])
  await iteration()
  await iteration()
  expect(routed.filter((name) => name.startsWith('a'))).toEqual(
    Array.from({ length: 60 }, (_, at) => `a${at + 1}`),
  )
})

it('routes at once what comes in later iterations', async () => {
  const queue = createRoutingQueue()
  let routed = 0
  for (let round = 1; round <= 3; round += 1) {
    for (let count = 0; count < 20; count += 1)
      queue.add('a', () => {
        routed += 1
        return true
      })
    expect(routed).toBe(round * 20)
    await iteration()
    await iteration()
  }
})

it('routes few requests while connections are accepted, in turns between addresses, and all others afterwards', async () => {
  const queue = createRoutingQueue()
  const routed: string[] = []
  const connect = async (address: string) => {
    queue.connected()
    queue.add(address, () => routed.push(address) > 0)
    await iteration()
  }
  for (let at = 0; at < 100; at += 1) await connect('a')
  expect(routed.length).toBeGreaterThan(20)
  expect(routed.length).toBeLessThan(40)
  const before = routed.length
  await connect('b')
  for (let at = 0; at < 20; at += 1) await connect('a')
  expect(routed.slice(before)).toContain('b')
  expect(routed.slice(before).length).toBeLessThan(5)
  for (let at = 0; at < 10; at += 1) await iteration()
  expect(routed).toHaveLength(121)
})

it('routes at once where connections are accepted one by one', async () => {
  const queue = createRoutingQueue()
  let routed = 0
  for (let at = 1; at <= 50; at += 1) {
    queue.connected()
    queue.add('a', () => {
      routed += 1
      return true
    })
    expect(routed).toBe(at)
    await iteration()
    await iteration()
  }
})

it('counts no request whose client has gone', async () => {
  const queue = createRoutingQueue()
  let asked = 0
  const add = (isThere: boolean) =>
    queue.add('a', () => {
      asked += 1
      return isThere
    })
  for (let at = 0; at < 100; at += 1) add(false)
  expect(asked).toBe(100)
  for (let at = 0; at < 30; at += 1) add(true)
  expect(asked).toBe(120)
  await iteration()
  expect(asked).toBe(130)
})

import { expect, it } from 'vitest'
import { createRoutingQueue } from './routing-queue.ts'

const iteration = () => new Promise<void>((resolve) => setImmediate(resolve))

it('routes twenty requests of an iteration, and the others in the next ones, in turns between their addresses', async () => {
  const route = createRoutingQueue()
  const routed: string[] = []
  const ask = (address: string, name: string) => route(address, () => routed.push(name))
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
  const route = createRoutingQueue()
  let routed = 0
  for (let round = 1; round <= 3; round += 1) {
    for (let count = 0; count < 20; count += 1)
      route('a', () => {
        routed += 1
      })
    expect(routed).toBe(round * 20)
    await iteration()
    await iteration()
  }
})

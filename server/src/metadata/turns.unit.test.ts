import { expect, it, vi } from 'vitest'
import { createTurns } from './turns.ts'

const RULES = { atOnce: 2, ofOwner: 1, waiting: 2, patience: 60_000 }

/** Work that lasts until it is told to end. */
function createWork(inTurn: ReturnType<typeof createTurns>, log: string[]) {
  return (owner: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = inTurn(owner, () => {
      log.push(owner)
      return promise
    }).catch(({ message }) => void log.push(`${owner} ${message}`))
    return async () => {
      resolve()
      await done
    }
  }
}

it('goes in order, past those whose owner has his share', async () => {
  const log: string[] = []
  const begin = createWork(createTurns(RULES), log)
  const endFirst = begin('a')
  const endSecond = begin('a')
  const endOther = begin('b')
  const endLast = begin('c')
  expect(log).toEqual(['a', 'b'])
  await endOther()
  expect(log).toEqual(['a', 'b', 'c'])
  await endFirst()
  expect(log).toEqual(['a', 'b', 'c', 'a'])
  await Promise.all([endSecond(), endLast()])
})

it('refuses at once where enough are waiting', async () => {
  const log: string[] = []
  const begin = createWork(createTurns(RULES), log)
  const ends = Array.from({ length: 4 }, () => begin('a'))
  await vi.waitFor(() => expect(log).toEqual(['a', 'a rateLimited']))
  for (const end of ends) await end()
  expect(log).toEqual(['a', 'a rateLimited', 'a', 'a'])
})

it('refuses after a while who waits', async () => {
  const log: string[] = []
  const begin = createWork(createTurns({ ...RULES, patience: 20 }), log)
  const end = begin('a')
  await begin('a')()
  expect(log).toEqual(['a', 'a rateLimited'])
  await end()
  await begin('a')()
  expect(log).toEqual(['a', 'a rateLimited', 'a'])
})

it('gives the turn back where the work fails', async () => {
  const inTurn = createTurns({ ...RULES, atOnce: 1 })
  await expect(inTurn('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(await inTurn('b', async () => 'done')).toBe('done')
})

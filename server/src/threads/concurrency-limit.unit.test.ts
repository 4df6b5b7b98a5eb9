import { expect, it, vi } from 'vitest'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'

const LIMITS = { total: 2, perOwner: 1, waiting: 2, timeout: 60_000 }

/** Creates tasks that run until the test ends them. */
function createTasks({ run }: ConcurrencyLimit, log: string[]) {
  return (owner: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const done = run(owner, () => {
      log.push(owner)
      return promise
    }).catch(({ message }) => void log.push(`${owner} ${message}`))
    return async () => {
      resolve()
      await done
    }
  }
}

it('starts tasks in order, skipping owners at their limit', async () => {
  const log: string[] = []
  const begin = createTasks(createConcurrencyLimit(LIMITS), log)
  const endFirst = begin('a')
  const endSecond = begin('a')
  const endOther = begin('b')
  const endLast = begin('c')
  await vi.waitFor(() => expect(log).toEqual(['a', 'b']))
  await endOther()
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c']))
  await endFirst()
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c', 'a']))
  await Promise.all([endSecond(), endLast()])
})

it('serves owners round-robin, however many tasks one of them has waiting', async () => {
  const log: string[] = []
  const begin = createTasks(createConcurrencyLimit({ ...LIMITS, total: 1, waiting: 10 }), log)
  const ends = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(begin)
  await Promise.all(ends.map((end) => end()))
  expect(log).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
})

it('refuses an owner with too many waiting tasks at once, and nobody else', async () => {
  const log: string[] = []
  const begin = createTasks(createConcurrencyLimit({ ...LIMITS, total: 1 }), log)
  const ends = ['a', 'a', 'a', 'a', 'b'].map(begin)
  await vi.waitFor(() => expect(log).toEqual(['a', 'a rateLimited']))
  await Promise.all(ends.map((end) => end()))
  expect(log).toEqual(['a', 'a rateLimited', 'a', 'b', 'a'])
})

it('refuses a task that waits too long', async () => {
  const log: string[] = []
  const begin = createTasks(createConcurrencyLimit({ ...LIMITS, timeout: 20 }), log)
  const end = begin('a')
  await begin('a')()
  expect(log).toEqual(['a', 'a rateLimited'])
  await end()
  await begin('a')()
  expect(log).toEqual(['a', 'a rateLimited', 'a'])
})

it('removes an aborted task from the queue', async () => {
  const { enter } = createConcurrencyLimit({ ...LIMITS, total: 1 })
  const release = await enter('a')
  const gone = new AbortController()
  const waiting = enter('b', { signal: gone.signal })
  gone.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  release()
  release()
  await enter('c')
})

it('limits a group in total and of one owner, beside which other tasks of the owner start', async () => {
  const { enter, waiting } = createConcurrencyLimit({ total: 10, perOwner: 3 })
  const group = { name: 'searches', total: 2, perOwner: 1 }
  const log: string[] = []
  const begin = async (owner: string) => {
    const release = await enter(owner, { group })
    log.push(owner)
    return release
  }
  const [first, second] = [begin('a'), begin('a')]
  await enter('a')
  const third = begin('b')
  const fourth = begin('c')
  await vi.waitFor(() => expect(log).toEqual(['a', 'b']))
  expect(waiting()).toBe(2)
  ;(await third)()
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c']))
  ;(await first)()
  await vi.waitFor(() => expect(log).toEqual(['a', 'b', 'c', 'a']))
  ;(await second)()
  ;(await fourth)()
  expect(waiting()).toBe(0)
})

it('frees the place of a task that fails', async () => {
  const { run } = createConcurrencyLimit({ ...LIMITS, total: 1 })
  await expect(run('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x')
  expect(await run('b', async () => 'done')).toBe('done')
})

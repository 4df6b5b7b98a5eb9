import { afterAll, expect, it } from 'vitest'
import { createPool } from './pool.ts'
import type { SampleTask } from './sample-thread.ts'

const pool = createPool<SampleTask, string>(new URL('sample-thread.ts', import.meta.url), {
  threads: 2,
  memory: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
})
afterAll(() => pool.close())

const WAITING = ['a', 'b', 'c', 'd']

it('runs the tasks that wait once aborted ones have ended all threads', async () => {
  const gone = new AbortController()
  const endless = Promise.allSettled(
    [1, 2].map(() => pool.run({ does: 'never ends' }, { signal: gone.signal })),
  )
  const waiting = WAITING.map((text) => pool.run({ does: 'answers', text }))
  expect(pool.waiting()).toBe(WAITING.length)
  gone.abort(new Error('gone'))
  for (const { status } of await endless) expect(status).toBe('rejected')
  expect(await Promise.all(waiting)).toEqual(WAITING)
})

it.each(['takes too much memory', 'ends its thread'] as const)(
  'runs the tasks that wait once a task that %s has failed',
  async (does) => {
    const failing = Promise.allSettled([1, 2].map(() => pool.run({ does })))
    const waiting = WAITING.map((text) => pool.run({ does: 'answers', text }))
    for (const { status } of await failing) expect(status).toBe('rejected')
    expect(await Promise.all(waiting)).toEqual(WAITING)
  },
)

it('forgets a task that is given up before its turn', async () => {
  const gone = new AbortController()
  const endless = Promise.allSettled(
    [1, 2].map(() => pool.run({ does: 'never ends' }, { signal: gone.signal })),
  )
  const left = new AbortController()
  const leaves = pool.run({ does: 'answers', text: 'left' }, { signal: left.signal })
  const stays = pool.run({ does: 'answers', text: 'stays' })
  left.abort(new Error('left'))
  await expect(leaves).rejects.toThrow('left')
  expect(pool.waiting()).toBe(1)
  gone.abort(new Error('gone'))
  expect(await stays).toBe('stays')
  await endless
})

import { constants, getPriority, platform } from 'node:os'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { createPool, ThreadEnded } from './pool.ts'

const pool = createPool(new URL('sample-thread.ts', import.meta.url), {
  threads: 2,
  memory: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
})
afterAll(() => pool.close())

const WAITING = ['a', 'b', 'c', 'd']

it('runs waiting tasks after aborted ones have ended all threads', async () => {
  const gone = new AbortController()
  const endless = Promise.allSettled(
    [1, 2].map(() => pool.run('never end', undefined, { signal: gone.signal })),
  )
  const waiting = WAITING.map((text) => pool.run('echo', text))
  expect(pool.waiting()).toBe(WAITING.length)
  gone.abort(new Error('gone'))
  for (const { status } of await endless) expect(status).toBe('rejected')
  expect(await Promise.all(waiting)).toEqual(WAITING)
})

it.each(['take too much memory', 'end its thread'] as const)(
  'runs the tasks that wait once a task to %s has failed',
  async (does) => {
    const failing = Promise.allSettled([1, 2].map(() => pool.run(does)))
    const waiting = WAITING.map((text) => pool.run('echo', text))
    for (const { status } of await failing) expect(status).toBe('rejected')
    expect(await Promise.all(waiting)).toEqual(WAITING)
  },
)

it.runIf(platform() === 'linux')(
  'lowers the priority of a thread alone (only Linux has such priorities)',
  async () => {
    const before = getPriority(0)
    expect(await pool.run('lower its priority')).toBe(constants.priority.PRIORITY_BELOW_NORMAL)
    expect(getPriority(0)).toBe(before)
  },
)

it('removes a task that is aborted while it waits', async () => {
  const gone = new AbortController()
  const endless = Promise.allSettled(
    [1, 2].map(() => pool.run('never end', undefined, { signal: gone.signal })),
  )
  const left = new AbortController()
  const leaves = pool.run('echo', 'left', { signal: left.signal })
  const stays = pool.run('echo', 'stays')
  left.abort(new Error('left'))
  await expect(leaves).rejects.toThrow('left')
  expect(pool.waiting()).toBe(1)
  gone.abort(new Error('gone'))
  expect(await stays).toBe('stays')
  await endless
})

it('tells whether a task failed or its thread ended', async () => {
  await expect(pool.run('fail', 'no such thing')).rejects.toMatchObject({
    message: 'no such thing',
    stack: expect.stringContaining('sample-thread'),
  })
  await expect(pool.run('return what cannot be cloned')).rejects.toThrow('could not be cloned')
  await expect(pool.run('echo', () => {})).rejects.toThrow('could not be cloned')
  await expect(pool.run('end its thread')).rejects.toThrow(ThreadEnded)
})

it('moves buffers to the pool, beside a result that is copied', async () => {
  const one = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 1 })
  onTestFinished(() => one.close())
  expect(await one.run('move bytes', 'abc')).toEqual({ made: Uint8Array.from(Buffer.from('abc')) })
  expect(await one.run('bytes that are left')).toBe(0)
})

it('fails the tasks of a thread that ends before it is ready, and goes on', async () => {
  const failing = createPool(new URL('failing-thread.ts', import.meta.url), { threads: 2 })
  onTestFinished(failing.close)
  for (let round = 0; round < 2; round += 1) {
    const all = await Promise.allSettled([1, 2, 3].map(() => failing.run('echo')))
    for (const outcome of all)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(ThreadEnded) })
  }
})

it('lets a task that is aborted end by itself for a while, and its thread go on', async () => {
  const patient = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 1, grace: 1_000 })
  onTestFinished(patient.close)
  const count = (signal?: AbortSignal) => patient.run<number>('count, after a while', undefined, { signal })
  expect(await count()).toBe(1)
  const gone = new AbortController()
  const given = count(gone.signal)
  setImmediate(() => gone.abort(new Error('gone')))
  expect(await given).toBe(2)
  expect(await count()).toBe(3)
  const stuck = new AbortController()
  const endless = patient.run('never end', undefined, { signal: stuck.signal })
  setImmediate(() => stuck.abort(new Error('stuck')))
  await expect(endless).rejects.toThrow('stuck')
})

it.each(['aborted', 'too slow', 'closed'] as const)(
  'ends no thread while its module loads, though its task is %s',
  async (why) => {
    const steps = new Int32Array(new SharedArrayBuffer(4))
    const deadline = why === 'too slow' ? { deadline: 1 } : {}
    const slow = createPool(new URL('slow-thread.ts', import.meta.url), {
      threads: 1,
      data: steps,
      ...deadline,
    })
    onTestFinished(slow.close)
    const gone = new AbortController()
    const endless = slow.run('never end', undefined, { signal: gone.signal }).catch(() => 'ended')
    await expect.poll(() => Atomics.load(steps, 0), { interval: 1 }).toBeGreaterThan(0)
    if (why === 'aborted') gone.abort(new Error('gone'))
    if (why === 'closed') await slow.close()
    expect(await endless).toBe('ended')
    expect(Atomics.load(steps, 0)).toBe(2)
  },
)

it('ends a task that takes too long', async () => {
  const strict = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 1, deadline: 500 })
  onTestFinished(strict.close)
  await expect(strict.run('never end')).rejects.toMatchObject({ code: 'tooSlow' })
})

it('refuses tasks that wait too long or are too many, and none that is patient', async () => {
  const queue = { waiting: 2, timeout: 50 }
  const short = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 1, queue })
  onTestFinished(short.close)
  const gone = new AbortController()
  const endless = short.run('never end', undefined, { signal: gone.signal }).catch(() => 'gone')
  const patient = short.run('echo', 'patient', { unlimitedWait: true })
  const waiting = short.run('echo', 'waiting')
  await expect(short.run('echo', 'too many')).rejects.toMatchObject({ code: 'rateLimited' })
  const last = short.run('echo', 'last', { unlimitedWait: true })
  await expect(waiting).rejects.toMatchObject({ code: 'rateLimited', retryAfter: 1 })
  gone.abort()
  expect(await Promise.all([endless, patient, last])).toEqual(['gone', 'patient', 'last'])
})

it('gives the only place of a group to another owner while one waits for its own tasks', async () => {
  const shared = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 3, perOwner: 2 })
  onTestFinished(shared.close)
  const group = { name: 'echoes', total: 1 }
  const gone = new AbortController()
  const endless = [1, 2].map(() => shared.run('never end', undefined, { owner_id: 'a', signal: gone.signal }))
  const waiting = shared.run('echo', 'waits', { owner_id: 'a', signal: gone.signal, group })
  const ended = Promise.allSettled([...endless, waiting])
  expect(await shared.run('echo', 'found', { owner_id: 'b', group })).toBe('found')
  expect(shared.waiting()).toBe(1)
  gone.abort(new Error('gone'))
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})

it('leaves a thread to others, however many tasks an owner has', async () => {
  const shared = createPool(new URL('sample-thread.ts', import.meta.url), { threads: 3, perOwner: 2 })
  onTestFinished(shared.close)
  const gone = new AbortController()
  const endless = Promise.allSettled(
    [1, 2, 3, 4].map(() => shared.run('never end', undefined, { owner_id: 'a', signal: gone.signal })),
  )
  expect(await shared.run('echo', 'found', { owner_id: 'b' })).toBe('found')
  expect(shared.waiting()).toBe(2)
  gone.abort(new Error('gone'))
  await endless
})

import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { threadTasks } from './pool.ts'

/** A thread for the tests of pools: its module takes a while to load, and says when it begins and has loaded. */
const steps: Int32Array = workerData
Atomics.store(steps, 0, 1)
await sleep(300)
Atomics.store(steps, 0, 2)

export const run = threadTasks({ 'never end': () => new Promise(() => {}) })

import { setTimeout as sleep } from 'node:timers/promises'
import { lowerPriority } from './lower-priority.ts'
import { threadTasks } from './pool.ts'

let counted = 0

/** A thread for the tests of pools. */
export const run = threadTasks({
  echo: (text: string) => text,
  fail: (message: string) => {
    throw new TypeError(message)
  },
  'return what cannot be cloned': () => () => {},
  'count, after a while': async () => {
    await sleep(200)
    counted += 1
    return counted
  },
  'never end': () => {
    for (;;);
  },
  'take too much memory': () => {
    for (const kept: number[][] = []; ; ) kept.push(new Array<number>(100_000).fill(1.5))
  },
  'end its thread': () => process.exit(1),
  'lower its priority': () => lowerPriority(),
})

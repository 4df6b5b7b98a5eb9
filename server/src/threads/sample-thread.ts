import { threadTasks } from './pool.ts'

/** A thread for the tests of pools. */
export const run = threadTasks({
  echo: (text: string) => text,
  fail: (message: string) => {
    throw new TypeError(message)
  },
  'return what cannot be cloned': () => () => {},
  'never end': () => {
    for (;;);
  },
  'take too much memory': () => {
    for (const kept: number[][] = []; ; ) kept.push(new Array<number>(100_000).fill(1.5))
  },
  'end its thread': () => process.exit(1),
})

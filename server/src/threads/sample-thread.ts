import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { lowerPriority } from './lower-priority.ts'
import { moving, threadTasks } from './pool.ts'

let counted = 0
let made: Uint8Array<ArrayBuffer> | undefined

/** A thread for the tests of pools. */
export const run = threadTasks({
  echo: (text: string) => text,
  'move bytes': (bytes: string) => {
    made = Uint8Array.from(Buffer.from(bytes))
    return moving({ made }, [made.buffer])
  },
  'bytes that are left': () => made?.byteLength,
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
  'lower its priority': () => {
    lowerPriority()
    return getPriority(0)
  },
  'end its thread': () => process.exit(1),
})

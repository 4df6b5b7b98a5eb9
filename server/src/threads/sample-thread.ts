import { threadTask } from './pool.ts'

export type SampleTask =
  | { readonly does: 'answers'; readonly text: string }
  | { readonly does: 'never ends' | 'takes too much memory' | 'ends its thread' }

/** A thread for the tests of pools. */
export const run = threadTask((task: SampleTask): string => {
  switch (task.does) {
    case 'answers':
      return task.text
    case 'never ends':
      for (;;);
    case 'takes too much memory':
      for (const kept: number[][] = []; ; ) kept.push(new Array<number>(100_000).fill(1.5))
    case 'ends its thread':
      return process.exit(1)
  }
})

import { it } from 'vitest'

/**
 * A test that takes `means` which not every machine has: its name says which. Where they are undefined, it is told as
 * skipped.
 */
export function itWith<M>(
  means: M | undefined,
  name: string,
  body: (means: M) => Promise<void>,
  timeout?: number,
): void {
  it.runIf(means !== undefined)(name, async () => means !== undefined && body(means), timeout)
}

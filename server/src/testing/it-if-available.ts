import { it } from 'vitest'

/**
 * A test that needs a `resource` which not every machine has: the test's name says which. It is reported as skipped where
 * the resource is undefined.
 */
export function itIfAvailable<M>(
  resource: M | undefined,
  name: string,
  body: (resource: M) => Promise<void>,
  timeout?: number,
): void {
  it.runIf(resource !== undefined)(name, async () => resource !== undefined && body(resource), timeout)
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createTestApp } from '../testing/create-test-app.ts'

it('does not wait for a connection on which nothing was ever asked', async () => {
  const app = await createTestApp()
  const silent = connect(Number(new URL(app.address).port), '127.0.0.1')
  const ended = once(silent, 'close')
  await once(silent, 'connect')
  // An answer on another connection: by then the server has seen the silent one.
  await app.send('GET', '/healthz')
  const started = performance.now()
  await app.close()
  expect(performance.now() - started).toBeLessThan(5_000)
  await ended
})

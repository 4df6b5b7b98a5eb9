import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import type { TestApp } from '../create-test-app.ts'

/** A client that tells which calls were sent by {@link TestApp.request}, and by whom the last. */
export function watched(app: TestApp) {
  const called = new Set<Endpoint>()
  let token = ''
  const request: TestApp['request'] = (call, input, options) => {
    called.add(call)
    if (options?.token) token = options.token
    return app.request(call, input, options)
  }
  return { client: { ...app, request }, called, auth: () => ({ token }) }
}

import { calls } from '@kopilka/contract/calls.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { threadTask } from '../threads/pool.ts'
import { type BodyTask, parseBody } from './json-body.ts'

const endpoints = Object.values(calls).flatMap((family) => Object.values<Endpoint>(family))

/** Finds the schema by the call: a schema itself cannot be sent. */
export const run = threadTask(({ method, path, bytes }: BodyTask): unknown => {
  const endpoint = endpoints.find((one) => one.method === method && one.path === path)
  return endpoint?.body && parseBody(bytes, endpoint.body)
})

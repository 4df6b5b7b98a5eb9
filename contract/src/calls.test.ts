import { describe, expect, it } from 'vitest'
import { everyCall } from './calls.ts'

/** Calls with a body that change nothing. */
const READS = ['metadata.extract', 'exports.create']

describe.each(everyCall)('%s', (name, call) => {
  it('has a path with a slash at both ends', () => {
    expect(call.path).toMatch(/^\/([\w:-]+\/)+$/)
  })

  it('declares each parameter of its path, and the message of a 404', () => {
    expect(call.params !== undefined).toBe(call.path.includes(':'))
    expect(call.missing !== undefined).toBe(call.path.includes(':'))
  })

  it('asks of tokens what it does: only some calls but GET change nothing', () => {
    if (call.access === 'public') return
    if (['accounts', 'tokens'].includes(name.split('.')[0] ?? '')) expect(call.scope).toBe('account')
    else expect(call.scope).toBe(call.method === 'GET' || READS.includes(name) ? 'read' : 'write')
  })

  it('has a body only if the method has one, and a suitable status', () => {
    expect(call.method === 'GET' && call.body !== undefined).toBe(false)
    expect(call.status === 204 || call.sendsFile === true).toBe(call.response === undefined)
  })
})

it('no two calls have the same method and path', () => {
  const routes = everyCall.map(([, { method, path }]) => `${method} ${path}`)
  expect(new Set(routes).size).toBe(routes.length)
})

import { expect, test } from 'vitest'
import { CallFailure, isMissing } from './failure.ts'

test.each([
  ['no response', 'no-response', undefined, true],
  ['a proxy whose server is away', 502, undefined, true],
  ['a proxy with a page of its own', 200, undefined, true],
  ['the server, whose database is away', 503, { detail: 'Позже.' }, false],
  ['the server, which has failed', 500, undefined, false],
  ['the server, which no longer knows the session', 401, undefined, false],
  ['a proxy to which the file is too large', 413, undefined, false],
  ['a tunnel whose server is away', 530, undefined, true],
  ['a proxy that knows no server by this name while it is stopped', 404, undefined, true],
  ['the server, which has no such item', 404, { detail: 'Заметка не найдена.' }, false],
  ['a host whose application is stopped', 403, undefined, true],
] as const)('%s: whether the server itself has not responded', (_, status, body, expected) => {
  expect(new CallFailure(status, body).isUnreachable).toBe(expected)
})

test('what a proxy does not find may be there', () => {
  expect(isMissing(new CallFailure(404))).toBe(false)
  expect(isMissing(new CallFailure(404, { detail: 'Заметка не найдена.' }))).toBe(true)
})

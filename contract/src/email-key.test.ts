import { expect, it } from 'vitest'
import { emailKey } from './email-key.ts'

it.each([
  'Victim@Example.ORG',
  'victim@exa\u00ADmple.org',
  'vic\u200Btim@example.org',
  '"victim"@example.org',
  '"vic\\tim"@example.org',
  'ｖｉｃｔｉｍ@example.org',
  '＂victim＂@example.org',
  'victim@ｅｘａｍｐｌｅ．ｏｒｇ',
  'victim@example。org',
  'victim@ex\uFE0Fample.org',
])('%j is of the same mailbox as victim@example.org', (spelling) => {
  expect(emailKey(spelling)).toBe('victim@example.org')
})

it.each([
  ['иван@почта.рф', 'иван@xn--80a1acny.xn--p1ai'],
  ['иван@xn--80a1acny.xn--p1ai', 'иван@xn--80a1acny.xn--p1ai'],
  ['cafe\u0301@example.org', 'café@example.org'],
  ['a@exa_mple.org', 'a@exa_mple.org'],
])('%j has the key %j', (email, key) => {
  expect(emailKey(email)).toBe(key)
})

it.each([
  'a@example.org/x.org',
  'a@example.org:80.org',
  'a@example.org?.b',
  'a@example.org#.b',
  'a@%61.org',
  'a@[::1].x',
])('%j, which is no domain, stays as it is and is taken for no other', (email) => {
  expect(emailKey(email)).toBe(email)
})

it.each(['a.b@example.org', 'a+b@example.org', 'other@example.org', 'victim@example.com'])(
  '%j is another mailbox',
  (email) => {
    expect(emailKey(email)).toBe(email)
  },
)

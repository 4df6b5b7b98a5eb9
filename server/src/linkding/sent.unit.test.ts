import { expect, it } from 'vitest'
import { sentBookmark, sentTag } from './sent.ts'

// Characters that are dropped count before that: nothing is normalised that is far too long.
const long = (length: number) => `x${'\u0001'.repeat(length)}`
const url = 'https://example.org/'

it.each([
  ['title', () => sentBookmark({ url, title: long(5_000) }, { needsUrl: true })],
  ['url', () => sentBookmark({ url: url + long(20_000) }, { needsUrl: true })],
  ['notes', () => sentBookmark({ url, notes: long(1_600_000) }, { needsUrl: true })],
  ['tag_names', () => sentBookmark({ url, tag_names: [long(100_000)] }, { needsUrl: true })],
  ['name', () => sentTag({ name: long(1_000) })],
])('refuses a %s that is far too long before it is normalised', (field, parse) => {
  const message = expect.stringMatching(/^Ensure this field has no more than \d+ characters\.$/)
  expect(parse).toThrow(expect.objectContaining({ fields: { [field]: [message] } }))
})

import { expect, test } from 'vitest'
import { withQuotedTag } from './quoted-tag.ts'

test.each([
  ['tag:домашние дела', 'tag:"домашние дела"'],
  ['борщ tag:домашние дела', 'борщ tag:"домашние дела"'],
  ['tag:домашние дела -борщ', 'tag:"домашние дела" -борщ'],
  ['tag:домашние дела site:example.org', 'tag:"домашние дела" site:example.org'],
])('%s becomes %s', (query, quoted) => {
  expect(withQuotedTag(query)).toBe(quoted)
})

test.each(['tag:дела', 'tag:"домашние дела"', 'домашние дела', 'tag:дела -борщ', ''])(
  '%s needs none',
  (query) => {
    expect(withQuotedTag(query)).toBeUndefined()
  },
)

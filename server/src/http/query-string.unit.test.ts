import { expect, it } from 'vitest'
import { hasTooManyPairs, parseQueryString } from './query-string.ts'

const pairs = (count: number) => Array.from({ length: count }, (_, at) => `a${at}`).join('&')

it('parses a hundred pairs at most, and tells whether there are more', () => {
  expect(Object.keys(parseQueryString(pairs(20_000)))).toHaveLength(100)
  expect(Object.keys(parseQueryString(`${'&'.repeat(100_000)}a=1`))).toEqual([])
  expect(hasTooManyPairs(`/notes/?${pairs(101)}`)).toBe(true)
  expect(hasTooManyPairs(`/notes/?${pairs(100)}`)).toBe(false)
  expect(hasTooManyPairs('/notes/')).toBe(false)
})

it.each([
  ['search=%D1%91+%26&page=2', { search: 'ё &', page: '2' }],
  ['page=1&page=2', { page: ['1', '2'] }],
  ['search=100%', { search: '100%' }],
  ['a==b&&c', { a: '=b', c: '' }],
])('parses %s', (text, expected) => {
  expect({ ...parseQueryString(text) }).toEqual(expected)
})

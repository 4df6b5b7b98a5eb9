import { expect, test } from 'vitest'
import { parseSearch, readListSearch, stringifySearch } from './search-params.ts'

test('what looks like a number or JSON stays text', () => {
  for (const search of ['2024', 'true', '{"a":1}', '"точная фраза"', 'a&b=c', '100%', '+7 999']) {
    expect(parseSearch(stringifySearch({ search }))).toEqual({ search })
  }
})

test('an unusable value is as good as absent', () => {
  expect(readListSearch({ page: '3', search: ' кот ', tag: 'x' })).toEqual({
    page: 3,
    search: 'кот',
    tag: 'x',
  })
  for (const page of ['0', '-1', '1.5', 'abc', '']) {
    expect(readListSearch({ page, search: '', tag: '  ' })).toEqual({})
  }
})

import { expect, test } from 'vitest'
import { completeAddress } from './complete-address.ts'

test.each([
  ['example.org/x', 'https://example.org/x'],
  ['  example.org  ', 'https://example.org'],
  ['//example.org/x', 'https://example.org/x'],
  ['example.org:8080/x?a=1#b', 'https://example.org:8080/x?a=1#b'],
  ['почта.рф', 'https://почта.рф'],
  ['localhost:3000/home', 'https://localhost:3000/home'],
])('%s becomes %s', (typed, whole) => {
  expect(completeAddress(typed)).toBe(whole)
})

test.each([
  '',
  'https://example.org/x',
  'http://example.org',
  'ftp://example.org/file',
  'gopher://example.org',
  'javascript:alert(1)',
  'mailto:anna@example.org',
  'anna@example.org',
  'просто слова. и точка',
  'слово',
  '/notes/add',
])('%s stays as it is', (typed) => {
  expect(completeAddress(typed)).toBe(typed)
})

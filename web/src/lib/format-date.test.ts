import { expect, test } from 'vitest'
import { formatDate, formatDateTime } from './format-date.ts'

test('dates read DD.MM.YYYY and times HH:mm, in the time zone of the reader', () => {
  // The tests run in Kathmandu, 5 hours 45 minutes ahead of UTC.
  expect(formatDate('2026-01-04T18:14:59.999Z')).toBe('04.01.2026')
  expect(formatDate('2026-01-04T18:15:00.000Z')).toBe('05.01.2026')
  expect(formatDateTime('2026-12-31T18:19:00.000Z')).toBe('01.01.2027 00:04')
  expect(formatDateTime('2024-02-29T01:22:00.000Z')).toBe('29.02.2024 07:07')
})

import { expect, test } from 'vitest'
import { formatDate, formatDateTime } from './format-date.ts'

const iso = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()

test('dates read DD.MM.YYYY and times HH:mm, in the time zone of the reader', () => {
  expect(formatDate(iso(2026, 0, 5, 23, 59))).toBe('05.01.2026')
  expect(formatDateTime(iso(2026, 11, 31, 7, 4))).toBe('31.12.2026 07:04')
  expect(formatDateTime(iso(2024, 1, 29, 0, 0))).toBe('29.02.2024 00:00')
})

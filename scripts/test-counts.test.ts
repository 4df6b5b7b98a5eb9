import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-counts.mjs'

test('a Vitest report: an error outside the tests is a failure', () => {
  expect(countVitest({ numPassedTests: 7, numFailedTests: 0, success: true })).toEqual({
    passed: 7,
    failed: 0,
  })
  expect(countVitest({ numPassedTests: 7, numFailedTests: 2, success: false })).toEqual({
    passed: 7,
    failed: 2,
  })
  expect(countVitest({ numPassedTests: 7, numFailedTests: 0, success: false })).toEqual({
    passed: 7,
    failed: 1,
  })
})

test('a Playwright report: flaky tests and errors outside the tests are failures', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1 }
  expect(countPlaywright({ stats, errors: [] })).toEqual({ passed: 5, failed: 2 })
  expect(countPlaywright({ stats, errors: [{}] })).toEqual({ passed: 5, failed: 3 })
})

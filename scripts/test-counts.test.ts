import { expect, test } from 'vitest'
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from './test-counts.mjs'

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

test('the failed tests of a Vitest report are named with their errors, and files that do not load', () => {
  const passed = { fullName: 'works', status: 'passed', failureMessages: [] }
  const failed = {
    fullName: 'fails',
    status: 'failed',
    failureMessages: ['\u001b[31mexpected 1\u001b[39m\n  at a.ts:1'],
  }
  const testResults = [
    { name: 'a.test.ts', message: '', assertionResults: [passed, failed] },
    { name: 'b.test.ts', message: 'Cannot find c.ts', assertionResults: [] },
    { name: 'd.test.ts', message: '', assertionResults: [passed] },
  ]
  expect(failuresOfVitest({ testResults })).toEqual([
    '✗ a.test.ts › fails\n    expected 1\n      at a.ts:1',
    '✗ b.test.ts\n    Cannot find c.ts',
  ])
})

test('the failed and flaky tests of a Playwright report are named with the first lines of their errors', () => {
  const spec = (title: string, ...messages: string[]) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ results: messages.map((message) => ({ errors: message ? [{ message }] : [] })) }],
  })
  const long = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n')
  const inner = { specs: [spec('fails', long), spec('is flaky', 'late', '')] }
  const suites = [{ specs: [spec('works', '')], suites: [inner] }]
  const [failed, flaky, outside, ...others] = failuresOfPlaywright({
    suites,
    errors: [{ message: 'no browser' }],
  })
  expect(failed).toMatch(/^✗ a\.spec\.ts:7 › fails\n {4}line 0\n/)
  expect(failed).not.toContain('line 50')
  expect(flaky).toBe('✗ a.spec.ts:7 › is flaky\n    late')
  expect(outside).toBe('✗ Playwright\n    no browser')
  expect(others).toEqual([])
})

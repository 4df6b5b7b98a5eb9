/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * What a Vitest JSON report says. Errors outside the tests (a file that does not load) count as a failure too.
 * @param {{ numPassedTests: number, numFailedTests: number, success: boolean }} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const failed = report.numFailedTests
  return { passed: report.numPassedTests, failed: report.success ? failed : Math.max(failed, 1) }
}

/**
 * What a Playwright JSON report says. A test that passed only when repeated is a failure: find out why.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number }, errors: unknown[] }} report
 * @returns {Counts}
 */
export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
}

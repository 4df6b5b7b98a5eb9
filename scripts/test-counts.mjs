/** @typedef {{ passed: number, failed: number }} Counts */

/**
 * Counts of a Vitest JSON report. Errors outside the tests (a file that does not load) count as a failure too.
 * @param {{ numPassedTests: number, numFailedTests: number, success: boolean }} report
 * @returns {Counts}
 */
export function countVitest(report) {
  const failed = report.numFailedTests
  return { passed: report.numPassedTests, failed: report.success ? failed : Math.max(failed, 1) }
}

/**
 * Counts of a Playwright JSON report. A flaky test counts as a failure.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number }, errors: unknown[] }} report
 * @returns {Counts}
 */
export function countPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
}

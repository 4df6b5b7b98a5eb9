import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {{ passed: number, failed: number }} Counts
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] | null }} VitestTest
 * @typedef {{ name: string, message: string, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ errors: { message?: string }[] }} PlaywrightResult
 * @typedef {{ title: string, file: string, line: number, tests: { results: PlaywrightResult[] }[] }} PlaywrightSpec
 * @typedef {{ specs: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 */

/** Lines of an error that are shown: what was expected, what came, and where. */
const ERROR_LINES = 12

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

/**
 * The failed tests of a Vitest JSON report, with the beginnings of their errors.
 * @param {{ testResults: VitestFile[] }} report
 * @returns {string[]}
 */
export function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0) return message ? [failure(name, message)] : []
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages?.[0]))
  })
}

/**
 * The failed and flaky tests of a Playwright JSON report, with the beginnings of their errors.
 * @param {{ suites: PlaywrightSuite[], errors: { message?: string }[] }} report
 * @returns {string[]}
 */
export function failuresOfPlaywright({ suites, errors }) {
  /** @param {PlaywrightSuite} suite @returns {PlaywrightSpec[]} */
  const specsOf = ({ specs, suites: inner = [] }) => [...specs, ...inner.flatMap(specsOf)]
  const failed = suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) => {
    const error = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))[0]
    return error ? [failure(`${file}:${line} › ${title}`, error.message)] : []
  })
  return [...failed, ...errors.map(({ message }) => failure('Playwright', message))]
}

/** @param {string} name @param {string} [message] */
function failure(name, message = '') {
  const lines = stripVTControlCharacters(message).trim().split('\n')
  const shown = lines.slice(0, ERROR_LINES).map((line) => `    ${line.slice(0, 300)}`)
  return [`✗ ${name}`, ...shown].join('\n')
}

import process from 'node:process'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL for a whole test run. TEST_POSTGRES gives the URL of another one instead, whose user must be
 * allowed to create databases.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_POSTGRES
  if (given) {
    project.provide('postgres', given)
    return undefined
  }
  const postgres = await startPostgres()
  project.provide('postgres', postgres.url)
  return postgres.close
}

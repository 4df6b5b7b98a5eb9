import { randomBytes } from 'node:crypto'
import process from 'node:process'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

/**
 * Starts one PostgreSQL for a whole test run. TEST_POSTGRES gives the URL of another one instead, whose user must be
 * allowed to create databases.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_POSTGRES
  const templates = `kopilka_template_${randomBytes(8).toString('hex')}`
  project.provide('templates', templates)
  if (given) {
    project.provide('postgres', given)
    return async () => {
      const client = new pg.Client({ connectionString: given })
      await client.connect()
      for (const kind of ['whole', project.config.provide.partitions])
        await client.query(`drop database if exists ${templates}_${kind}`)
      await client.end()
    }
  }
  const postgres = await startPostgres()
  project.provide('postgres', postgres.url)
  return postgres.close
}

import { expect, vi } from 'vitest'
import { test as base } from '../testing/fixtures.ts'
import { readFile, runImport } from '../testing/send-file.ts'

const said: string[] = []
const test = base.extend('options', { scope: 'file' }, () => ({
  onStatement: (statement: string) => void said.push(statement),
}))

/** How often the server has run maintenance: statistics on PostgreSQL, a merge of the index on SQLite. */
const maintenanceRuns = () =>
  said.filter((sql) => /^analyze "?items|^insert into "?\w+"?\s?\(.*'merge'/i.test(sql)).length

test('the index is maintained after an import', async ({ app, account }) => {
  const before = maintenanceRuns()
  const { id } = await readFile(app, account, 'https://example.org/one\nhttps://example.org/two\n')
  await runImport(app, account, id)
  await vi.waitFor(() => expect(maintenanceRuns()).toBeGreaterThan(before), { timeout: 10_000 })
})

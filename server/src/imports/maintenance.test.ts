import { bulk } from '@kopilka/contract/bulk.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { expect, vi } from 'vitest'
import { createNotes } from '../testing/create-notes.ts'
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

test('and after a change of thousands of items, and its undo', async ({ app, account }) => {
  // Created past the API, which would count them.
  await createNotes(app, account, { count: 2_000, tags: [] })
  const maintained = async (change: () => Promise<unknown>) => {
    const before = maintenanceRuns()
    await change()
    await vi.waitFor(() => expect(maintenanceRuns()).toBeGreaterThan(before), { timeout: 10_000 })
  }
  let id = ''
  await maintained(async () => {
    const { headers } = await app.request(bulk.change, { body: { filter: {}, pinned: true } }, account.auth)
    id = headers.get('operation') ?? ''
  })
  await maintained(() => app.call(operations.undo, { params: { id } }, account.auth))
}, 60_000)

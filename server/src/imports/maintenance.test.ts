import { bulk } from '@kopilka/contract/bulk.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { expect, vi } from 'vitest'
import { createNotes } from '../testing/create-notes.ts'
import { test as base } from '../testing/fixtures.ts'
import { readFile, runImport, until } from '../testing/send-file.ts'

const said: string[] = []
const test = base.extend('options', { scope: 'file' }, () => ({
  settings: { TEXT_PER_USER: '3MB' },
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

const linesOf = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://example.org/${at}\n`).join('')

test('and while an import of thousands of entries runs', async ({ app, account }) => {
  const { id } = await readFile(app, account, linesOf(8_000))
  const before = maintenanceRuns()
  await app.call(imports.run, { params: { id }, body: {} }, account.auth)
  let runs = 0
  for (;;) {
    const { state } = await app.call(imports.read, { params: { id } }, account.auth)
    if (state !== 'running') break
    runs = maintenanceRuns() - before
  }
  expect(runs).toBeGreaterThan(0)
}, 60_000)

test('and after one that fails', async ({ app, account }) => {
  const lines = Array.from(
    { length: 500 },
    (_, at) => `https://example.org/${at},${'текст '.repeat(1_000)}\n`,
  )
  const { id } = await readFile(app, account, `url,description\n${lines.join('')}`)
  const before = maintenanceRuns()
  const { state, result } = await runImport(app, account, id)
  expect([state, (result?.added ?? 0) > 0]).toEqual(['failed', true])
  await vi.waitFor(() => expect(maintenanceRuns()).toBeGreaterThan(before), { timeout: 10_000 })
}, 60_000)

test('and after one that is cancelled', async ({ app, account }) => {
  const { id } = await readFile(app, account, linesOf(1_900))
  const before = maintenanceRuns()
  await app.call(imports.run, { params: { id }, body: {} }, account.auth)
  await vi.waitFor(async () => {
    expect((await app.call(imports.read, { params: { id } }, account.auth)).done).toBeGreaterThan(0)
  })
  await app.request(imports.cancel, { params: { id } }, account.auth)
  expect((await until(app, account, id)).state).toBe('cancelled')
  await vi.waitFor(() => expect(maintenanceRuns()).toBeGreaterThan(before), { timeout: 10_000 })
}, 60_000)

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

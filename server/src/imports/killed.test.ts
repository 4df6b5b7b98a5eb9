import { setTimeout as sleep } from 'node:timers/promises'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../testing/client.ts'
import { newAccount } from '../testing/new-account.ts'
import { sendFile } from '../testing/send-file.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase, openWritable } from '../testing/test-database.ts'

const LINKS = 3000

it('goes on where it was when the server is killed while it reads and while it saves', {
  timeout: 120_000,
}, async () => {
  const database = await createTestDatabase()
  const settings = { ...database.settings, RATE_LIMIT: 'off' }
  const folder = database.settings.DATA_DIR
  let server = startServer({ folder, settings })
  let address = await server.address()
  let app = createClient(address)
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
    await database.remove()
  })
  async function killAndStart(): Promise<void> {
    server.child.kill('SIGKILL')
    await server.ended
    // The lease of the killed server is over.
    const db = await openWritable(database.settings)
    await db.updateTable('jobs').set({ leased_until: 0 }).execute()
    await db.destroy()
    server = startServer({ folder, settings })
    address = await server.address()
    app = createClient(address)
  }
  const account = await newAccount(app)
  const { auth } = account
  const lines = Array.from({ length: LINKS }, (_, at) => `https://example.org/${at}`)
  const { id } = (await sendFile({ address }, account, lines.join('\n'))).body
  const found = () => app.call(imports.read, { params: { id } }, auth)
  const until = async (isThere: (one: Awaited<ReturnType<typeof found>>) => boolean) => {
    for (;;) {
      const one = await found()
      if (isThere(one)) return one
      await sleep(5)
    }
  }
  await until(({ done }) => done > 0)
  await killAndStart()
  const { summary } = await until(({ state }) => state !== 'reading')
  expect(summary).toMatchObject({ new: LINKS, same: 0 })

  await app.call(imports.run, { params: { id }, body: { add_tags: ['Новый'] } }, auth)
  const { done } = await until((one) => one.done > 0)
  await killAndStart()
  expect(done).toBeLessThan(LINKS)
  const { state, result, operation = '' } = await until((one) => one.state !== 'running')
  expect([state, result]).toEqual(['done', { added: LINKS, merged: 0, skipped: 0, broken: 0 }])
  expect((await app.call(links.list, { query: {} }, auth)).count).toBe(LINKS)
  const { restored } = await app.call(operations.undo, { params: { id: operation } }, auth)
  expect([restored, (await app.call(links.list, { query: {} }, auth)).count]).toEqual([LINKS, 0])
})

it('is saved to its end by another server of the database', { timeout: 120_000 }, async () => {
  const database = await createTestDatabase()
  const settings = { ...database.settings, RATE_LIMIT: 'off' }
  const folder = database.settings.DATA_DIR
  const first = startServer({ folder, settings })
  const address = await first.address()
  const second = startServer({ folder, settings })
  onTestFinished(async () => {
    for (const { child } of [first, second]) child.kill('SIGKILL')
    await Promise.all([first.ended, second.ended])
    await database.remove()
  })
  const [app, other] = [createClient(address), createClient(await second.address())]
  const account = await newAccount(app)
  const lines = Array.from({ length: LINKS }, (_, at) => `https://example.org/${at}`)
  const { id } = (await sendFile({ address }, account, lines.join('\n'))).body
  const found = () => other.call(imports.read, { params: { id } }, account.auth)
  while ((await found()).state === 'reading') await sleep(20)
  await app.call(imports.run, { params: { id }, body: {} }, account.auth)
  while ((await found()).done === 0) await sleep(5)
  first.child.kill('SIGKILL')
  await first.ended
  // Whichever server had the job: its lease is over.
  const db = await openWritable(database.settings)
  await db.updateTable('jobs').set({ leased_until: 0 }).execute()
  await db.destroy()
  while ((await found()).state === 'running') await sleep(20)
  expect(await found()).toMatchObject({ state: 'done', result: { added: LINKS, skipped: 0 } })
  expect((await other.call(links.list, { query: {} }, account.auth)).count).toBe(LINKS)
})

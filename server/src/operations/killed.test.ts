import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../testing/client.ts'
import { newAccount } from '../testing/new-account.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase } from '../testing/test-database.ts'

/** `KILLED_ITEMS=5000` takes minutes. */
const ITEMS = Number(process.env.KILLED_ITEMS ?? 0) || 200
const AT_ONCE = 20

it('deletes, restores and undoes all items or none when the server is killed meanwhile', {
  timeout: 120_000 + ITEMS * 100,
}, async () => {
  const database = await createTestDatabase()
  const settings = { ...database.settings, RATE_LIMIT: 'off' }
  let server = startServer({ folder: database.settings.DATA_DIR, settings })
  onTestFinished(async () => {
    server.child.kill('SIGKILL')
    await server.ended
    await database.remove()
  })
  let app = createClient(await server.address())
  const { auth } = await newAccount(app)
  for (let at = 0; at < ITEMS; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, more) => {
        const body = {
          title: `Заметка ${at + more}`,
          content: `<p>Текст о лесе и доме ${at + more}</p>`,
          tags: ['лес'],
        }
        return app.call(notes.create, { body }, auth)
      }),
    )
  const counts = async () => {
    const { count: listed } = await app.call(notes.list, { query: {} }, auth)
    const found = await app.call(notes.list, { query: { search: 'лес' } }, auth)
    const [tag] = await app.call(tags.list, { query: {} }, auth)
    const trashed = (await app.call(trash.list, { query: {} }, auth)).count
    expect([found.count, tag?.notes_count]).toEqual([listed, listed])
    return { listed, trashed }
  }
  const undoLast = async () => {
    const { results } = await app.call(operations.list, { query: {} }, auth)
    const id = results.find(({ undone_at }) => undone_at === null)?.id
    return app.request(operations.undo, { params: { id } }, auth)
  }
  for (let round = 0; round < 5; round += 1) {
    const before = await counts()
    const change = () => {
      if (before.trashed === 0) return app.request(bulk.change, { body: { filter: {}, delete: true } }, auth)
      return round % 2 === 0 ? undoLast() : app.request(trash.restore, { body: { filter: {} } }, auth)
    }
    const responded = change().then(
      ({ status }) => status,
      () => 'none',
    )
    await sleep(20 + ((60 * ITEMS) / 200) * round)
    server.child.kill('SIGKILL')
    const status = await responded
    await server.ended
    server = startServer({ folder: database.settings.DATA_DIR, settings })
    app = createClient(await server.address())
    const after = await counts()
    expect([
      { ...before, listed: ITEMS, trashed: 0 },
      { ...before, listed: 0, trashed: ITEMS },
    ]).toContainEqual(after)
    if (status === 200) expect(after.listed).not.toBe(before.listed)
    const { results } = await app.call(operations.list, { query: {} }, auth)
    expect(results.filter(({ progress }) => progress)).toEqual([])
  }
})

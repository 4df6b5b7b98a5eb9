import { setTimeout as sleep } from 'node:timers/promises'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../testing/client.ts'
import { newAccount } from '../testing/new-account.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const ITEMS = 400

it('restores and undoes all items or none when the server is killed meanwhile', {
  timeout: 120_000,
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
  const ids: string[] = []
  for (let at = 0; at < ITEMS; at += 1) {
    const body = { title: `Заметка ${at}`, content: `<p>Текст о лесе и доме ${at}</p>`, tags: ['лес'] }
    const { id } = await app.call(notes.create, { body }, auth)
    await app.call(notes.remove, { params: { id } }, auth)
    ids.push(id)
  }
  const inTrash = async () => (await app.call(trash.list, { query: {} }, auth)).count
  const listed = async () => (await app.call(notes.list, { query: {} }, auth)).count
  for (let round = 0; round < 6; round += 1) {
    const restored = (await inTrash()) === 0
    const sent = restored
      ? app.call(operations.list, { query: {} }, auth).then(({ results }) =>
          app.request(
            operations.undo,
            {
              params: {
                id: results.find(({ undone_at, action }) => action === 'restore_items' && undone_at === null)
                  ?.id,
              },
            },
            auth,
          ),
        )
      : app.request(trash.restore, { body: { ids } }, auth)
    const responded = sent.then(
      ({ status }) => status,
      () => 'none',
    )
    await sleep(20 + 60 * round)
    server.child.kill('SIGKILL')
    const status = await responded
    await server.ended
    server = startServer({ folder: database.settings.DATA_DIR, settings })
    app = createClient(await server.address())
    const counts = [await listed(), await inTrash()]
    expect([
      [ITEMS, 0],
      [0, ITEMS],
    ]).toContainEqual(counts)
    const isDone = (counts[0] === ITEMS) !== restored
    if (status === 200) expect(isDone).toBe(true)
  }
})

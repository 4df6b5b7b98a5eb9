import process from 'node:process'
import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createClient } from '../testing/client.ts'
import { newAccount } from '../testing/new-account.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase } from '../testing/test-database.ts'

/** `KILLED_ITEMS=5000` takes minutes. */
const ITEMS = Number(process.env.KILLED_ITEMS ?? 0) || 250
const AT_ONCE = 20
const AT_START = { listed: ITEMS, trashed: 0, found: ITEMS, лес: ITEMS, дом: 0 }
const IN_TRASH = { listed: 0, trashed: ITEMS, found: 0, лес: 0, дом: 0 }
const WITH_OTHER_TAG = { ...AT_START, лес: 0, дом: ITEMS }

it('deletes, restores, changes, merges and undoes all that it has begun when the server is killed meanwhile', {
  timeout: 120_000 + ITEMS * 200,
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
      Array.from({ length: Math.min(AT_ONCE, ITEMS - at) }, (_, more) => {
        const content = `<p>Текст о поле ${at + more}</p>`
        const body = { title: `Заметка ${at + more}`, content, tags: ['лес'] }
        return app.call(notes.create, { body }, auth)
      }),
    )
  const idOf = async (name: string) =>
    (await app.call(tags.list, { query: {} }, auth)).find((tag) => tag.name === name)?.id ?? ''
  const state = async () => {
    const found = async (text: string) =>
      (await app.call(search, { query: { search: text, exact: '1', view: 'summary' } }, auth)).notes_count
    const counts = Object.fromEntries(
      (await app.call(tags.list, { query: {} }, auth)).map((tag) => [tag.name, tag.notes_count]),
    )
    const tagged = { лес: await found('tag:лес'), дом: await found('tag:дом') }
    expect({ лес: 0, дом: 0, ...counts }).toEqual(tagged)
    return {
      listed: (await app.call(notes.list, { query: {} }, auth)).count,
      trashed: (await app.call(trash.list, { query: {} }, auth)).count,
      found: await found('поле'),
      ...tagged,
    }
  }
  const listed = async () => (await app.call(operations.list, { query: {} }, auth)).results
  const restart = async () => {
    server.child.kill('SIGKILL')
    await server.ended
    server = startServer({ folder: database.settings.DATA_DIR, settings })
    app = createClient(await server.address())
  }
  const undoLast = async () => {
    const last = (await listed()).find(({ undone_at }) => undone_at === null)
    return app.request(operations.undo, { params: { id: last?.id } }, auth)
  }
  const remove = () => app.request(bulk.change, { body: { filter: {}, delete: true } }, auth)

  let interrupted = 0
  /** Kills the server once a part is done. */
  const killed = async (change: () => Promise<unknown>) => {
    let isOver = false
    const over = change().then(
      () => (isOver = true),
      () => (isOver = true),
    )
    let done = 0
    while (done === 0 && !isOver) done = (await listed())[0]?.progress?.done ?? 0
    interrupted += Number(!isOver)
    await restart()
    await over
    expect((await listed()).filter(({ progress }) => progress)).toEqual([])
    return state()
  }

  expect(await state()).toEqual(AT_START)
  expect(await killed(remove)).toEqual(IN_TRASH)
  expect(await killed(() => app.request(trash.restore, { body: { filter: {} } }, auth))).toEqual(AT_START)
  const other = { filter: {}, add_tags: ['дом'], remove_tags: ['лес'] }
  expect(await killed(() => app.request(bulk.change, { body: other }, auth))).toEqual(WITH_OTHER_TAG)
  expect(await killed(undoLast)).toEqual(AT_START)
  const content = { title: 'Ещё', content: 'x', tags: ['дом'] }
  const { id } = await app.call(notes.create, { body: content }, auth)
  const beside = { ...AT_START, listed: ITEMS + 1, дом: 1 }
  const merged = { ...beside, лес: 0, дом: ITEMS + 1 }
  const [from, into] = [await idOf('лес'), await idOf('дом')]
  expect(await killed(() => app.request(tags.merge, { params: { id: from }, body: { into } }, auth))).toEqual(
    merged,
  )
  expect(await killed(undoLast)).toEqual(beside)
  expect(interrupted).toBeGreaterThan(0)

  // Killed before anything may have been begun: all or nothing.
  await app.call(notes.remove, { params: { id } }, auth)
  const sent = remove().catch(() => {})
  await restart()
  await sent
  const none = { ...AT_START, trashed: 1 }
  expect([none, { ...IN_TRASH, trashed: ITEMS + 1 }]).toContainEqual(await state())
})

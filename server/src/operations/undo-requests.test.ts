import { bulk } from '@kopilka/contract/bulk.ts'
import { MAX_SKIPPED } from '@kopilka/contract/limits.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { describe, expect, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import { openReader } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { createNotes } from '../testing/create-notes.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import type { Account } from '../testing/new-account.ts'
import { STEP } from './running.ts'
import { type StepWriter, undoOperation } from './steps.ts'
import { beginUndo } from './undo.ts'

const COUNT = 3 * STEP

/** Gives many notes a tag, then changes some of them. Resolves to the operation. */
async function tagMany(app: TestApp, account: Account, changed: (ids: readonly string[]) => string[]) {
  const ids = (await createNotes(app, account, { count: COUNT, tags: [] })).toSorted()
  const body = { ids, add_tags: ['лес'] }
  const reply = await app.request(bulk.change, { body }, account.auth)
  const skipped = changed(ids)
  for (const id of skipped)
    await app.call(
      notes.update,
      { params: { id }, body: { title: `Новая ${id}`, content: 'x' } },
      account.auth,
    )
  return { id: reply.headers.get('operation') ?? '', skipped }
}

const ofEachStep = (ids: readonly string[]) => ids.filter((_, at) => at % STEP === 1)

it('tells all that it left to the one request that makes it, however many ask for it at once', async ({
  app,
  account,
}) => {
  const { id, skipped } = await tagMany(app, account, ofEachStep)
  const replies = await Promise.all(
    Array.from({ length: 4 }, () => app.request(operations.undo, { params: { id } }, account.auth)),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(replies.find(({ status }) => status === 200)?.body).toEqual({
    restored: COUNT - skipped.length,
    skipped: skipped
      .map((id) => ({ kind: 'note', id, title: `Новая ${id}`, reason: 'changed' }))
      .toReversed(),
    skipped_count: skipped.length,
  })
})

it('is taken over from a request that has failed, and tells what that one had done and left', async ({
  app,
  account,
}) => {
  const { id, skipped } = await tagMany(app, account, ofEachStep)
  const quotas = quotasOf(readConfig({}))
  const undo = { owner_id: account.id, session_id: null, id, now: app.now(), quotas }
  expect(await app.db.write(beginUndo, undo)).toMatchObject({ isDone: false, restored: STEP - 1 })
  // A step may take as long as a statement may.
  for (const passed of [0, 20_000]) {
    const again = { ...undo, now: undo.now + passed }
    expect(await app.db.write(beginUndo, again)).toBeUndefined()
  }
  // A server took it over whose clock was a year ahead, and died.
  const leased_until = app.now() + 365 * 86_400_000
  await app.db.updateTable('jobs').set({ leased_until }).where('id', '=', id).execute()
  app.advance(41_000)
  const reply = await app.request(operations.undo, { params: { id } }, account.auth)
  expect([reply.status, reply.body]).toMatchObject([
    200,
    {
      restored: COUNT - skipped.length,
      skipped: skipped.map((id) => ({ id, title: `Новая ${id}` })).toReversed(),
      skipped_count: skipped.length,
    },
  ])
})

it('names a hundred at most of those that it left, and says how many they are', async ({ app, account }) => {
  const { id } = await tagMany(app, account, () => [])
  await app.call(bulk.change, { body: { filter: {}, pinned: true } }, account.auth)
  const undone = await app.call(operations.undo, { params: { id } }, account.auth)
  expect(undone).toMatchObject({ restored: 0, skipped_count: COUNT })
  expect(undone.skipped).toHaveLength(MAX_SKIPPED)
})

describe('a request for an undo that another one makes', () => {
  /** Begins an undo, whose request goes on as long as the clock does. */
  const begin = async (app: TestApp, account: Account) => {
    const owner_id = account.id
    const { id } = await tagMany(app, account, () => [])
    const undo = { owner_id, session_id: null, id, quotas: quotasOf(readConfig({})) }
    await app.db.write(beginUndo, { ...undo, now: app.now() })
    let passed = 0
    const looks: string[] = []
    const reader = openReader(app.database.settings, ({ sql }) => looks.push(sql))
    onTestFinished(() => reader.destroy())
    const ask = async (signal: AbortSignal, onLook = () => {}) => {
      const writeAt: StepWriter['writeAt'] = async (command, argsAt) => {
        onLook()
        passed += 25_000
        const now = app.now() + passed
        await app.db
          .updateTable('jobs')
          .set({ run_at: now + 60_000 })
          .where('id', '=', id)
          .execute()
        return app.db.write(command, argsAt(now))
      }
      const clock = () => app.now() + passed
      return undoOperation({ db: reader, clock, write: app.db.write, writeAt }, undo, signal)
    }
    return { ask, looks }
  }

  it('waits a minute at most, and reads nothing of the operation meanwhile', async ({ app, account }) => {
    const { ask, looks } = await begin(app, account)
    await expect(ask(new AbortController().signal)).rejects.toMatchObject({ code: 'operationUndone' })
    expect(looks.filter((sql) => sql.includes('changes'))).toEqual([])
  })

  it('waits no longer than its client', async ({ app, account }) => {
    const { ask } = await begin(app, account)
    const client = new AbortController()
    const gone = new Error('The client is gone.')
    await expect(ask(client.signal, () => client.abort(gone))).rejects.toBe(gone)
  })
})

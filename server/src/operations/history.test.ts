import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { newOperation } from '../journal/journal.ts'
import { createNotes } from '../testing/create-notes.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { databaseWith } from '../testing/database-with.ts'
import { recountHistory } from '../testing/faults/integrity.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { changeItems } from './bulk.ts'
import { historyOf, MAX_BYTES, purgeOld } from './history.ts'
import { clearTrash, purgeTrash } from './purge.ts'
import { purgeHandler, trimHandler } from './purge-job.ts'
import { STEP } from './running.ts'
import { createStepWriters, finishOperation, stepOperation } from './steps.ts'
import { beginUndo } from './undo.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Bytes of a text, in ASCII. */
const LENGTH = 1_000

const quotas = quotasOf(readConfig({}))
const text = (title: string) => ({ title, content: `<p>${'x'.repeat(LENGTH)}</p>` })

const it = test.extend('writer', ({ app, account }) => async (): Promise<Account['auth']> => {
  // Unlike a session it does not end while the clock advances.
  const body = { name: 'x', scope: 'write' } as const
  return { token: (await app.call(tokens.create, { body }, account.auth)).token }
})

const JOB = { owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 }

/** Trims what takes more than so many bytes. Resolves to what it logs. */
async function trim(
  app: TestApp,
  bytes: number,
  { db = app.db, signal = new AbortController().signal }: { db?: Database; signal?: AbortSignal } = {},
): Promise<unknown[]> {
  const logged: unknown[] = []
  const log = { warn: (entry: unknown) => logged.push(entry) }
  await trimHandler({ db, clock: app.now, config: { HISTORY_PER_USER: bytes }, log }).run(JOB, signal)
  return logged
}

/** Purges what is in the trash for longer than a day. */
const purge = (app: TestApp) =>
  purgeHandler({
    ...{ db: app.db, clock: app.now, config: { TRASH_DAYS: 1 }, purgeMore: async () => {} },
  }).run(JOB, new AbortController().signal)

/** Saves a note so often that it has so many versions. */
async function saveVersions(app: TestApp, auth: Account['auth'], id: string, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    app.advance(6 * MINUTE)
    await app.call(notes.update, { params: { id }, body: text(`Версия ${at}`) }, auth)
  }
}

const create = async (app: TestApp, auth: Account['auth'], title: string) =>
  (await app.call(notes.create, { body: text(title) }, auth)).id

describe('the history of an owner', () => {
  it('loses its oldest versions where it takes more than is allowed, and nothing else', async ({
    app,
    account,
    writer,
  }) => {
    const auth = await writer()
    const [saved, deleted] = [await create(app, auth, 'Первая'), await create(app, auth, 'Вторая')]
    await app.call(notes.remove, { params: { id: deleted } }, auth)
    await saveVersions(app, auth, saved, 20)
    const versions = async () => (await app.call(notes.versions, { params: { id: saved } }, auth)).results
    const before = await versions()
    expect(before).toHaveLength(20)
    const size = await historyOf(app.db, account.id)
    expect(size).toBeGreaterThan(20 * LENGTH)

    await trim(app, size)
    expect(await versions()).toEqual(before)
    await trim(app, Math.floor(size / 2))
    const after = await versions()
    expect(after.length).toBeGreaterThan(5)
    expect(after).toEqual(before.slice(0, after.length))
    expect(await historyOf(app.db, account.id)).toBeLessThanOrEqual((0.9 * size) / 2)
    expect((await app.call(notes.read, { params: { id: saved } }, auth)).title).toBe('Версия 19')
    expect(await app.call(trash.restore, { body: { ids: [deleted] } }, auth)).toEqual({ restored: 1 })
  })

  it('loses what could be undone before it loses the trash, and of the trash the oldest', async ({
    app,
    account,
    writer,
  }) => {
    const auth = await writer()
    const ids: string[] = []
    for (let at = 0; at < 3 * STEP; at += 1) ids.push(await create(app, auth, `Заметка ${at}`))
    const change = async (body: object) =>
      (await app.request(bulk.change, { body: { filter: {}, ...body } }, auth)).headers.get('operation') ?? ''
    const first = await change({ delete: true })
    await app.call(trash.restore, { body: { filter: {} } }, auth)
    for (const id of ids) {
      app.advance(MINUTE)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const size = await historyOf(app.db, account.id)
    await trim(app, Math.floor(0.8 * size))
    expect((await app.call(trash.list, { query: {} }, auth)).count).toBe(ids.length)
    const undone = await app.request(operations.undo, { params: { id: first } }, auth)
    expect(undone.status).toBe(404)

    await trim(app, Math.floor(0.2 * size))
    const left = await app.call(trash.list, { query: {} }, auth)
    expect(left.count).toBeGreaterThan(0)
    expect(left.count).toBeLessThan(ids.length)
    expect(left.results[0]?.id).toBe(ids.at(-1))
    expect(await app.call(trash.restore, { body: { filter: {} } }, auth)).toEqual({ restored: left.count })
  })

  it('keeps what an operation under way is to be undone by', async ({ app, account, writer }) => {
    const auth = await writer()
    const ids: string[] = []
    for (let at = 0; at < STEP + 5; at += 1) ids.push(await create(app, auth, `Заметка ${at}`))
    const operation = newOperation({ owner_id: account.id, session_id: null }, 'change_items', app.now())
    const change = { selected: { ids }, all: true, operation, tags: { add: ['лес'], remove: [] } }
    const begun = await app.db.write(changeItems, { ...change, pinned: true, quotas })
    expect(begun.isDone).toBe(false)
    await trim(app, 1)
    await finishOperation(createStepWriters(app.db, app.now)(account.id), operation, begun)
    const undo = () => app.request(operations.undo, { params: { id: operation.id } }, auth)
    expect((await undo()).body).toEqual({ restored: ids.length, skipped: [], skipped_count: 0 })
    expect((await app.call(notes.list, { query: {} }, auth)).results[0]?.pinned).toBe(false)
    await trim(app, 1)
    expect((await undo()).status).toBe(404)
    expect((await app.call(notes.list, { query: {} }, auth)).count).toBe(ids.length)
  })

  it('is trimmed although an operation came to no end, where no job is to finish it any more', async ({
    app,
    account,
  }) => {
    const ids = await createNotes(app, account, { count: STEP + 5, tags: [] })
    const operation = newOperation({ owner_id: account.id, session_id: null }, 'change_items', app.now())
    const change = {
      selected: { ids },
      all: true,
      operation,
      tags: { add: [], remove: [] },
      pinned: true,
      quotas,
    }
    expect((await app.db.write(changeItems, change)).isDone).toBe(false)
    await trim(app, 1)
    expect(await historyOf(app.db, account.id)).toBeGreaterThan(0)
    await app.db.deleteFrom('jobs').where('owner_id', '=', account.id).execute()
    await trim(app, 1)
    expect(await historyOf(app.db, account.id)).toBe(0)
  })

  it.for([
    ['trimmed', (app: TestApp) => trim(app, 1)],
    ['purged', purge],
  ] as const)(
    'is not %s of what an undo under way is to take out of the trash',
    async ([, clear], { app, account, writer }) => {
      const auth = await writer()
      await createNotes(app, account, { count: 2 * STEP, tags: [] })
      const deleted = await app.request(bulk.change, { body: { filter: {}, delete: true } }, auth)
      const key = { owner_id: account.id, id: deleted.headers.get('operation') ?? '' }
      app.advance(2 * DAY)
      const undo = { ...key, session_id: null, now: app.now(), quotas, changes: 2 * STEP }
      expect(await app.db.write(beginUndo, undo)).toMatchObject({ isDone: false, restored: STEP })
      await clear(app)
      const step = () => app.db.write(stepOperation, { ...key, limit: STEP })
      const rest: Awaited<ReturnType<typeof step>>[] = []
      while (!rest.at(-1)?.isDone) rest.push(await step())
      expect(rest.reduce((sum, { restored }) => sum + restored, 0)).toBe(STEP)
      expect(rest.flatMap(({ skipped }) => skipped)).toEqual([])
      expect((await app.call(notes.list, { query: {} }, auth)).count).toBe(2 * STEP)
      await clear(app)
      expect((await app.call(notes.list, { query: {} }, auth)).count).toBe(2 * STEP)
    },
  )

  it('is trimmed whatever fails for another owner, which is logged; not once the server closes', async ({
    app,
  }) => {
    const owners = [await newAccount(app), await newAccount(app)].sort((one, other) =>
      one.id < other.id ? -1 : 1,
    )
    for (const { auth } of owners) {
      const id = await create(app, auth, 'Заметка')
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const [failing, other] = owners.map(({ id }) => id)
    const sizes = async () => Promise.all(owners.map(async ({ id }) => (await historyOf(app.db, id)) > 0))
    const closing = new AbortController()
    const failingOn = (fail: () => void) =>
      databaseWith(app, async (command, args) => {
        if (JSON.stringify(args).includes(failing ?? '')) fail()
        return app.db.write(command, args)
      })
    const closes = failingOn(() => closing.abort(new Error('The server closes.')))
    await expect(trim(app, 1, { db: closes, signal: closing.signal })).rejects.toThrow('The server closes.')
    expect((await sizes())[1]).toBe(true)
    const fails = failingOn(() => {
      throw new Error('Not this one.')
    })
    expect(other).not.toBe(failing)
    expect(await trim(app, 1, { db: fails })).toEqual([{ owner: failing, because: 'Not this one.' }])
    expect(await sizes()).toEqual([true, false])
  })
})

describe('a step', () => {
  /** Gives a note versions, of a megabyte each. */
  async function fill(
    { app, account }: { app: TestApp; account: Account },
    id: string,
    count: number,
    bytes = 1_000_000,
  ) {
    const kept = { revision: 1, title: 'x', excerpt: 'x', updated_at: app.now(), tags: [] }
    const change = { owner_id: account.id, kind: 'note' as const, entity_id: id, session_id: null }
    const version = { operation_id: null, is_reverted: 0, document: null, before: JSON.stringify(kept) }
    for (let at = 0; at < count; at += 1)
      await app.db
        .insertInto('changes')
        .values({
          ...{ ...change, ...version, seq: 100 + at, revision: at + 2, at: app.now(), version: at + 1 },
          body: 'x'.repeat(bytes),
        })
        .execute()
    await app.db
      .updateTable('change_counts')
      .set({ last_seq: 100 + count })
      .where('owner_id', '=', account.id)
      .execute()
    await recountHistory(app.db)
  }

  /** Notes by how many bytes a history becomes smaller with each write. */
  function watched(app: TestApp, { id }: Account) {
    const freed: number[] = []
    const write: Database['write'] = async (command, args) => {
      const before = await historyOf(app.db, id)
      const result = await app.db.write(command, args)
      freed.push(before - (await historyOf(app.db, id)))
      return result
    }
    return { db: databaseWith(app, write), freed }
  }

  it('makes room for five megabytes, where an item is deleted for ever', async ({ app, account }) => {
    const id = await create(app, account.auth, 'Большая')
    await fill({ app, account }, id, 12)
    await app.call(notes.remove, { params: { id } }, account.auth)
    const { db, freed } = watched(app, account)
    await clearTrash(db, { owner_id: account.id, session_id: null, now: app.now() })
    expect(Math.max(...freed)).toBeLessThanOrEqual(MAX_BYTES)
    expect(await historyOf(app.db, account.id)).toBe(0)
    expect((await app.call(trash.list, { query: {} }, account.auth)).count).toBe(0)
  })

  it('makes room for five megabytes, where versions are older than they are kept', async ({
    app,
    account,
  }) => {
    const id = await create(app, account.auth, 'Большая')
    await fill({ app, account }, id, 12)
    const { db, freed } = watched(app, account)
    await purgeOld(db, { owner_id: account.id, now: app.now() + 91 * DAY })
    expect(Math.max(...freed)).toBeLessThanOrEqual(MAX_BYTES)
    expect(await historyOf(app.db, account.id)).toBe(0)
  })

  it.for([
    [200, 1],
    [201, 2],
  ] as const)(
    'empties two hundred changes of an item that is deleted for ever: %i take %i',
    async ([count, steps], { app, account }) => {
      const id = await create(app, account.auth, 'Со многими версиями')
      await fill({ app, account }, id, count - 1, 10)
      await app.call(notes.remove, { params: { id } }, account.auth)
      const kept = app.db.selectFrom('changes').select('seq').where('owner_id', '=', account.id)
      expect(await kept.where('before', 'is not', null).execute()).toHaveLength(count)
      const author = { owner_id: account.id, session_id: null, now: app.now() }
      const step = () =>
        app.db.write(purgeTrash, { ...author, until: author.now, seen: Number.MAX_SAFE_INTEGER })
      const listed = async () => (await app.call(trash.list, { query: {} }, account.auth)).results
      for (let at = 1; at < steps; at += 1) {
        expect(await step()).toEqual({ left: [], isMore: true })
        expect(await listed()).toMatchObject([{ id, title: 'Со многими версиями' }])
      }
      expect(await step()).toEqual({ left: [], isMore: false })
      expect(await listed()).toEqual([])
      expect(await historyOf(app.db, account.id)).toBe(0)
    },
  )

  it('is followed by a pause, where versions are older than they are kept', async ({ app, account }) => {
    const id = await create(app, account.auth, 'Большая')
    await fill({ app, account }, id, 12)
    const isAfterPause: boolean[] = []
    let hasPaused = true
    const write: Database['write'] = async (command, args) => {
      isAfterPause.push(hasPaused)
      hasPaused = false
      const result = await app.db.write(command, args)
      setTimeout(() => {
        hasPaused = true
      })
      return result
    }
    await purgeOld(databaseWith(app, write), { owner_id: account.id, now: app.now() + 91 * DAY })
    expect(isAfterPause.length).toBeGreaterThan(2)
    expect(isAfterPause).not.toContain(false)
  })
})

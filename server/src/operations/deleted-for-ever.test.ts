import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, onTestFinished } from 'vitest'
import { cleanVocabulary } from '../search/indexer.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { contentOf } from '../testing/database-content.ts'
import { recountHistory } from '../testing/faults/integrity.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { readFile, runImport } from '../testing/send-file.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { purgeOld } from './history.ts'
import { purgeHandler } from './purge-job.ts'

const DAY = 24 * 60 * 60_000

/** Words that occur nowhere else, some as a part of one, and what searching for them makes of them. */
const CANARIES = ['канарейк', 'kanarienvogel', 'щегол', '7305118']

const heldIn = (content: string) => CANARIES.filter((word) => content.includes(word))

async function fill(app: TestApp, { auth }: Account): Promise<string[]> {
  const texts = { title: 'Канарейки поют', tags: ['щегол'] }
  const note = await app.call(
    notes.create,
    { body: { ...texts, content: '<p>Kanarienvogel 7305118</p>' } },
    auth,
  )
  await app.call(
    notes.update,
    { params: { id: note.id }, body: { title: 'Ещё канарейка', content: 'x', tags: [] } },
    auth,
  )
  const link = await app.call(
    links.create,
    { body: { ...texts, url: 'https://kanarienvogel.example/7305118', description: 'канарейку' } },
    { ...auth, headers: { 'idempotency-key': 'kanarienvogel-7305118' } },
  )
  // Others hold the index open at the same words' places.
  for (let at = 0; at < 20; at += 1)
    await app.call(notes.create, { body: { title: `Другая ${at}`, content: 'канал, щека, kanal' } }, auth)
  return [note.id, link.id]
}

async function trashAll(app: TestApp, { auth }: Account, [note = '', link = '']: string[]): Promise<void> {
  await app.call(notes.remove, { params: { id: note } }, auth)
  await app.call(links.remove, { params: { id: link } }, auth)
  for (const { id, name } of await app.call(tags.list, { query: {} }, auth))
    if (name === 'щегол') await app.call(tags.remove, { params: { id } }, auth)
}

/** A database of its own: all of it is looked through. */
async function createOwnApp(): Promise<TestApp> {
  const app = await createTestApp({ database: await createTestDatabase() })
  onTestFinished(async () => {
    await app.close()
    await app.database.remove()
  })
  return app
}

/** The purge, as the queue of jobs runs it. */
const runPurgeJob = (app: TestApp, days: number): Promise<void> =>
  purgeHandler({
    ...{ clock: app.now, config: { TRASH_DAYS: days }, purgeMore: async () => {} },
    db: Object.assign(app.db, { destroy: async () => {} }),
  }).run(
    { owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 },
    new AbortController().signal,
  )

it.for<[string, (app: TestApp, account: Account, ids: string[]) => Promise<void>]>([
  [
    'by its id, or with the whole trash',
    async (app, { auth }, [id = '']) => {
      await app.call(trash.remove, { params: { id } }, auth)
      await app.call(trash.clear, { query: {} }, auth)
    },
  ],
  [
    'with what a search finds, or by its age',
    async (app, { auth }) => {
      await app.call(trash.removeFound, { body: { filter: { search: 'kanarienvogel' } } }, auth)
      expect((await app.call(trash.list, { query: {} }, auth)).count).toBe(2)
      app.advance(31 * DAY)
      await runPurgeJob(app, 30)
    },
  ],
])(
  'leaves no word of an item in the database after it was deleted for ever %s',
  {
    timeout: 60_000,
  },
  async ([, deleteForEver]) => {
    const app = await createOwnApp()
    const account = await newAccount(app)
    const ids = await fill(app, account)
    // Its report keeps what was not saved alone.
    const read = await readFile(app, account, '# Канарейка из файла\n\nKanarienvogel 7305118\n', 'птица.md')
    expect(await runImport(app, account, read.id)).toMatchObject({ state: 'done', result: { added: 1 } })
    // Without a heading the name of the file is the title, also where it is kept already.
    for (const result of [{ added: 1 }, { skipped: 1 }]) {
      const named = await readFile(app, account, 'Поёт.\n', 'Канарейка из имени файла.md')
      expect(await runImport(app, account, named.id)).toMatchObject({ state: 'done', result })
    }
    const again = 'url,title,description\nhttps://kanarienvogel.example/7305118,Щегол,Ещё щегол\n'
    const same = await readFile(app, account, again, 'снова.csv')
    const merged = { state: 'done', result: { merged: 1 } }
    expect(await runImport(app, account, same.id, { duplicates: 'merge' })).toMatchObject(merged)
    expect(heldIn(await contentOf(app))).toEqual(CANARIES)
    await trashAll(app, account, ids)
    await app.call(bulk.change, { body: { filter: { search: 'файла' }, delete: true } }, account.auth)
    await deleteForEver(app, account, ids)
    const left = app.db.selectFrom('trash').select('owner_id').where('owner_id', '=', account.id)
    expect(await left.execute()).toEqual([])
    // The deleted tag can still be undone.
    app.advance(31 * DAY)
    await purgeOld(app.db, { owner_id: account.id, now: app.now() })
    // The server does so every 30 seconds.
    await cleanVocabulary(Object.assign(app.db, { destroy: async () => {} }))
    await expect
      .poll(async () => heldIn(await contentOf(app)), { timeout: 20_000, interval: 500 })
      .toEqual([])
  },
)

it('purges the trash by itself after TRASH_DAYS, and operations and versions when they are old', async ({
  app,
  account,
}) => {
  const ids = await fill(app, account)
  const count = async (table: 'trash' | 'operations' | 'changes') =>
    (await app.db.selectFrom(table).select('owner_id').where('owner_id', '=', account.id).execute()).length
  const purge = (days: number) => runPurgeJob(app, days)
  const [note = ''] = ids
  await app.call(notes.remove, { params: { id: note } }, account.auth)
  await purge(30)
  expect([await count('trash'), await count('operations')]).toEqual([1, 1])
  app.advance(31 * DAY)
  await purge(0)
  expect([await count('trash'), await count('operations')]).toEqual([1, 0])
  await purge(30)
  expect(await count('trash')).toBe(0)
  const kept = await app.db
    .selectFrom('changes')
    .select('entity_id')
    .where('owner_id', '=', account.id)
    .where('before', 'is not', null)
    .execute()
  expect(kept).toEqual([])
  app.advance(60 * DAY)
  await purge(30)
  // The change that deleted the item for ever is not as old.
  expect(await count('changes')).toBe(1)
})

it('purges what others have, whatever fails for one owner', async ({ app }) => {
  await newAccount(app)
  await newAccount(app)
  const db = Object.assign(app.db, { destroy: async () => {} })
  const owners: string[] = []
  const run = (signal: AbortSignal, fail: () => void) =>
    purgeHandler({
      ...{ db, clock: app.now, config: { TRASH_DAYS: 30 } },
      purgeMore: async (owner_id) => {
        owners.push(owner_id)
        if (owners.length === 1) fail()
      },
    }).run({ owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 }, signal)
  await expect(
    run(new AbortController().signal, () => {
      throw new Error('The first.')
    }),
  ).rejects.toThrow('The first.')
  expect(owners.length).toBeGreaterThan(1)
  owners.length = 0
  const closing = new AbortController()
  await expect(
    run(closing.signal, () => {
      closing.abort(new Error('The server closes.'))
      throw new Error('The first.')
    }),
  ).rejects.toThrow('The server closes.')
  expect(owners).toHaveLength(1)
})

it('begins with the next owner after an attempt that came to no end', async ({ app }) => {
  for (let at = 0; at < 3; at += 1) await newAccount(app)
  const users = await app.db.selectFrom('users').select('owner_id').orderBy('owner_id').execute()
  const all = users.map(({ owner_id }) => owner_id)
  const owners: string[] = []
  const closing = new AbortController()
  const { run } = purgeHandler({
    ...{ db: app.db, clock: app.now, config: { TRASH_DAYS: 30 } },
    purgeMore: async (owner_id) => {
      owners.push(owner_id)
      if (owners.length === 2) closing.abort(new Error('It took too long.'))
    },
  })
  const job = { owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 }
  await expect(run(job, closing.signal)).rejects.toThrow('It took too long.')
  expect(owners).toEqual(all.slice(0, 2))
  owners.length = 0
  await run(job, new AbortController().signal)
  expect(owners).toEqual([...all.slice(2), ...all.slice(0, 2)])
})

it('keeps the newest hundred versions of an item', { timeout: 60_000 }, async ({ app, account }) => {
  const { id } = await app.call(notes.create, { body: { title: '0', content: 'x' } }, account.auth)
  const changes = Array.from({ length: 110 }, (_, at) => ({
    owner_id: account.id,
    ...{
      seq: 100 + at,
      kind: 'note' as const,
      entity_id: id,
      revision: at + 2,
      at: app.now(),
      session_id: null,
    },
    ...{ operation_id: null, is_reverted: 0, version: at + 1, body: 'x', document: null },
    before: JSON.stringify({
      revision: at + 1,
      title: String(at),
      excerpt: 'x',
      updated_at: app.now(),
      tags: [],
    }),
  }))
  await app.db.insertInto('changes').values(changes).execute()
  await recountHistory(app.db)
  const versions = async () => (await app.call(notes.versions, { params: { id } }, account.auth)).results
  expect((await versions()).map(({ revision }) => revision).slice(0, 2)).toEqual([110, 109])
  expect(await versions()).toHaveLength(100)
  await purgeOld(app.db, { owner_id: account.id, now: app.now() })
  const left = await app.db
    .selectFrom('changes')
    .select('version')
    .where('owner_id', '=', account.id)
    .where('version', 'is not', null)
    .execute()
  expect(left).toHaveLength(100)
})

it('keeps what an operation replaced as long as it can be undone, however many versions that makes', {
  timeout: 120_000,
}, async ({ app, account }) => {
  const url = 'https://example.org/one'
  const { id } = await app.call(links.create, { body: { title: 'Моя', url, description: 'x' } }, account.auth)
  const before = await app.call(links.read, { params: { id } }, account.auth)
  // Each one has an older date than the one before it, so each one changes the link.
  const rows = Array.from(
    { length: 150 },
    (_, at) => `${url},x,${new Date(Date.UTC(2020, 0, 150 - at)).toISOString()}`,
  )
  const file = ['url,title,created', ...rows].join('\n')
  const merge = async () => {
    const read = await readFile(app, account, file, 'одна.csv')
    const { operation = '', result } = await runImport(app, account, read.id, { duplicates: 'merge' })
    expect(result).toMatchObject({ added: 0, merged: 150 })
    // While its job is there, nothing of what it replaced is removed.
    const jobs = app.db.selectFrom('jobs').select('id').where('id', '=', read.id)
    await expect.poll(() => jobs.execute(), { timeout: 20_000 }).toEqual([])
    return operation
  }
  const kept = app.db
    .selectFrom('changes')
    .select('seq')
    .where('owner_id', '=', account.id)
    .where('version', 'is not', null)
  const operation = await merge()
  await purgeOld(app.db, { owner_id: account.id, now: app.now() })
  const undone = await app.call(operations.undo, { params: { id: operation } }, account.auth)
  expect(undone).toEqual({ restored: 150, skipped: [], skipped_count: 0 })
  expect(await app.call(links.read, { params: { id } }, account.auth)).toEqual(before)
  // What was undone leaves no versions.
  expect(await kept.execute()).toEqual([])

  await merge()
  await purgeOld(app.db, { owner_id: account.id, now: app.now() })
  expect(await kept.execute()).toHaveLength(150)
  app.advance(31 * DAY)
  await purgeOld(app.db, { owner_id: account.id, now: app.now() })
  expect(await kept.execute()).toHaveLength(100)
})

it('leaves an item as it is where nothing is kept of what an operation replaced', async ({
  app,
  account,
}) => {
  const body = { title: 'Первая', content: 'x' }
  const { id } = await app.call(notes.create, { body }, account.auth)
  await app.call(notes.update, { params: { id }, body: { ...body, title: 'Вторая' } }, account.auth)
  const params = { id, revision: '1' }
  const restored = await app.request(notes.restoreVersion, { params }, account.auth)
  const operation = restored.headers.get('operation') ?? ''
  await app.db
    .updateTable('changes')
    .set({ version: null, before: null, body: null, document: null })
    .where('owner_id', '=', account.id)
    .where('operation_id', '=', operation)
    .execute()
  const undone = await app.call(operations.undo, { params: { id: operation } }, account.auth)
  expect(undone).toMatchObject({ restored: 0, skipped: [{ kind: 'note', id, title: 'Первая' }] })
  expect((await app.call(notes.read, { params: { id } }, account.auth)).title).toBe('Первая')
})

it('removes changes, and what they keep to be undone, by their age, more than a step takes of each', async ({
  app,
  account,
}) => {
  const owner_id = account.id
  // Not in the order of their numbers: imported versions keep the times that they had.
  const COUNTS = [
    [33, 600],
    [1, 500],
    [95, 700],
  ] as const
  let seq = 100
  for (const [days, count] of COUNTS) {
    const changes = Array.from({ length: count }, () => {
      seq += 1
      const made = { owner_id, seq, kind: 'note' as const, entity_id: `${seq}`, revision: 2 }
      const by = { at: app.now() - days * DAY, session_id: null, operation_id: null, is_reverted: 0 }
      return { ...made, ...by, version: null, before: '{}', body: null, document: null }
    })
    await app.db.insertInto('changes').values(changes).execute()
  }
  await recountHistory(app.db)
  await purgeOld(app.db, { owner_id, now: app.now() })
  const left = await app.db.selectFrom('changes').select('before').where('owner_id', '=', owner_id).execute()
  expect([left.length, left.filter(({ before }) => before !== null).length]).toEqual([1_100, 500])
})

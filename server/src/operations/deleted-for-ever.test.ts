import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, onTestFinished } from 'vitest'
import { cleanVocabulary } from '../search/indexer.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { contentOf } from '../testing/database-content.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { readFile, runImport } from '../testing/send-file.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { purgeHistory } from './purge.ts'
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

it('leaves no word of an item in the database after it was deleted for ever', {
  timeout: 60_000,
}, async () => {
  const app = await createOwnApp()
  const account = await newAccount(app)
  const ids = await fill(app, account)
  // Its report keeps what was not saved alone.
  const read = await readFile(app, account, '# Канарейка из файла\n\nKanarienvogel 7305118\n', 'птица.md')
  expect(await runImport(app, account, read.id)).toMatchObject({ state: 'done', result: { added: 1 } })
  expect(heldIn(await contentOf(app))).toEqual(CANARIES)
  await trashAll(app, account, ids)
  await app.call(bulk.change, { body: { filter: { search: 'файла' }, delete: true } }, account.auth)
  await app.call(trash.remove, { params: { id: ids[0] ?? '' } }, account.auth)
  await app.call(trash.clear, {}, account.auth)
  // The deleted tag can still be undone.
  app.advance(31 * DAY)
  await app.db.write(purgeHistory, { owner_id: account.id, now: app.now() })
  // The server does so every 30 seconds.
  await cleanVocabulary(Object.assign(app.db, { destroy: async () => {} }))
  await expect.poll(async () => heldIn(await contentOf(app)), { timeout: 20_000, interval: 500 }).toEqual([])
})

it('purges the trash by itself after TRASH_DAYS, and operations and versions when they are old', async ({
  app,
  account,
}) => {
  const ids = await fill(app, account)
  const count = async (table: 'trash' | 'operations' | 'changes') =>
    (await app.db.selectFrom(table).select('owner_id').where('owner_id', '=', account.id).execute()).length
  const db = Object.assign(app.db, { destroy: async () => {} })
  const purge = (days: number) =>
    purgeHandler({ db, clock: app.now, config: { TRASH_DAYS: days }, purgeMore: async () => {} }).run(
      { owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 },
      new AbortController().signal,
    )
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
  const versions = async () => (await app.call(notes.versions, { params: { id } }, account.auth)).results
  expect((await versions()).map(({ revision }) => revision).slice(0, 2)).toEqual([110, 109])
  expect(await versions()).toHaveLength(100)
  await app.db.write(purgeHistory, { owner_id: account.id, now: app.now() })
  const left = await app.db
    .selectFrom('changes')
    .select('version')
    .where('owner_id', '=', account.id)
    .where('version', 'is not', null)
    .execute()
  expect(left).toHaveLength(100)
})

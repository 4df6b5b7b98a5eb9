import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { reindex } from '../search/indexer.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createItemStore } from './store.ts'

const it = test
  /** Which completes first: the work, or a request of another user sent right after it began. */
  .extend('firstOf', ({ app }) => async (work: Promise<unknown>): Promise<string> => {
    const asked = fetch(`${app.address}/healthz`)
    return Promise.race([work.then(() => 'work'), asked.then(() => 'question')])
  })

/** A draft with words that no other text has. */
const draft = (of: number) => ({
  title: 'Длинная',
  content: Array.from({ length: 25_000 }, (_, at) => `${at}слово${of}`).join(' '),
  tags: [],
})

it('other requests complete while a long text is saved', async ({ app, account, firstOf }) => {
  const created = app.call(notes.create, { body: draft(1) }, account.auth)
  expect(await firstOf(created)).toBe('question')
  const { id } = await created
  const updated = app.call(notes.update, { params: { id }, body: draft(2) }, account.auth)
  expect(await firstOf(updated)).toBe('question')
  await updated
})

it('a long text is not saved for a client that has gone', async ({ app, account, onTestFinished }) => {
  const config = readConfig(app.database.settings)
  const pool = createWorkerPool(config)
  onTestFinished(() => pool.close())
  const items = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(config) })
  const gone = new AbortController()
  const { title, content: body, tags } = draft(9)
  const wanted = { owner_id: account.id, session_id: 'x', kind: 'note' as const, signal: gone.signal }
  const created = items.create(wanted, { title, body, url: null, tags })
  gone.abort(new Error('gone'))
  await expect(created).rejects.toThrow('gone')
})

it('many texts that an owner saves at once are prepared in other threads, a few are not', async ({
  app,
  account,
  onTestFinished,
}) => {
  const config = readConfig(app.database.settings)
  const pool = createWorkerPool(config)
  onTestFinished(() => pool.close())
  const items = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(config) })
  const wanted = { owner_id: account.id, session_id: 'x', kind: 'note' as const }
  const short = { title: 'x', body: 'слово '.repeat(200), url: null, tags: [] }
  const saveAtOnce = (length: number) =>
    Promise.all(Array.from({ length }, () => items.create(wanted, short)))
  await saveAtOnce(3)
  expect(pool.done()).toBe(0)
  await saveAtOnce(5)
  expect(pool.done()).toBe(5)
})

it('other requests complete while long HTML is cleaned in many rounds', async ({ app, account, firstOf }) => {
  const body = { title: 'Пустая', content: '<p><img><p>'.repeat(40_000), tags: [] }
  const created = app.request(notes.create, { body }, account.auth)
  expect(await firstOf(created)).toBe('question')
  expect((await created).status).toBe(400)
})

it('other requests complete while long texts are indexed again', async ({ app, account }) => {
  for (let of = 3; of < 8; of += 1) await app.call(notes.create, { body: draft(of) }, account.auth)
  const pool = createWorkerPool(app.database.settings)
  let isDone = false
  const indexed = reindex({ db: app.db, pool, clock: app.now }).finally(() => {
    isDone = true
  })
  let responses = 0
  while (!isDone) {
    await fetch(`${app.address}/healthz`)
    if (!isDone) responses += 1
  }
  expect(await indexed).toBe('done')
  await pool.close()
  expect(responses).toBeGreaterThan(20)
}, 120_000)

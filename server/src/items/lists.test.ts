import { bulk } from '@kopilka/contract/bulk.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { createTagStore } from '../tags/store.ts'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createItemLists } from './lists.ts'

it('does not queue an owner behind all searches of another', async ({ app, account, onTestFinished }) => {
  const pool = createWorkerPool(app.database.settings)
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore({ db: app.db, clock: app.now }), pool })
  const other = await newAccount(app)
  const done: string[] = []
  const search = async (owner_id: string) => {
    await lists.summaries({ owner_id, kinds: ['note'], search: 'книга', limit: 10 })
    done.push(owner_id)
  }
  // The threads start: in that time two of them may do all searches.
  await Promise.all([search(account.id), search(account.id), search(other.id)])
  done.length = 0
  await Promise.all([...Array.from({ length: 30 }, () => search(account.id)), search(other.id)])
  // In one queue it would be one of the last two. It begins second, but its thread may be slower than the other one.
  expect(done.indexOf(other.id)).toBeLessThan(28)
})

it('gives up the searches for which nobody waits any more', async ({ app, account, onTestFinished }) => {
  const pool = createWorkerPool(app.database.settings)
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore({ db: app.db, clock: app.now }), pool })
  const gone = new AbortController()
  const wanted = { owner_id: account.id, kinds: ['note'] as const, search: 'книга', limit: 10 }
  const searches = Array.from({ length: 30 }, () => lists.summaries({ ...wanted, signal: gone.signal }))
  const next = lists.summaries(wanted)
  gone.abort(new Error('gone'))
  const outcomes = await Promise.allSettled(searches)
  // Two had begun, and ended before their threads did.
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(28)
  expect((await next).items.note).toEqual([])
})

it('reads no more than twenty items of a tag in one iteration of the event loop, in their order', async ({
  startApp,
}) => {
  const said: string[] = []
  const app = await startApp({ onStatement: (sql) => said.push(sql) })
  const { auth } = await newAccount(app)
  const saved = { note: [] as string[], link: [] as string[] }
  for (let at = 0; at < 41; at += 1) {
    app.advance(1)
    const common = { title: `${at}`, tags: ['x', `y${at}`] }
    const note = await app.call(notes.create, { body: { ...common, content: 'x' } }, auth)
    saved.note.unshift(note.id)
    const link = { ...common, description: 'x', url: `https://many.org/${at}` }
    saved.link.unshift((await app.call(links.create, { body: link }, auth)).id)
  }
  const pinned = saved.note.splice(30, 1)
  await app.call(bulk.change, { body: { ids: pinned, pinned: true } }, auth)
  const tag = (await app.call(tags.list, { query: { search: 'x' } }, auth))[0]?.id ?? ''
  for (const query of [{}, { view: 'summary' }] as const) {
    said.length = 0
    const found = await app.call(tags.items, { params: { id: tag }, query }, auth)
    expect(found.notes.map(({ id }) => id)).toEqual([...pinned, ...saved.note])
    expect(found.urllinks.map(({ id }) => id)).toEqual(saved.link)
    for (const { title, tags } of [...found.notes, ...found.urllinks])
      expect(tags.map(({ name }) => name)).toEqual(['x', `y${title}`])
    expect(said.filter((sql) => /string_agg/.test(sql))).toHaveLength(6)
  }
})

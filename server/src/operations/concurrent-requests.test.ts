import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createNotes } from '../testing/create-notes.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { integrityErrors } from '../testing/faults/integrity.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { FINISH_OPERATION, STEP } from './running.ts'
import { finishInterrupted } from './steps.ts'

const NAMES = ['лес', 'дом', 'Сад', 'поле']
const TABS = 6
const ACTIONS = 8
const UNAVAILABLE = 503

/** Does one thing at random, as one tab of a user. Resolves to the status. */
async function act(app: TestApp, { auth }: Account, random: Random): Promise<number> {
  const listed = await app.call(notes.list, { query: { view: 'summary' } }, auth)
  const trashed = await app.call(trash.list, { query: {} }, auth)
  const named = await app.call(tags.list, { query: {} }, auth)
  const done = await app.call(operations.list, { query: {} }, auth)
  const ids = random.sample(listed.results, 4).map(({ id }) => id)
  const [tag = { id: '' }, other = { id: '' }] = random.sample(named, 2)
  const [note = { id: '' }] = random.sample(listed.results, 1)
  const [lost = { id: '' }] = random.sample(trashed.results, 1)
  const [keep = '', ...merge] = ids
  const change = (body: object) => app.request(bulk.change, { body }, auth)
  const undo = (id: string) => app.request(operations.undo, { params: { id } }, auth)
  const choices = [
    () => change({ filter: {}, add_tags: [random.pick(NAMES)], remove_tags: [random.pick(NAMES)] }),
    () => change({ filter: {}, pinned: random.chance(0.5) }),
    () => change({ ids, delete: true }),
    () => change({ filter: { search: random.pick(NAMES) }, delete: true }),
    () => app.request(trash.restore, { body: { filter: {} } }, auth),
    () => app.request(trash.remove, { params: { id: lost.id } }, auth),
    () => undo(random.pick([...done.results, { id: '' }]).id),
    () => undo(done.results.find(({ undone_at }) => undone_at === null)?.id ?? ''),
    () => app.request(tags.remove, { params: { id: tag.id } }, auth),
    () => app.request(tags.merge, { params: { id: tag.id }, body: { into: other.id } }, auth),
    () => app.request(tags.update, { params: { id: tag.id }, body: { name: random.pick(NAMES) } }, auth),
    () => app.request(bulk.merge, { body: { keep, merge } }, auth),
    () => app.request(notes.update, { params: { id: note.id }, body: { title: 'x', content: 'лес' } }, auth),
  ]
  return (await random.pick(choices)()).status
}

it('leaves counts, search, tags and journal right, whatever two servers and six tabs do at once', {
  timeout: 120_000,
}, async () => {
  const database = await createTestDatabase()
  const servers = [await createTestApp({ database }), await createTestApp({ database })]
  const [app] = servers
  onTestFinished(async () => {
    for (const server of servers) await server.close()
    await database.remove()
  })
  if (!app) throw new Error('no server')
  const account = await newAccount(app)
  for (const name of NAMES) await createNotes(app, account, { count: STEP / 2, tags: [name, 'общий'] })

  let isInterrupted = false
  const statuses = await Promise.all(
    Array.from({ length: TABS }, async (_, tab) => {
      const random = createRandom(tab + 1)
      const seen: number[] = []
      for (let at = 0; at < ACTIONS; at += 1) {
        const server = servers[tab % servers.length] ?? app
        let status = await act(server, account, random)
        // After five deadlocks in a row the server responds with 503, and the client tries again.
        for (
          let again = 0;
          app.db.fullText === 'tsvector' && status === UNAVAILABLE && again < 3;
          again += 1
        ) {
          isInterrupted = true
          status = await act(server, account, random)
        }
        seen.push(status)
      }
      return seen
    }),
  )
  expect(statuses.flat().filter((status) => status >= 500)).toEqual([])
  expect(statuses.flat().filter((status) => status < 300).length).toBeGreaterThan(TABS)

  // Does what is left of operations that were given up, as a job does after a minute.
  if (isInterrupted) await finishInterrupted(app.db)
  expect(await integrityErrors(Object.assign(app.db, { destroy: async () => {} }))).toEqual([])
  const { auth } = account
  for (const { name, notes_count } of await app.call(tags.list, { query: {} }, auth)) {
    const query = { search: `tag:"${name}"`, exact: '1', view: 'summary' } as const
    const found = await app.call(search, { query }, auth)
    expect([name, found.notes_count]).toEqual([name, notes_count])
  }
  const { db } = app
  const owned = { owner_id: account.id }
  const seqs = await db
    .selectFrom('changes')
    .select('seq')
    .where(({ and }) => and(owned))
    .orderBy('seq')
    .execute()
  expect(seqs.map(({ seq }) => Number(seq))).toEqual(seqs.map((_, at) => at + 1))
  const unfinished = await db.selectFrom('jobs').select('id').where('kind', '=', FINISH_OPERATION).execute()
  expect(unfinished).toEqual([])
  // What is in the trash has all that it takes to come back.
  const { count } = await app.call(trash.list, { query: {} }, auth)
  if (count > 0)
    expect(await app.call(trash.restore, { body: { filter: {} } }, auth)).toEqual({ restored: count })
  expect((await app.call(trash.list, { query: {} }, auth)).count).toBe(0)
})

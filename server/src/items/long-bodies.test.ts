import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchIndexes } from '../search/indexes.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createReindex } from './reindex.ts'
import { createItemStore } from './store.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
})
afterAll(() => app.close())

const parts = () => ({
  db: app.db,
  index: searchIndexes[app.db.fullText],
  clock: app.now,
})

/** Words that no other text holds. */
const body = (of: number) => Array.from({ length: 25_000 }, (_, at) => `${at}слово${of}`).join(' ')

/** What is done first: the work, or a question that somebody else asks the database right after it began. */
async function firstOf(work: Promise<unknown>): Promise<string> {
  const asked = app.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
  return Promise.race([work.then(() => 'work'), asked.then(() => 'question')])
}

it('others are answered while a long text is saved', async () => {
  const { create, update } = createItemStore(parts())
  const key = { owner_id: account.id, kind: 'note' } as const
  const draft = (of: number) => ({ title: 'Длинная', body: body(of), url: null, tags: [] })
  const created = create(key, draft(1))
  expect(await firstOf(created)).toBe('question')
  const id = (await created)?.id ?? ''
  const updated = update({ ...key, id }, draft(2))
  expect(await firstOf(updated)).toBe('question')
  await updated
})

it('others are answered all the while long texts are indexed anew', async () => {
  const { create } = createItemStore(parts())
  for (let of = 3; of < 8; of += 1)
    await create(
      { owner_id: account.id, kind: 'note' },
      { title: 'Длинная', body: body(of), url: null, tags: [] },
    )
  let isDone = false
  const indexed = createReindex(parts())
    .run()
    .finally(() => {
      isDone = true
    })
  let answered = 0
  while (!isDone) {
    await app.db.selectFrom('users').select('email').executeTakeFirstOrThrow()
    if (!isDone) answered += 1
    await nextTurn()
  }
  expect(await indexed).toBe('done')
  expect(answered).toBeGreaterThan(20)
})

import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { test as it } from '../testing/fixtures.ts'
import { largePng, sendPicture } from '../testing/pictures.ts'
import { createFileStore } from './store.ts'

it('reads the chunks of several pictures in iterations of the event loop that are far from each other', async ({
  app,
  account,
}) => {
  const { owner_id } = await app.db.selectFrom('users').select('owner_id').executeTakeFirstOrThrow()
  const store = createFileStore({ db: app.db, clock: app.now, quotas: quotasOf(readConfig({})) })
  const kept = await Promise.all(
    [1_000_000, 900_000].map((size) => sendPicture(app, account, largePng(size))),
  )
  let [iteration, isRunning] = [0, true]
  const next = () => {
    iteration += 1
    if (isRunning) setImmediate(next)
  }
  next()
  const readIn: number[] = []
  const reading = kept.map(async ({ body: { id, bytes } }) => {
    for await (const _ of store.bytesOf({ owner_id, id, bytes })) readIn.push(iteration)
  })
  await Promise.all(reading)
  isRunning = false
  // The first ones of both are read at once.
  const between = readIn.slice(2).map((at, before) => at - (readIn[before + 1] ?? 0))
  expect(readIn).toHaveLength(8)
  expect(Math.min(...between)).toBeGreaterThan(10)
})

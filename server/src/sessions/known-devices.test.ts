import { accounts } from '@kopilka/contract/accounts.ts'
import { expect } from 'vitest'
import { schedulePurge } from '../operations/purge-job.ts'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const DAY = 24 * 60 * 60_000

it('forgets a device a year after the last sign-in with it', async ({ startApp }) => {
  const timed = await startApp()
  const { id, email, password } = await newAccount(timed)
  const signIn = () => timed.call(accounts.login, { body: { email, password } })
  const known = async () =>
    (await timed.db.selectFrom('known_devices').select('signed_in_at').where('owner_id', '=', id).execute())
      .length
  const before = await known()
  timed.advance(364 * DAY)
  await signIn()
  expect(await known()).toBe(before + 1)
  timed.advance(DAY)
  await timed.db.write(schedulePurge, { now: timed.now() })
  await expect.poll(known, { timeout: 20_000 }).toBe(1)
})

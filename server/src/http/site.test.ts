import { site } from '@kopilka/contract/site.ts'
import { expect, it } from 'vitest'
import { createTestApp } from '../testing/create-test-app.ts'

it.each([
  [{}, { support_email: 'support@example.org', registration: 'open' }],
  [
    { SUPPORT_EMAIL: 'помощь@почта.рф', REGISTRATION: 'closed' },
    { support_email: 'помощь@почта.рф', registration: 'closed' },
  ],
])('says what the settings %j make of this server', async (settings, answer) => {
  const app = await createTestApp({ settings })
  expect(await app.call(site.read, {})).toEqual(answer)
  await app.close()
})

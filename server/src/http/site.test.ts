import { site } from '@kopilka/contract/site.ts'
import { expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'

it.for([
  [{}, { support_email: 'support@example.org', registration: 'open' }],
  [
    { SUPPORT_EMAIL: 'помощь@почта.рф', REGISTRATION: 'closed' },
    { support_email: 'помощь@почта.рф', registration: 'closed' },
  ],
] as const)('returns the values of the settings %j', async ([settings, expected], { startApp }) => {
  const app = await startApp({ settings })
  expect(await app.call(site.read, {})).toEqual(expected)
})

import { test as base } from 'vitest'
import { createTestApp, type TestAppOptions } from './create-test-app.ts'
import { newAccount } from './new-account.ts'

/**
 * Tests of the API. `app` is one server for the file, closed after it; `account` is a new one for each test. A file whose
 * server differs extends `options`: `test.extend('options', { scope: 'file' }, () => ({ settings: … }))`.
 */
export const test = base
  .extend('options', { scope: 'file' }, (): TestAppOptions => ({}))
  .extend('app', { scope: 'file' }, async ({ options }, { onCleanup }) => {
    const app = await createTestApp(options)
    onCleanup(() => app.close())
    return app
  })
  .extend('account', ({ app }) => newAccount(app))

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'
import { createTestApp, type TestAppOptions } from './create-test-app.ts'
import { startMailServer } from './mail-server.ts'
import { newAccount } from './new-account.ts'

/**
 * Tests of the API. For the whole file: `app` is a server, `owner` an account for items that the tests share, `mail` a mail
 * server, `folder` an empty folder. For each test: `account` is a new account, `startApp` starts another server. All are
 * created when first used and closed afterwards. A file whose server differs extends `options`:
 * `test.extend('options', { scope: 'file' }, ({ mail }) => ({ settings: { SMTP_URL: mail.url } }))`.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from this pattern
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
    onCleanup(() => rm(folder, { recursive: true }))
    return folder
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from this pattern
  .extend('mail', { scope: 'file' }, async ({}, { onCleanup }) => {
    const mail = await startMailServer()
    onCleanup(() => mail.close())
    return mail
  })
  .extend('options', { scope: 'file' }, (): TestAppOptions => ({}))
  .extend('app', { scope: 'file' }, async ({ options }, { onCleanup }) => {
    const app = await createTestApp(options)
    onCleanup(() => app.close())
    return app
  })
  .extend('owner', { scope: 'file' }, ({ app }) => newAccount(app))
  .extend('account', ({ app }) => newAccount(app))
  .extend('startApp', ({ onTestFinished }) => async (options: TestAppOptions = {}) => {
    const app = await createTestApp(options)
    onTestFinished(() => app.close())
    return app
  })

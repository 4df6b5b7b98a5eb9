import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tokens } from '@kopilka/contract/tokens.ts'
import { expect } from 'vitest'
import type { TestApp } from '../server/src/testing/create-test-app.ts'
import { test } from '../server/src/testing/fixtures.ts'
import type { Account } from '../server/src/testing/new-account.ts'
import { corpusFolder } from './corpus.ts'

/*
 * Published clients of linkding against our server. FOLDER/linkding holds their repositories as they are:
 * sissbruecker/linkding-extension and Fivefold/linkding-injector, each in a folder of its name.
 */

interface Bookmark {
  id: number
  url: string
  title: string
  description: string
  notes: string
  tag_names: string[]
  unread: boolean
  shared: boolean
}

/** What the two clients call; the injector has `search` and `testConnection`, with another result. */
interface Client {
  testConnection(): Promise<boolean | { success: boolean; status: number; message: string }>
  search(text: string, options: { limit?: number }): Promise<Bookmark[]>
  check(url: string): Promise<{
    bookmark: Bookmark | null
    metadata: { url: string; title: string | null }
    auto_tags: string[]
  }>
  getBookmark(id: number): Promise<Bookmark>
  saveBookmark(
    bookmark: Omit<Bookmark, 'id'>,
    options?: { disable_html_snapshot?: boolean },
  ): Promise<Bookmark>
  deleteBookmark(id: number): Promise<void>
  getTags(): Promise<{ id: number; name: string }[]>
  getUserProfile(): Promise<{ version: string }>
}

const it = test.extend('load', ({ app, account, folder }) => async (name: string, token?: string) => {
  // As a module whatever its own package says.
  const copy = join(folder, `${name}.mjs`)
  await copyFile(join(corpusFolder('linkding'), name, 'src', 'linkding.js'), copy)
  const { LinkdingApi } = await import(/* @vite-ignore */ pathToFileURL(copy).href)
  const configuration = { baseUrl: `${app.address}/linkding`, token: token ?? (await tokenOf(app, account)) }
  // The constructor of a file that is not typed.
  return new LinkdingApi(configuration) as Client
})

const tokenOf = async (app: TestApp, { auth }: Account) =>
  (await app.call(tokens.create, { body: { name: 'linkding', scope: 'write' } }, auth)).token

const PAGE = {
  ...{ url: 'https://почта.рф/письма?a=1', title: 'Письма', description: 'О письмах', notes: 'раз\n\nдва' },
  ...{ tag_names: ['почта', 'чтение'], unread: true, shared: false },
}

it('the browser extension saves, checks, edits, searches and deletes', async ({ load }) => {
  const client = await load('linkding-extension')
  expect(await client.testConnection()).toBe(true)
  expect((await client.getUserProfile()).version).toMatch(/^1\./)
  const before = await client.check(PAGE.url)
  expect(before).toMatchObject({ bookmark: null, metadata: { url: PAGE.url }, auto_tags: [] })

  const saved = await client.saveBookmark(PAGE, { disable_html_snapshot: true })
  expect(saved).toMatchObject(PAGE)
  const { bookmark } = await client.check(
    'http://xn--80a1acny.xn--p1ai/%D0%BF%D0%B8%D1%81%D1%8C%D0%BC%D0%B0/?a=1',
  )
  expect(bookmark).toEqual(saved)
  expect(await client.getBookmark(saved.id)).toEqual(saved)

  const edited = await client.saveBookmark({
    ...PAGE,
    title: 'Другие',
    notes: '',
    tag_names: ['почта'],
    unread: false,
  })
  expect(edited).toMatchObject({
    id: saved.id,
    title: 'Другие',
    notes: '',
    tag_names: ['почта'],
    unread: false,
  })
  expect((await client.search('другие #почта', { limit: 5 })).map(({ id }) => id)).toEqual([saved.id])
  expect(await client.search('чтение', {})).toEqual([])
  expect((await client.getTags()).map(({ name }) => name)).toEqual(['почта', 'чтение'])
  await expect(client.saveBookmark({ ...PAGE, url: 'нет' })).rejects.toMatch(/Enter a valid URL/)
  await client.deleteBookmark(saved.id)
  expect((await client.check(PAGE.url)).bookmark).toBeNull()
  expect(await (await load('linkding-extension', 'wrong')).testConnection()).toBe(false)
})

it('the injector into search pages searches, and says why it cannot', async ({ load }) => {
  await (await load('linkding-extension')).saveBookmark(PAGE)
  const client = await load('linkding-injector')
  expect(await client.testConnection()).toMatchObject({ success: true, status: 200 })
  expect(await client.search('письма', { limit: 5 })).toMatchObject([PAGE])
  const stranger = await load('linkding-injector', 'kop_wrong')
  expect(await stranger.testConnection()).toEqual({ success: false, status: 401, message: 'Invalid token.' })
})

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { bulk } from '../../contract/src/bulk.ts'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { links } from '../../contract/src/links.ts'
import { notes } from '../../contract/src/notes.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/create-test-app.ts'
import { type Account, newAccount } from '../../server/src/testing/new-account.ts'
import type { CallRequest } from '../../web/src/offline/responses.ts'
import { type Written, writtenBy } from '../../web/src/offline/written.ts'
import { MemoryCopy } from './memory-outbox.ts'

/* A copy that is given what the server took of this page has what one has that followed the server. */

let app: TestApp
let account: Account
let copy: MemoryCopy
let note: string
let link: string

beforeAll(async () => {
  app = await createTestApp()
  return () => app.close()
})

beforeEach(async () => {
  account = await newAccount(app)
  const body = { title: 'Было', content: '<p>Текст</p>', tags: ['Лес', 'Дом'] }
  note = (await app.call(notes.create, { body }, account.auth)).id
  const saved = { title: 'Сайт', url: 'https://example.org/', description: '<p>Адрес</p>' }
  link = (await app.call(links.create, { body: saved }, account.auth)).id
  copy = new MemoryCopy()
  await copy.follow(app, account)
})

/** Has the server take a change; resolves to what the page knows of it. */
async function take(endpoint: Endpoint, request: CallRequest): Promise<Written> {
  const { status, body, headers } = await app.request(endpoint, request, account.auth)
  expect(status).toBe(endpoint.status)
  return { endpoint, request, value: body, etag: headers.get('etag') ?? undefined }
}

const keep = (written: Written) => copy.change(writtenBy(copy.read(), written))

const save = async (endpoint: Endpoint, request: CallRequest) => keep(await take(endpoint, request))

async function expectAsServer(): Promise<void> {
  const server = new MemoryCopy()
  await server.follow(app, account)
  // When many were changed the response does not say.
  const undated = ({ items }: MemoryCopy) =>
    [...items.values()].map(({ updated_at: _, ...item }) => item).sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(undated(copy)).toEqual(undated(server))
  for (const id of server.items.keys()) expect(copy.texts.get(id)).toBe(server.texts.get(id))
  expect(copy.tags).toEqual(server.tags)
}

test('what is created, changed, restored and deleted', async () => {
  await save(notes.create, { body: { title: 'Новая', content: '<p>Ещё</p>', tags: ['Река'], pinned: true } })
  await expectAsServer()
  const body = { title: 'Стало', content: '<p>Другой</p>', add_tags: ['Море'], remove_tags: ['Дом'] }
  await save(notes.update, { params: { id: note }, body })
  await expectAsServer()
  await save(notes.restoreVersion, { params: { id: note, revision: '1' } })
  await expectAsServer()
  await save(links.remove, { params: { id: link } })
  await expectAsServer()
})

test('pins, tags and deletions of many', async () => {
  const ids = [note, link]
  await save(bulk.change, { body: { ids, pinned: true } })
  await expectAsServer()
  // Of these the link alone changes.
  await save(bulk.change, { body: { ids, pinned: true, add_tags: ['лес'] } })
  await expectAsServer()
  await save(bulk.change, { body: { ids, add_tags: ['Дом'], remove_tags: ['ДОМ', 'Лес'] } })
  await expectAsServer()
  await save(bulk.change, { body: { ids, delete: true } })
  await expectAsServer()
})

test('a new tag of many comes with the changes since, and the version of the items is known before', async () => {
  const ids = [note, link]
  await save(bulk.change, { body: { ids, add_tags: ['Море'] } })
  const { etag } = await take(notes.read, { params: { id: note } })
  expect(copy.items.get(note)?.etag).toBe(etag)
  expect([...copy.tags.values()].sort()).toEqual(['Дом', 'Лес'])
  await copy.follow(app, account)
  await expectAsServer()
})

test('what the copy has of others since stays', async () => {
  const body = { title: 'Моё', content: '<p>Моё</p>' }
  const ofLink = { title: 'Моё', url: 'https://example.org/', description: '<p>Моё</p>' }
  const late = [
    await take(notes.update, { params: { id: note }, body }),
    await take(links.update, { params: { id: link }, body: ofLink }),
  ]
  await take(notes.update, { params: { id: note }, body: { title: 'Чужое', content: '<p>Чужое</p>' } })
  await take(links.remove, { params: { id: link } })
  await copy.follow(app, account)
  for (const written of late) keep(written)
  expect(copy.items.get(note)?.title).toBe('Чужое')
  await expectAsServer()
})

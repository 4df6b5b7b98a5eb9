import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { test as base } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const test = base.extend('options', { scope: 'file' }, () => ({
  settings: { ITEMS_PER_USER: '3', TAGS_PER_USER: '2', TEXT_PER_USER: '1KB' },
}))

const note = (title: string, names: string[] = [], content = '<p>Текст</p>') => ({
  title,
  content,
  tags: names,
})
const link = { title: 'Ссылка', url: 'https://example.org/', description: '<p>Ещё</p>' }

const ITEMS =
  'Записей уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные и попробуйте снова.'
const TAGS =
  'Категорий уже столько, сколько этот сервер хранит для одного пользователя. Возьмите имеющуюся или удалите ненужные.'
const TEXT =
  'Текста уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные записи и попробуйте снова.'

test('notes and links together are no more than ITEMS_PER_USER, and deleting one makes room', async ({
  app,
  account: { auth },
}) => {
  const first = await app.call(notes.create, { body: note('первая') }, auth)
  await app.call(notes.create, { body: note('вторая') }, auth)
  await app.call(links.create, { body: link }, auth)

  const refused = await app.request(links.create, { body: { ...link, tags: ['новая'] } }, auth)
  expect([refused.status, refused.body]).toEqual([403, { detail: ITEMS, error: ITEMS }])
  const english = { ...auth, headers: { 'accept-language': 'en' } }
  const inEnglish = await app.request(notes.create, { body: note('лишняя') }, english)
  expect(inEnglish.body.detail).toContain('as many items as this server keeps for one user')
  expect((await app.call(links.list, { query: {} }, auth)).count).toBe(1)
  expect(await app.call(tags.list, { query: {} }, auth)).toEqual([])

  const changed = { params: { id: first.id }, body: note('первая, другая') }
  expect((await app.request(notes.update, changed, auth)).status).toBe(200)
  const other = await newAccount(app)
  expect((await app.request(notes.create, { body: note('чужая') }, other.auth)).status).toBe(201)

  await app.call(notes.remove, { params: { id: first.id } }, auth)
  expect((await app.request(links.create, { body: link }, auth)).status).toBe(201)
})

test('tags are no more than TAGS_PER_USER; those that exist can still be given', async ({
  app,
  account: { auth },
}) => {
  const first = await app.call(notes.create, { body: note('первая', ['дом', 'работа']) }, auth)
  const refused = await app.request(notes.create, { body: note('вторая', ['дом', 'третья']) }, auth)
  expect([refused.status, refused.body.detail]).toEqual([403, TAGS])
  const update = (names: string[]) =>
    app.request(notes.update, { params: { id: first.id }, body: note('первая', names) }, auth)
  expect((await update(['третья'])).body.detail).toBe(TAGS)
  expect((await app.call(notes.read, { params: { id: first.id } }, auth)).tags).toHaveLength(2)
  expect((await app.request(notes.create, { body: note('вторая', ['Дом']) }, auth)).status).toBe(201)

  const [home] = await app.call(tags.list, { query: { search: 'дом' } }, auth)
  await app.call(tags.remove, { params: { id: home?.id ?? '' } }, auth)
  expect((await update(['третья'])).status).toBe(200)
})

test('texts are no more than TEXT_PER_USER bytes; a longer one is refused, a shorter one is not', async ({
  app,
  account: { auth },
}) => {
  // In UTF-8 two bytes a letter.
  const long = (letters: number) => `<p>${'ж'.repeat(letters)}</p>`
  const first = await app.call(notes.create, { body: note('1', [], long(400)) }, auth)
  expect((await app.request(notes.create, { body: note('2', [], long(100)) }, auth)).body.detail).toBe(TEXT)
  const update = (letters: number) =>
    app.request(notes.update, { params: { id: first.id }, body: note('1', [], long(letters)) }, auth)
  const refused = await update(500)
  expect([refused.status, refused.body.detail]).toEqual([403, TEXT])
  expect((await app.call(notes.read, { params: { id: first.id } }, auth)).content).toBe(long(400))
  expect((await update(300)).status).toBe(200)
  expect((await app.request(notes.create, { body: note('2', [], long(150)) }, auth)).status).toBe(201)
})

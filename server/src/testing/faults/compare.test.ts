import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { ANALYSER } from '../../search/document.ts'
import { searchIndexOf } from '../../search/indexes.ts'
import { createTestApp, type TestApp } from '../create-test-app.ts'
import { type Account, newAccount } from '../new-account.ts'
import { compare } from './compare.ts'
import { faultsInside } from './inside.ts'
import { createLedger, type Entry, type Ledger, type Version } from './ledger.ts'
import { change, create, remove, type Writing } from './requests.ts'

/** The rounds are worth what this notices. */
let app: TestApp
let account: Account
let ledger: Ledger
let writing: Writing
let entry: Entry
beforeEach(async () => {
  await app?.close()
  app = await createTestApp()
  // A server indexes a new database as well: it would repair what these tests spoil.
  const analyser = () => app.db.selectFrom('search_analyser').select('version').executeTakeFirstOrThrow()
  await expect.poll(analyser).toEqual({ version: ANALYSER })
  account = await newAccount(app)
  ledger = createLedger()
  writing = { client: app, token: account.session.access_token, ledger }
  entry = ledger.open('one', 'note')
  ledger.ask(entry, version('берлога'))
  await create(writing, entry, version('берлога'))
  expect(ledger.wrongAnswers).toEqual([])
})
afterAll(() => app.close())

const version = (word: string, tags = ['лес', 'зима']): Version => ({
  title: `one ${word}`,
  body: `<p>${word}</p>`,
  url: null,
  tags,
  word,
})
const faults = () => compare({ client: app, token: account.session.access_token }, ledger)
const ofOurs = () => ({ owner_id: account.id, id: String(entry.id) })

it('finds nothing wrong where all is as acknowledged', async () => {
  await change(writing, entry, version('малина', ['лес']), ['лес'])
  const gone = ledger.open('two', 'link')
  const link = { ...version('река'), title: 'two река', url: 'https://example.org/' }
  ledger.ask(gone, link)
  await create(writing, gone, link)
  await remove(writing, gone)
  expect(ledger.acknowledged()).toBe(4)
  expect(await faults()).toEqual([])
  expect(await faultsInside(app.db)).toEqual([])
})

it('names an item that was lost', async () => {
  const { owner_id, id } = ofOurs()
  await app.db.deleteFrom('items').where('owner_id', '=', owner_id).where('id', '=', id).execute()
  const [fault = ''] = await faults()
  expect(fault).toContain(`one (note, id ${id}): записи нет, а должно быть {"title":"one берлога"`)
})

it('names an item that lost a tag', async () => {
  await app.db
    .deleteFrom('item_tags')
    .where('owner_id', '=', account.id)
    .where('tag_id', '=', (tags) =>
      tags.selectFrom('tags').select('id').where('owner_id', '=', account.id).where('name', '=', 'лес'),
    )
    .execute()
  expect(await faults()).toContainEqual(expect.stringContaining('"tags":["зима"]}, а должно быть'))
})

it('names an item whose change was lost', async () => {
  ledger.ask(entry, version('малина'))
  ledger.acknowledge(entry, version('малина'))
  expect(await faults()).toEqual([
    expect.stringMatching(/лежит {"title":"one берлога".* а должно быть {"title":"one малина"/),
  ])
})

it('names an item of which search knows the old text', async () => {
  const { title, body } = version('малина')
  ledger.ask(entry, version('малина'))
  ledger.acknowledge(entry, version('малина'))
  await app.db.updateTable('items').set({ title, body }).where('owner_id', '=', account.id).execute()
  expect(await faults()).toEqual([
    expect.stringContaining('поиск находит её по слову берлога, которого в ней нет'),
    expect.stringContaining('поиск не находит её по слову малина'),
  ])
})

it('names an item that is back after its deletion', async () => {
  ledger.ask(entry, undefined)
  ledger.acknowledge(entry, undefined)
  expect((await faults())[0]).toMatch(/лежит .* а должно быть ничего$/)
})

it('names an item that was made twice, and one that nobody asked for', async () => {
  for (const title of ['one берлога', 'чужая'])
    await app.call(notes.create, { body: { title, content: 'x' } }, account.auth)
  const found = await faults()
  expect(found).toContainEqual(expect.stringMatching(/^one: записей 2/))
  expect(found).toContainEqual(expect.stringMatching(/^чужая: записей 1/))
})

it('accepts of a change that nobody answered the old and the new, and nothing between', async () => {
  ledger.ask(entry, version('малина', ['осень']))
  expect(await faults()).toEqual([])
  await app.call(
    notes.update,
    {
      params: { id: String(entry.id) },
      body: { title: 'one малина', content: '<p>малина</p>', tags: ['осень'] },
    },
    account.auth,
  )
  expect(await faults()).toEqual([])
  await app.db.updateTable('items').set({ title: 'one берлога' }).where('owner_id', '=', account.id).execute()
  expect((await faults())[0]).toMatch(/лежит .*малина.* а должно быть .* или /)
})

it('accepts of a creation that nobody answered the whole item or none', async () => {
  const lost = ledger.open('two', 'note')
  const wanted = { ...version('река'), title: 'two река' }
  ledger.ask(lost, wanted)
  expect(await faults()).toEqual([])
  await app.call(
    notes.create,
    { body: { title: wanted.title, content: wanted.body, tags: ['лес'] } },
    account.auth,
  )
  expect(await faults()).toEqual([
    expect.stringMatching(/^two .*"tags":\["лес"\]}, а должно быть ничего или/),
  ])
})

it('names an item that search lost, also from inside', async () => {
  const { owner_id, id } = ofOurs()
  await app.db.transaction().execute((trx) => searchIndexOf(trx).delete(trx, owner_id, id))
  expect(await faults()).toEqual([`one (note, id ${id}): поиск не находит её по слову берлога`])
  expect(await faultsInside(app.db)).toEqual([expect.stringMatching(`^запись без .* в поиске: ${id}$`)])
})

it('names words in the index whose item is gone', async () => {
  // As a write that was done in two steps would leave it.
  const { owner_id, id } = ofOurs()
  if (app.db.fullText === 'tsvector')
    await sql`alter table search_words drop constraint search_words_item`.execute(app.db)
  await app.db.deleteFrom('items').where('owner_id', '=', owner_id).where('id', '=', id).execute()
  const inside = await faultsInside(app.db)
  expect(inside).toContainEqual(expect.stringMatching(`^(?:номер|слова) в поиске без записи: ${id}$`))
})

it('names a tag, and an owner, whose numbers are not those of the items', async () => {
  await app.db.updateTable('tags').set({ notes_count: 7 }).where('owner_id', '=', account.id).execute()
  await app.db.updateTable('item_counts').set({ count: 7 }).where('owner_id', '=', account.id).execute()
  expect(await faults()).toEqual([
    'категория зима: записей 1,0, а насчитано 7,0',
    'категория лес: записей 1,0, а насчитано 7,0',
  ])
  expect(await faultsInside(app.db)).toEqual([
    expect.stringMatching(/^у владельца неверное число записей/),
    expect.stringMatching(/^у категории неверное число записей/),
    expect.stringMatching(/^у категории неверное число записей/),
  ])
})

it('names a tag of an item that takes it for one of another kind', async () => {
  await app.db.updateTable('item_tags').set({ kind: 'link' }).where('owner_id', '=', account.id).execute()
  const found = await faultsInside(app.db)
  const fault = `у связи с категорией другой вид записи: ${entry.id}`
  expect(found.filter((line) => line === fault)).toHaveLength(2)
})

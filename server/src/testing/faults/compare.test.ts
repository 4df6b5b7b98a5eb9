import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { searchIndexOf } from '../../search/index.ts'
import { createTestApp, type TestApp } from '../create-test-app.ts'
import { type Account, newAccount } from '../new-account.ts'
import { compare } from './compare.ts'
import { integrityErrors, recountHistory } from './integrity.ts'
import { change, create, remove, type Writing } from './requests.ts'
import { createWriteLog, type Entry, type Version, type WriteLog } from './write-log.ts'

/** Checks that the fault rounds detect each kind of loss. */
let app: TestApp
let account: Account
let writeLog: WriteLog
let writing: Writing
let entry: Entry
/** These tests delete rows by hand: what the owner stores is wrong afterwards. */
async function closeApp(): Promise<void> {
  await app.db.deleteFrom('usage').execute()
  await app.close()
}
beforeEach(async () => {
  if (app) await closeApp()
  app = await createTestApp()
  // A server indexes a new database as well: it would repair what these tests spoil.
  const analyser = () => app.db.selectFrom('search_analyser').select('version').executeTakeFirstOrThrow()
  await expect.poll(analyser).toEqual({ version: ANALYSER })
  account = await newAccount(app)
  writeLog = createWriteLog()
  writing = { client: app, token: account.session.access_token, writeLog }
  entry = writeLog.open('one', 'note')
  writeLog.expect(entry, version('берлога'))
  await create(writing, entry, version('берлога'))
  expect(writeLog.unexpectedResponses).toEqual([])
})
afterAll(closeApp)

const version = (word: string, tags = ['лес', 'зима']): Version => ({
  title: `one ${word}`,
  body: `<p>${word}</p>`,
  url: null,
  tags,
  word,
})
const faults = () => compare({ client: app, token: account.session.access_token }, writeLog)
const ownedEntry = () => ({ owner_id: account.id, id: String(entry.id) })

it('reports nothing where everything is stored as acknowledged', async () => {
  await change(writing, entry, version('малина', ['лес']), ['лес'])
  const gone = writeLog.open('two', 'link')
  const link = { ...version('река'), title: 'two река', url: 'https://example.org/' }
  writeLog.expect(gone, link)
  await create(writing, gone, link)
  await remove(writing, gone)
  expect(writeLog.acknowledged()).toBe(4)
  expect(await faults()).toEqual([])
  expect(await integrityErrors(app.db)).toEqual([])
})

it('reports a lost item', async () => {
  const { owner_id, id } = ownedEntry()
  await app.db.deleteFrom('items').where('owner_id', '=', owner_id).where('id', '=', id).execute()
  const [fault = ''] = await faults()
  expect(fault).toContain(`one (note, id ${id}): записи нет, а должно быть {"title":"one берлога"`)
})

it('reports an item that lost a tag', async () => {
  await app.db
    .deleteFrom('item_tags')
    .where('owner_id', '=', account.id)
    .where('tag_id', '=', (tags) =>
      tags.selectFrom('tags').select('id').where('owner_id', '=', account.id).where('name', '=', 'лес'),
    )
    .execute()
  expect(await faults()).toContainEqual(expect.stringContaining('"tags":["зима"]}, а должно быть'))
})

it('reports an item whose change was lost', async () => {
  writeLog.expect(entry, version('малина'))
  writeLog.acknowledge(entry, version('малина'))
  expect(await faults()).toEqual([
    expect.stringMatching(/лежит {"title":"one берлога".* а должно быть {"title":"one малина"/),
  ])
})

it('reports an item whose old text is still indexed', async () => {
  const { title, body } = version('малина')
  writeLog.expect(entry, version('малина'))
  writeLog.acknowledge(entry, version('малина'))
  await app.db.updateTable('items').set({ title, body }).where('owner_id', '=', account.id).execute()
  expect(await faults()).toEqual([
    expect.stringContaining('поиск находит её по слову берлога, которого в ней нет'),
    expect.stringContaining('поиск не находит её по слову малина'),
  ])
})

it('reports an item that exists after its deletion', async () => {
  writeLog.expect(entry, undefined)
  writeLog.acknowledge(entry, undefined)
  expect((await faults())[0]).toMatch(/лежит .* а должно быть ничего$/)
})

it('reports an item that was created twice, and one that was never requested', async () => {
  for (const title of ['one берлога', 'чужая'])
    await app.call(notes.create, { body: { title, content: 'x' } }, account.auth)
  const found = await faults()
  expect(found).toContainEqual(expect.stringMatching(/^one: записей 2/))
  expect(found).toContainEqual(expect.stringMatching(/^чужая: записей 1/))
})

it('accepts the old or the new version after a change without a response, and no mixture', async () => {
  writeLog.expect(entry, version('малина', ['осень']))
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

it('accepts the whole item or none after a creation without a response', async () => {
  const lost = writeLog.open('two', 'note')
  const wanted = { ...version('река'), title: 'two река' }
  writeLog.expect(lost, wanted)
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

it('reports an item missing from the search index, through the API and the database', async () => {
  const { owner_id, id } = ownedEntry()
  await app.db.transaction().execute((trx) => searchIndexOf(trx).delete(trx, owner_id, [id]))
  expect(await faults()).toEqual([`one (note, id ${id}): поиск не находит её по слову берлога`])
  expect(await integrityErrors(app.db)).toEqual([expect.stringMatching(`^запись без .* в поиске: ${id}$`)])
})

it('reports index rows without an item', async () => {
  // The state that a write in two transactions would leave.
  const { owner_id, id } = ownedEntry()
  if (app.db.fullText === 'tsvector')
    await sql`alter table search_words drop constraint search_words_item`.execute(app.db)
  await app.db.deleteFrom('items').where('owner_id', '=', owner_id).where('id', '=', id).execute()
  const errors = await integrityErrors(app.db)
  expect(errors).toContainEqual(expect.stringMatching(`^(?:номер|слова) в поиске без записи: ${id}$`))
})

it('reports a text that is kept of an item which was deleted for ever', async () => {
  const { id } = ownedEntry()
  await remove(writing, entry)
  await app.call(trash.remove, { params: { id } }, account.auth)
  expect(await integrityErrors(app.db)).toEqual([])
  await app.db
    .updateTable('changes')
    .set({ body: '<p>берлога</p>' })
    .where('owner_id', '=', account.id)
    .where('entity_id', '=', id)
    .execute()
  await recountHistory(app.db)
  expect(await integrityErrors(app.db)).toEqual([`хранится текст записи, которой нет и в корзине: ${id}`])
})

it('reports wrong counts of a tag and of an owner', async () => {
  await app.db.updateTable('tags').set({ notes_count: 7 }).where('owner_id', '=', account.id).execute()
  await app.db.updateTable('item_counts').set({ count: 7 }).where('owner_id', '=', account.id).execute()
  await app.db.updateTable('usage').set({ tags: 7 }).where('owner_id', '=', account.id).execute()
  expect(await faults()).toEqual([
    'категория зима: записей 1,0, а насчитано 7,0',
    'категория лес: записей 1,0, а насчитано 7,0',
  ])
  expect(await integrityErrors(app.db)).toEqual([
    expect.stringMatching(/^у владельца неверное число записей/),
    expect.stringMatching(/^неверно учтено, сколько хранит владелец/),
    expect.stringMatching(/^у категории неверное число записей/),
    expect.stringMatching(/^у категории неверное число записей/),
  ])
})

it('reports an item tag with the wrong kind', async () => {
  await app.db.updateTable('item_tags').set({ kind: 'link' }).where('owner_id', '=', account.id).execute()
  const found = await integrityErrors(app.db)
  const fault = `у связи с категорией другой вид записи: ${entry.id}`
  expect(found.filter((line) => line === fault)).toHaveLength(2)
})

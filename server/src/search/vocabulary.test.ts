import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { cleanVocabulary, removeForms } from './indexer.ts'
import { ownerOfRemovals } from './vocabulary.ts'

const it = test
  .extend(
    'create',
    ({ app, account }) =>
      async (content: string) =>
        (await app.call(notes.create, { body: { title: 'Заголовок', content, tags: [] } }, account.auth)).id,
  )
  .extend(
    'update',
    ({ app, account }) =>
      (id: string, content: string) =>
        app.call(notes.update, { params: { id }, body: { title: 'Заголовок', content } }, account.auth),
  )
  .extend(
    'remove',
    ({ app, account }) =>
      (id: string) =>
        app.call(notes.remove, { params: { id } }, account.auth),
  )
  /** The words of the account in the search tables, without that of the titles. */
  .extend('vocabulary', ({ app, account }) => async (): Promise<string[]> => {
    await cleanVocabulary(app.db)
    const { rows } = await sql<{ form: string }>`
    select form from search_forms where owner_id = ${account.id} order by form`.execute(app.db)
    return rows.map(({ form }) => form).filter((form) => form !== 'заголовок')
  })

it('has exactly the words of the current items', async ({ create, update, remove, vocabulary }) => {
  const first = await create('книга книгами кот')
  const second = await create('книга коты https://example.org/путь')
  expect(await vocabulary()).toEqual(
    expect.arrayContaining(['книга', 'книгами', 'кот', 'коты', 'example', 'путь']),
  )
  await update(second, 'коты')
  expect(await vocabulary()).toEqual(['книга', 'книгами', 'кот', 'коты'])
  await remove(first)
  expect(await vocabulary()).toEqual(['коты'])
  await remove(second)
  expect(await vocabulary()).toEqual([])
})

it('keeps a word as long as an item has it, and no longer', async ({
  create,
  update,
  remove,
  vocabulary,
}) => {
  const ids: string[] = []
  for (let at = 0; at < 12; at += 1) ids.push(await create('секретами'))
  const other = await create('секреты')
  for (const id of ids) {
    expect(await vocabulary()).toEqual(['секретами', 'секреты'])
    await (ids.indexOf(id) % 2 === 0 ? remove(id) : update(id, 'секреты'))
  }
  expect(await vocabulary()).toEqual(['секреты'])
  for (const id of [...ids.filter((_, at) => at % 2 === 1), other]) await remove(id)
  expect(await vocabulary()).toEqual([])
})

it('leaves nothing of a deleted item in the tables of search', async ({ app, account, create, remove }) => {
  const id = await create('тайна')
  await remove(id)
  for (const table of ['search_docs', 'search_words'].slice(app.db.fullText === 'fts5' ? 0 : 1)) {
    const where =
      table === 'search_docs' || app.db.fullText === 'tsvector' ? sql`where owner_id = ${account.id}` : sql``
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} ${where}`.execute(app.db)
    expect([table, rows[0]?.count]).toEqual([table, 0])
  }
})

it('is correct after concurrent saves of one account', async ({ create, remove, vocabulary }) => {
  const ids = await Promise.all(Array.from({ length: 10 }, () => create('общее слово')))
  await Promise.all([...ids.slice(1).map(remove), ...Array.from({ length: 5 }, () => create('новое слово'))])
  expect(await vocabulary()).toEqual(['новое', 'общее', 'слово'])
  await remove(ids[0] ?? '')
  expect(await vocabulary()).toEqual(['новое', 'слово'])
})

const letters = 'абвгдежзик'
/** Different words without a meaning. */
const wordsOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    [...String(10_000 + at)].map((digit) => letters[Number(digit)]).join(''),
  )

it('takes the words of long texts out piece by piece, and owners alternate', async ({
  app,
  account,
  create,
  remove,
}) => {
  const other = await newAccount(app)
  const long = await create(wordsOf(2_000).join(' '))
  const body = { title: 'Заголовок', content: 'тайна', tags: [] }
  const { id } = await app.call(notes.create, { body }, other.auth)
  await remove(long)
  await app.call(notes.remove, { params: { id } }, other.auth)
  const queued = async () => {
    const rows = await app.db.selectFrom('search_removals').select(['owner_id', 'forms']).execute()
    return rows.filter(({ owner_id }) => [account.id, other.id].includes(owner_id))
  }
  const before = await queued()
  expect(before.length).toBeGreaterThan(10)
  expect(Math.max(...before.map(({ forms }) => forms.split(' ').length))).toBe(50)
  let owner_id: string | undefined
  for (let step = 0; step < 4; step += 1) {
    owner_id = (await ownerOfRemovals(app.db, owner_id)) ?? ''
    await app.db.write(removeForms, { owner_id })
  }
  const after = await queued()
  expect(after.filter(({ owner_id }) => owner_id === other.id)).toEqual([])
  expect(after.length).toBeLessThan(before.length)
  await cleanVocabulary(app.db)
  expect(await queued()).toEqual([])
})

it('divides a long row of an earlier version', async ({ app, account, create, remove, vocabulary }) => {
  const words = wordsOf(300)
  await remove(await create(words.join(' ')))
  await app.db.deleteFrom('search_removals').where('owner_id', '=', account.id).execute()
  const row = { owner_id: account.id, id: 'long', forms: words.join(' ') }
  await app.db.insertInto('search_removals').values(row).execute()
  expect(await vocabulary()).toEqual([])
})

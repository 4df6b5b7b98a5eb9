import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

test('a save takes its tags from the row of the item, so that on Citus it is a transaction of one machine', async ({
  startApp,
}) => {
  const statements: string[] = []
  const app = await startApp({ onStatement: (sql) => void statements.push(sql) })
  const { auth } = await newAccount(app)
  const body = { title: 'Заметка', content: 'текст', tags: ['лес', 'река'] }
  const { id } = await app.call(notes.create, { body }, auth)
  await app.call(notes.update, { params: { id }, body: { ...body, tags: ['луг'] } }, auth)
  const inserts = statements.filter((sql) => /^\s*insert into (?:tags|item_tags) .*\bselect\b/s.test(sql))
  expect(inserts.filter((sql) => sql.includes('into item_tags '))).toHaveLength(2)
  expect(inserts.filter((sql) => !sql.includes('from items, '))).toEqual([])
})

test('a save of a page that is kept already takes the owner of its duplicate from a row of the owner', async ({
  startApp,
}) => {
  const statements: string[] = []
  const app = await startApp({ onStatement: (sql) => void statements.push(sql) })
  const { auth } = await newAccount(app)
  const body = { title: 'Ссылка', description: 'текст', url: 'https://example.org/' }
  await app.call(links.create, { body }, auth)
  await app.call(links.create, { body }, auth)
  const inserts = statements.filter((sql) => /^\s*insert into duplicates /.test(sql))
  expect(inserts).toHaveLength(1)
  expect(inserts[0]).toContain('from usage, ')
})

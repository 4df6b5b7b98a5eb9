import { notes } from '@kopilka/contract/notes.ts'
import type { IndexReader } from '@kopilka/text/search/index-reader.ts'
import { TERMS } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { StatementLog } from '../db/dialect.ts'
import { openDb } from '../db/open.ts'
import { test as it } from '../testing/fixtures.ts'
import { indexReader } from './index-reader.ts'

const UNTAGGED = { untagged: true, limit: 10 } as const
const ASKED: readonly (readonly [string, (index: IndexReader) => Promise<unknown>])[] = [
  ['the newest items', (index) => index.newest({ term: TERMS.every }, UNTAGGED)],
  [
    'titles with signs',
    (index) => index.titlesWith({ ...UNTAGGED, kind: 'note', signs: '?', sort: 'created', offset: 0 }),
  ],
]

it.for(ASKED)(
  'finds %s without tags by the tags of each, not by all of the owner',
  async ([, ask], { app, account }) => {
    await app.call(notes.create, { body: { title: 'Что?', content: 'текст', tags: [] } }, account.auth)
    const { owner_id } = await app.db.selectFrom('users').select('owner_id').executeTakeFirstOrThrow()
    const asked: Parameters<StatementLog>[0][] = []
    const db = await openDb(readConfig({ ...app.database.settings }), (statement) => asked.push(statement))
    await ask(indexReader(db, owner_id))
    await db.destroy()
    const statement = asked.find((one) => one.sql.includes('item_tags'))
    const explained = { ...sql`select 1`.compile(app.db), sql: `explain query plan ${statement?.sql}` }
    const { rows } = await app.db.executeQuery({ ...explained, parameters: statement?.parameters ?? [] })
    expect(JSON.stringify(rows)).toMatch(
      /item_tags USING (?:COVERING )?INDEX \w+ \(owner_id=\? AND item_id=\?\)/,
    )
  },
)

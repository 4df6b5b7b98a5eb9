import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { StatementLog } from '../db/dialect.ts'
import { openDb } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { pendingItems } from '../operations/pending-tag-undos.ts'
import { lastDeletions } from '../tags/tag-changes.ts'
import { test as it } from '../testing/fixtures.ts'

const ASKED: readonly (readonly [string, (trx: Trx) => Promise<unknown>])[] = [
  ['the last deletions of tags', (trx) => lastDeletions(trx, 'owner', ['tag'])],
  ['what undos left to do on a tag', (trx) => pendingItems(trx, { owner_id: 'owner', id: 'tag' }, 0)],
]

it.for(ASKED)(
  'finds %s by the tags, and reads no other changes of the owner',
  async ([, ask], { startApp }) => {
    const app = await startApp()
    const asked: Parameters<StatementLog>[0][] = []
    const db = await openDb(readConfig({ ...app.database.settings }), (statement) => asked.push(statement))
    await db.transaction().execute(ask)
    await db.destroy()
    const statement = asked.find((one) => one.sql.includes('"changes"'))
    const explained = { ...sql`select 1`.compile(app.db), sql: `explain query plan ${statement?.sql}` }
    const { rows } = await app.db.executeQuery({ ...explained, parameters: statement?.parameters ?? [] })
    expect(JSON.stringify(rows)).toContain('changes_by_entity')
  },
)

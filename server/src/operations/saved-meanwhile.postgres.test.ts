import { setTimeout as sleep } from 'node:timers/promises'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { updateItem } from '../items/store.ts'
import { test } from '../testing/fixtures.ts'

const quotas = quotasOf(readConfig({}))

test('a tag that comes back indexes another item as a save leaves it that was not committed yet', async ({
  app,
  account,
}) => {
  const create = (title: string) =>
    app.call(notes.create, { body: { title, content: 'прежнее', tags: ['сад'] } }, account.auth)
  const [deleted, other] = [await create('Из корзины'), await create('Другая')]
  await app.request(notes.remove, { params: { id: deleted.id } }, account.auth)
  await app.request(tags.remove, { params: { id: other.tags[0]?.id ?? '' } }, account.auth)
  const save = await updateItem.prepare({
    key: { owner_id: account.id, kind: 'note', id: other.id },
    item: { draft: { title: 'Другая', body: '<p>новое</p>', url: null, tags: undefined } },
    ...{ revisions: undefined, session_id: null, now: app.now(), quotas },
  })
  const isWaiting = async () => {
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
    return rows.length > 0
  }
  const { restored } = await app.db.transaction().execute(async (trx) => {
    await updateItem.run(trx, save)
    const restored = app.call(trash.restore, { body: { ids: [deleted.id] } }, account.auth)
    while (!(await isWaiting())) await sleep(10)
    return { restored }
  })
  await restored
  const found = async (text: string) =>
    (await app.call(search, { query: { search: text, exact: '1' } }, account.auth)).notes_count
  expect([await found('новое'), await found('прежнее'), await found('tag:сад')]).toEqual([1, 1, 1])
})

import { setTimeout as sleep } from 'node:timers/promises'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { updateItem } from '../items/store.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'

const quotas = quotasOf(readConfig({}))

/** Resolves once a transaction waits for another one. */
async function waiting({ db }: TestApp): Promise<void> {
  const waits = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waits.execute(db)).rows.length === 0) await sleep(10)
}

test.for(['trash', 'undo'] as const)(
  'a tag that another transaction brings back meanwhile is counted once (%s)',
  async (how, { app, account }) => {
    const { auth, id: owner_id } = account
    const body = { title: 'Сад', content: 'яблони', tags: ['сад'] }
    const note = await app.call(notes.create, { body }, auth)
    const id = note.tags[0]?.id ?? ''
    await app.request(notes.remove, { params: { id: note.id } }, auth)
    await app.request(tags.remove, { params: { id } }, auth)
    const [deletion] = (await app.call(operations.list, { query: {} }, auth)).results
    const bringBack = () =>
      how === 'trash'
        ? app.call(trash.restore, { body: { ids: [note.id] } }, auth)
        : app.call(operations.undo, { params: { id: deletion?.id ?? '' } }, auth)
    const { broughtBack } = await app.db.transaction().execute(async (trx) => {
      await sql`insert into tags (owner_id, id, name, name_key, notes_count, urllinks_count)
        values (${owner_id}, ${id}, 'сад', 'сад', 0, 0)`.execute(trx)
      await sql`update usage set tags = tags + 1 where owner_id = ${owner_id}`.execute(trx)
      const broughtBack = bringBack()
      await waiting(app)
      return { broughtBack }
    })
    await broughtBack
    const { rows } = await sql<{ tags: string }>`select tags from usage where owner_id = ${owner_id}`.execute(
      app.db,
    )
    expect(rows.map((row) => Number(row.tags))).toEqual([1])
  },
)

test('a tag that another transaction deletes meanwhile comes back with its item, and is counted', async ({
  app,
  account,
}) => {
  const { auth, id: owner_id } = account
  const note = await app.call(
    notes.create,
    { body: { title: 'Сад', content: 'яблони', tags: ['сад'] } },
    auth,
  )
  await app.request(notes.remove, { params: { id: note.id } }, auth)
  const { restored } = await app.db.transaction().execute(async (trx) => {
    await sql`delete from tags where owner_id = ${owner_id}`.execute(trx)
    await sql`update usage set tags = tags - 1 where owner_id = ${owner_id}`.execute(trx)
    const restored = app.call(trash.restore, { body: { ids: [note.id] } }, auth)
    await waiting(app)
    return { restored }
  })
  await restored
  const { rows } = await sql<{ tags: string }>`select tags from usage where owner_id = ${owner_id}`.execute(
    app.db,
  )
  expect(rows.map((row) => Number(row.tags))).toEqual([1])
})

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
  const { restored } = await app.db.transaction().execute(async (trx) => {
    await updateItem.run(trx, save)
    const restored = app.call(trash.restore, { body: { ids: [deleted.id] } }, account.auth)
    await waiting(app)
    return { restored }
  })
  await restored
  const found = async (text: string) =>
    (await app.call(search, { query: { search: text, exact: '1' } }, account.auth)).notes_count
  expect([await found('новое'), await found('прежнее'), await found('tag:сад')]).toEqual([1, 1, 1])
})

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
import { recountHistory, WRONG_HISTORY } from '../testing/faults/integrity.ts'
import { test } from '../testing/fixtures.ts'
import { waitingForLock } from '../testing/waiting-for-lock.ts'
import { purgeHistory, trimHistory } from './history.ts'
import { forgetTrashed } from './purge.ts'

const quotas = quotasOf(readConfig({}))

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
      await waitingForLock(app)
      return { broughtBack }
    })
    await broughtBack
    const { rows } = await sql<{ tags: string }>`select tags from usage where owner_id = ${owner_id}`.execute(
      app.db,
    )
    expect(rows.map((row) => Number(row.tags))).toEqual([1])
  },
)

test('an item that another transaction deletes for ever meanwhile is not there any more: nothing is restored', async ({
  app,
  account,
}) => {
  const ids: string[] = []
  for (const title of ['Одна', 'Другая']) {
    const { id } = await app.call(notes.create, { body: { title, content: 'текст' } }, account.auth)
    await app.request(notes.remove, { params: { id } }, account.auth)
    ids.push(id)
  }
  const { restored } = await app.db.transaction().execute(async (trx) => {
    await sql`delete from trash where item_id = ${ids[0]}`.execute(trx)
    const restored = app.request(trash.restore, { body: { ids } }, account.auth)
    await waitingForLock(app)
    return { restored }
  })
  expect((await restored).status).toBe(404)
  expect((await app.call(notes.list, { query: {} }, account.auth)).count).toBe(0)
})

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
    await waitingForLock(app)
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
  const save = await updateItem.ready({
    key: { owner_id: account.id, kind: 'note', id: other.id },
    item: { draft: { title: 'Другая', body: '<p>новое</p>', url: null, tags: undefined } },
    ...{ revisions: undefined, session_id: null, now: app.now(), quotas },
  })
  const { restored } = await app.db.transaction().execute(async (trx) => {
    await save(trx)
    const restored = app.call(trash.restore, { body: { ids: [deleted.id] } }, account.auth)
    await waitingForLock(app)
    return { restored }
  })
  await restored
  const found = async (text: string) =>
    (await app.call(search, { query: { search: text, exact: '1' } }, account.auth)).notes_count
  expect([await found('новое'), await found('прежнее'), await found('tag:сад')]).toEqual([1, 1, 1])
})

test.for(['trim trim', 'purge purge', 'trim purge', 'trim delete', 'delete delete'] as const)(
  'what two transactions take from the history at once makes it smaller once (%s)',
  async (how, { app, account }) => {
    const { id: owner_id } = account
    const { id } = await app.call(notes.create, { body: { title: 'Сад', content: 'x' } }, account.auth)
    const before = JSON.stringify({ revision: 1, title: 'x', excerpt: 'x', updated_at: 0, tags: [] })
    // More than one step empties: the item stays in the trash, and both delete the same of it.
    const versions = Array.from({ length: 300 }, (_, at) => ({
      ...{ owner_id, seq: 100 + at, kind: 'note' as const, entity_id: id, revision: at + 2, at: app.now() },
      ...{ session_id: null, operation_id: null, is_reverted: 0, version: at + 1, before },
      ...{ body: 'яблони', document: null },
    }))
    await app.db.insertInto('changes').values(versions).execute()
    await app.db
      .updateTable('change_counts')
      .set({ last_seq: 1_000 })
      .where('owner_id', '=', owner_id)
      .execute()
    await recountHistory(app.db)
    await app.request(notes.remove, { params: { id } }, account.auth)
    // A purge would wait for the other one where both remove it, before it looks at the changes.
    await app.db.deleteFrom('operations').where('owner_id', '=', owner_id).execute()
    const trim = { owner_id, most: 0, from: 0 }
    const purge = { owner_id, now: app.now() + 91 * 24 * 60 * 60_000, from: 0 }
    const forget = { owner_id, session_id: null, now: app.now(), id }
    const commands = {
      trim: { run: await trimHistory.ready(trim), write: () => app.db.write(trimHistory, trim) },
      purge: { run: await purgeHistory.ready(purge), write: () => app.db.write(purgeHistory, purge) },
      delete: { run: await forgetTrashed.ready(forget), write: () => app.db.write(forgetTrashed, forget) },
    }
    const [first, second] = how.split(' ') as [keyof typeof commands, keyof typeof commands]
    const { other } = await app.db.transaction().execute(async (trx) => {
      await commands[first].run(trx)
      const other: Promise<unknown> = commands[second].write()
      await waitingForLock(app)
      return { other }
    })
    await other
    expect((await WRONG_HISTORY.rows.execute(app.db)).rows).toEqual([])
  },
)

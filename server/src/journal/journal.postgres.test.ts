import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const seqsOf = async (app: TestApp, { id }: Account): Promise<number[]> => {
  const rows = await app.db
    .selectFrom('changes')
    .select('seq')
    .where('owner_id', '=', id)
    .orderBy('seq')
    .execute()
  return rows.map(({ seq }) => Number(seq))
}
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

/** Writes one after the other: saves, tags, deletions and undos, some of many items. */
async function write(app: TestApp, { auth }: Account, name: string): Promise<void> {
  for (let at = 0; at < 3; at += 1) {
    const body = { title: `${name} ${at}`, content: 'текст', tags: [name, 'общий', `${name} ${at}`] }
    const { id, tags: named } = await app.call(notes.create, { body }, auth)
    await app.call(notes.update, { params: { id }, body: { ...body, title: 'Другая' } }, auth)
    const [one, other] = named.filter((tag) => tag.name !== 'общий')
    await app.request(tags.update, { params: { id: one?.id }, body: { name: `${one?.name} новый` } }, auth)
    await app.request(tags.merge, { params: { id: one?.id }, body: { into: other?.id } }, auth)
    const pinned = at % 2 === 0
    const { headers } = await app.request(
      bulk.change,
      { body: { filter: {}, pinned, add_tags: ['все'] } },
      auth,
    )
    await app.request(notes.remove, { params: { id } }, auth)
    await app.request(operations.undo, { params: { id: headers.get('operation') } }, auth)
  }
}

it('numbers the changes of each owner without gaps, in the order of the commits, whatever two servers write at once', {
  timeout: 60_000,
}, async () => {
  const database = await createTestDatabase()
  const servers = await Promise.all([createTestApp({ database }), createTestApp({ database })])
  const [app, other] = servers
  onTestFinished(async () => {
    for (const server of servers) await server.close()
    await database.remove()
  })
  const accounts = [await newAccount(app), await newAccount(app)]
  let isOver = false
  const reader = async (account: Account) => {
    let looks = 0
    for (; !isOver; looks += 1) {
      const seqs = await seqsOf(app, account)
      // Whoever reads up to a number has all before it.
      expect(seqs).toEqual(upTo(seqs.length))
    }
    return looks
  }
  const readers = accounts.map(reader)
  await Promise.all(
    accounts.flatMap((account) => [
      write(app, account, 'лес'),
      write(other, account, 'дом'),
      write(other, account, 'сад'),
    ]),
  )
  isOver = true
  for (const looks of await Promise.all(readers)) expect(looks).toBeGreaterThan(3)
  for (const account of accounts) {
    const seqs = await seqsOf(app, account)
    expect(seqs.length).toBeGreaterThan(9 * 5)
    expect(seqs).toEqual(upTo(seqs.length))
    const counted = await app.db
      .selectFrom('change_counts')
      .select('last_seq')
      .where('owner_id', '=', account.id)
      .execute()
    expect(counted.map(({ last_seq }) => Number(last_seq))).toEqual([seqs.length])
  }
})

// Entry of a writer thread whose commands fail in different ways, for tests of db/sqlite-writer.ts.
import process from 'node:process'
import { threadId } from 'node:worker_threads'
import { sql } from 'kysely'
import { command, preparedCommand } from '../db/command.ts'
import type { Trx } from '../db/schema.ts'
import { runCommands } from '../db/sqlite-commands.ts'
import { AppError } from '../errors.ts'

const addUser = command('test.add-user', async (trx, { owner_id }: { owner_id: string }) => {
  const names = { email: '', email_key: owner_id, first_name: '', last_name: '', password_hash: '' }
  await trx
    .insertInto('users')
    .values({ owner_id, ...names, created_at: 0 })
    .execute()
  return owner_id
})

const synchronousOf = async (trx: Trx): Promise<number | undefined> => {
  const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(trx)
  return rows[0]?.synchronous
}

export const run = runCommands([
  addUser,
  command('test.refuse', async (trx, user: { owner_id: string }) => {
    await addUser.run(trx, user)
    throw new AppError('rateLimited', { title: ['required'] }, 7)
  }),
  preparedCommand(
    'test.refuse-early',
    () => {
      throw new AppError('formInvalid')
    },
    async () => {},
  ),
  command('test.bug', async (trx, user: { owner_id: string }) => {
    await addUser.run(trx, user)
    throw new TypeError('no such thing')
  }),
  command('test.synchronous', synchronousOf),
  preparedCommand('test.synchronous-deferred', () => {}, synchronousOf, { isDeferred: true }),
  command('test.thread-id', async () => threadId),
  command('test.resolve-to-function', async () => () => {}),
  // Ends the thread, not the process.
  command('test.die', async () => process.exit(1)),
])

// Entry of a writer thread whose commands fail in different ways, for tests of db/sqlite-writer.ts.
import process from 'node:process'
import { threadId } from 'node:worker_threads'
import { command, preparedCommand } from '../db/command.ts'
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
  command('test.thread-id', async () => threadId),
  command('test.resolve-to-function', async () => () => {}),
  // Ends the thread, not the process.
  command('test.die', async () => process.exit(1)),
])

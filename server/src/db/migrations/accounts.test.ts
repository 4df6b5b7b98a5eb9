import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accounts } from '@kopilka/contract/accounts.ts'
import { Kysely, sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/create-test-app.ts'
import { readMail } from '../../testing/read-mail.ts'
import { standInForCitus } from '../../testing/stand-in-for-citus.ts'
import { createTestDatabase, runAdminStatement } from '../../testing/test-database.ts'
import { createPasswordHasher } from '../../users/passwords.ts'
import { type MigrationTables, migrate } from '../migrate.ts'
import { dialectFor, distribute } from '../open.ts'
import type { Tables } from '../schema.ts'
import { migrations } from './index.ts'

type Settings = Parameters<typeof dialectFor>[0]

const PASSWORD = 'correct horse'
const [OLDER, NEWER, OTHER] = [1, 2, 3].map((digit) => `01a2b3c4-0000-7000-8000-00000000000${digit}`)

/** Creates a database of the version before this migration. `partitions`: number of partitions by owner. */
async function makeOlder(settings: Settings, partitions?: number): Promise<void> {
  const dialect = dialectFor(settings)
  const db = new Kysely<Tables>({ dialect: dialect.connectForMigrations() })
  const at = migrations.findIndex(({ name }) => name === '008-accounts')
  const older = migrations.slice(0, at)
  if (partitions === undefined) await migrate(db.withTables<MigrationTables>(), dialect, older)
  else {
    await runAdminStatement(settings.DATABASE_URL, standInForCitus(partitions))
    await distribute(settings, older)
  }
  const hash = await createPasswordHasher().hash(PASSWORD)
  for (const [owner_id, email] of [
    [OLDER, 'Victim@exa\u00ADmple.org'],
    [NEWER, '"victim"@example.org'],
    [OTHER, 'иван@почта.рф'],
  ] as const) {
    await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
      values (${owner_id}, ${email}, ${email.toLowerCase()}, '', '', ${hash}, 0)`.execute(db)
  }
  await sql`insert into sign_ins (owner_id, id, access_hash, access_expires_at, refresh_hash, refresh_expires_at, created_at)
    values (${OTHER}, 'one', 'access', 1, 'refresh', 2, 3)`.execute(db)
  await sql`insert into browsers (owner_id, secret_hash, signed_in_at) values (${OTHER}, 'secret', 4)`.execute(
    db,
  )
  await sql`insert into letters (owner_id, id, kind, locale, attempts, next_attempt_at, created_at)
    values (${OTHER}, 'letter', 'password-reset', 'en', 2, 9e15, 5)`.execute(db)
  await db.destroy()
}

it.each([undefined, ...(inject('postgres') === undefined ? [] : [4])])(
  'an older database keeps sessions, devices and letters, and everybody can sign in (partitions: %s)',
  async (partitions) => {
    const database = await createTestDatabase()
    await makeOlder(database.settings, partitions)
    const app = await createTestApp({ database })
    expect(
      await app.db.selectFrom('sessions').select(['id', 'refresh_hash', 'retirement_key']).execute(),
    ).toEqual([{ id: 'one', refresh_hash: 'refresh', retirement_key: null }])
    expect(await app.db.selectFrom('known_devices').select('secret_hash').execute()).toEqual([
      { secret_hash: 'secret' },
    ])
    // Written while the clock was far ahead, so it is due at once.
    const outbox = join(database.settings.DATA_DIR, 'outbox')
    await expect.poll(() => readdir(outbox).catch(() => []), { timeout: 25_000 }).toEqual(['letter.eml'])
    const letter = readMail(await readFile(join(outbox, 'letter.eml')))
    expect(letter.headers.get('subject')).toBe('Reset your Копилка password')
    const jobs = () => app.db.selectFrom('jobs').select('id').execute()
    await expect.poll(jobs).toEqual([])

    const keys = await app.db.selectFrom('users').select('email_key').orderBy('owner_id').execute()
    expect(keys.map(({ email_key }) => email_key)).toEqual([
      'victim@example.org',
      '"victim"@example.org',
      'иван@xn--80a1acny.xn--p1ai',
    ])
    for (const [email, owner_id] of [
      ['victim@EXA\u00ADMPLE.org', OLDER],
      ['victim@example.org', OLDER],
      ['"VICTIM"@example.org', NEWER],
      ['Иван@почта.рф', OTHER],
    ] as const) {
      const { access_token } = await app.call(accounts.login, { body: { email, password: PASSWORD } })
      expect((await app.call(accounts.me, {}, { token: access_token })).id).toBe(owner_id)
    }
    if (partitions !== undefined) {
      const { rows } = await sql<{ name: string }>`select relname as name from pg_class
        where relkind = 'p' and relname in ('sessions', 'known_devices', 'jobs') order by relname`.execute(
        app.db,
      )
      expect(rows.map(({ name }) => name)).toEqual(['jobs', 'known_devices', 'sessions'])
    }
    await app.close()
    await database.remove()
  },
)

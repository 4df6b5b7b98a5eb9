import { chown } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { accounts } from '@kopilka/contract/accounts.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Reply } from '../testing/client.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { mountSmallDisk } from '../testing/disk-faults.ts'
import { compare } from '../testing/faults/compare.ts'
import { integrityErrors } from '../testing/faults/integrity.ts'
import { moreAcknowledged, underLoad } from '../testing/faults/under-load.ts'
import { createWriteLog } from '../testing/faults/write-log.ts'
import { itIfAvailable } from '../testing/it-if-available.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { nobody } from '../testing/other-user.ts'
import { keepPicture, largePng, readPicture, sendPicture } from '../testing/pictures.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase, runAdminStatement, type TestDatabase } from '../testing/test-database.ts'

const disk = mountSmallDisk(64)
// Registered first, it runs last: after the server that has files on the disk is stopped.
afterAll(() => disk?.remove())

/** A PostgreSQL for this file alone: the tests stop it, crash it and cut its connections. */
let postgres: TestPostgres
let database: TestDatabase
let app: TestApp
let account: Account
beforeAll(async () => {
  postgres = await startPostgres()
  database = await createTestDatabase({ postgres: postgres.url })
  // The connection limit of a database does not apply to superusers.
  const name = new URL(database.settings.DATABASE_URL).pathname.slice(1)
  await runAdminStatement(postgres.url, `create role plain login; alter database ${name} owner to plain`)
  app = await createTestApp({
    database,
    settings: {
      DATABASE_URL: String(Object.assign(new URL(database.settings.DATABASE_URL), { username: 'plain' })),
    },
  })
})
afterAll(async () => {
  await app.close()
  await database.remove()
  await postgres.close()
})
beforeEach(async () => {
  account = await newAccount(app)
})

const read = () => app.request(notes.list, { query: {} }, account.auth)
const write = (title = 'Заметка') =>
  app.request(notes.create, { body: { title, content: 'текст', tags: ['метка'] } }, account.auth)
const ready = async () => (await app.send('GET', '/readyz')).status
const atOurs = (statement: string) => runAdminStatement(database.settings.DATABASE_URL, statement)
const cutConnections = () =>
  atOurs("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'plain'")

const AWAY = 'База данных сейчас недоступна. Подождите немного и попробуйте снова.'

it('responds with 503 and a message while PostgreSQL is stopped, and works again within 5 seconds', async () => {
  expect((await write()).status).toBe(201)
  await postgres.control('stop')
  for (const reply of await Promise.all([read(), write(), read(), write()])) {
    expect([reply.status, reply.body]).toEqual([503, { detail: AWAY }])
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect([await ready(), (await app.send('GET', '/healthz')).status]).toEqual([503, 200])
  await postgres.control('start')
  await expect.poll(ready, { timeout: 5000 }).toBe(200)
  expect([(await read()).status, (await write()).status]).toEqual([200, 201])
})

it('keeps nothing of a picture while PostgreSQL is away, and takes it once it is back', async () => {
  const bytes = largePng(3_000_000)
  // The last piece comes once the database is away.
  async function* pieces() {
    yield bytes.subarray(0, 1_000_000)
    await postgres.control('stop')
    yield bytes.subarray(1_000_000)
  }
  const reply = await sendPicture(app, account, Readable.toWeb(Readable.from(pieces())) as ReadableStream)
  expect([reply.status, reply.body]).toEqual([503, { detail: AWAY }])
  await postgres.control('start')
  await expect.poll(ready, { timeout: 5000 }).toBe(200)
  expect(await app.db.selectFrom('files').select('id').where('owner_id', '=', account.id).execute()).toEqual(
    [],
  )
  const { id } = await keepPicture(app, account, bytes)
  expect((await readPicture(app, account, id)).bytes.equals(bytes)).toBe(true)
})

it('searches at once after its connections were cut and PostgreSQL is back', async () => {
  const found = async () => {
    const replies = await Promise.all(
      ['заметка', 'метка', 'текст'].map((word) =>
        app.request(search, { query: { search: word, view: 'summary' } }, account.auth),
      ),
    )
    return replies.map(({ status }) => status)
  }
  expect((await write()).status).toBe(201)
  expect(await found()).toEqual([200, 200, 200])
  await cutConnections()
  await expect.poll(ready, { timeout: 5000 }).toBe(200)
  expect(await found()).toEqual([200, 200, 200])
})

it('loses and duplicates no acknowledged write while PostgreSQL crashes, stops and cuts connections under load', async () => {
  const acknowledged = new Set<string>()
  const statuses = new Set<number>()
  let working = true
  const writer = async (name: number) => {
    for (let at = 0; working; at += 1) {
      const title = `Запись ${name}x${at}`
      const { status } = await write(title)
      statuses.add(status)
      if (status === 201) acknowledged.add(title)
    }
  }
  const writers = Array.from({ length: 8 }, (_, name) => writer(name))
  const faults = [
    cutConnections,
    () => postgres.control('crash').then(() => postgres.control('start')),
    cutConnections,
    () => postgres.control('stop').then(() => postgres.control('start')),
  ]
  for (const fault of faults) {
    const before = acknowledged.size
    await fault()
    await expect.poll(() => acknowledged.size, { timeout: 5000 }).toBeGreaterThan(before + 10)
  }
  working = false
  await Promise.all(writers)

  expect([...statuses].sort()).toEqual([201, 503])
  const stored = await app.db
    .selectFrom('items')
    .select(['id', 'title'])
    .where('owner_id', '=', account.id)
    .execute()
  const titles = stored.map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
  expect([...acknowledged].filter((title) => !titles.includes(title))).toEqual([])
  const { notes_count } = await app.call(
    search,
    { query: { search: 'запись метка', view: 'summary' } },
    account.auth,
  )
  expect(notes_count).toBe(titles.length)
}, 60_000)

it('responds to writes with 503 while PostgreSQL is read-only, and to reads as usual', async () => {
  const name = new URL(database.settings.DATABASE_URL).pathname.slice(1)
  await atOurs(`alter database ${name} set default_transaction_read_only = on`)
  await cutConnections()
  await expect.poll(async () => (await read()).status, { timeout: 5000 }).toBe(200)
  const reply = await write()
  expect([reply.status, reply.body.detail]).toEqual([503, AWAY])
  await runAdminStatement(postgres.url, `alter database ${name} set default_transaction_read_only = off`)
  await cutConnections()
  await expect.poll(async () => (await write()).status, { timeout: 5000 }).toBe(201)
})

it('responds with 503 while PostgreSQL accepts no more connections', async () => {
  const name = new URL(database.settings.DATABASE_URL).pathname.slice(1)
  await atOurs(`alter database ${name} connection limit 0`)
  await cutConnections()
  await expect.poll(ready, { timeout: 5000 }).toBe(503)
  const reply = await read()
  expect([reply.status, reply.body.detail]).toEqual([503, AWAY])
  await atOurs(`alter database ${name} connection limit -1`)
  await expect.poll(ready, { timeout: 5000 }).toBe(200)
})

it('responds with 503 if PostgreSQL cancels a statement, as it does after its time limit', async () => {
  const holder = new pg.Client({ connectionString: database.settings.DATABASE_URL })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table items in access exclusive mode')
  const waiting = "from pg_stat_activity where usename = 'plain' and wait_event_type = 'Lock'"
  const reply = write()
  await expect.poll(async () => (await atOurs(`select ${waiting}`)).rowCount, { timeout: 5000 }).toBe(1)
  await atOurs(`select pg_cancel_backend(pid) ${waiting}`)
  expect((await reply).status).toBe(503)
  await holder.end()
  expect((await read()).body.count).toBe(0)
  expect((await write()).status).toBe(201)
  expect((await read()).body.count).toBe(1)
})

it('ends with 0 on SIGTERM while PostgreSQL is stopped', async () => {
  const own = await createTestDatabase({ postgres: postgres.url })
  const server = startServer({ folder: own.settings.DATA_DIR, settings: own.settings })
  const address = await server.address()
  await postgres.control('stop')
  expect((await fetch(`${address}/readyz`)).status).toBe(503)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await postgres.control('start')
  await own.remove()
})

itIfAvailable(
  disk,
  'loses nothing acknowledged where the disk of PostgreSQL is full under load, and works again without a restart (where one may be mounted)',
  async ({ folder, fill, free }) => {
    // Only root can mount disks, and PostgreSQL started by root runs as this user.
    const { uid, gid } = nobody()
    await chown(folder, uid, gid)
    const own = await createTestDatabase({ postgres: postgres.url })
    const name = new URL(own.settings.DATABASE_URL).pathname.slice(1)
    await runAdminStatement(postgres.url, `create tablespace small location '${folder}'`)
    await runAdminStatement(postgres.url, `alter database ${name} set tablespace small`)
    const server = await createTestApp({ database: own })
    const writer = await newAccount(server)
    const writeLog = createWriteLog()
    const large = { title: 'нет', content: '<p>слово</p>'.repeat(40_000) }

    await underLoad({ client: server, account: writer, writeLog, seed: 1 }, async () => {
      await moreAcknowledged(writeLog, 50)
      fill()
      // Writes succeed until the pages that exist are full.
      await expect
        .poll(async () => (await server.request(notes.create, { body: large }, writer.auth)).status, {
          timeout: 20_000,
        })
        .toBe(503)
      free()
      await moreAcknowledged(writeLog, 100)
    })
    expect(writeLog.unexpectedResponses).toEqual([])
    await server.db
      .deleteFrom('items')
      .where('owner_id', '=', writer.id)
      .where('title', '=', large.title)
      .execute()
    expect(await compare({ client: server, token: writer.session.access_token }, writeLog)).toEqual([])
    expect(await integrityErrors(server.db)).toEqual([])
    await server.close()
    await own.remove()
    await runAdminStatement(postgres.url, 'drop tablespace small')
  },
  60_000,
)

it('signs in with a device of another account while the machine of that account is away', async () => {
  const other = await newAccount(app)
  const signIn = ({ email, password }: Account, cookie = '') =>
    app.request(accounts.login, { body: { email, password } }, { headers: { cookie } })
  const cookieOf = ({ headers }: Reply) => headers.get('set-cookie')?.split(';')[0]
  const device = cookieOf(await signIn(other))
  // Whoever reads a device of that account meets what Citus reports of a machine that is away.
  await atOurs(`create function reach(owner_id text) returns boolean language plpgsql as
    $$ begin
      if owner_id = '${other.id}' then raise 'server closed the connection unexpectedly' using errcode = 'XX000'; end if;
      return true;
    end $$`)
  await atOurs('alter table known_devices enable row level security, force row level security')
  await atOurs('create policy away on known_devices using (reach(owner_id))')
  const reply = await signIn(account, device)
  const same = await signIn(other, device)
  await atOurs('drop policy away on known_devices')
  await atOurs('alter table known_devices disable row level security, no force row level security')
  await atOurs('drop function reach')
  expect([reply.status, same.status]).toEqual([200, 503])
})

it('responds with 503 where Citus has lost a machine, and saves nothing', async () => {
  // As Citus reports it: the machine that ended named no code.
  await atOurs(`create function lose_machine() returns trigger language plpgsql as
    $$ begin raise 'server closed the connection unexpectedly' using errcode = 'XX000'; end $$`)
  await atOurs('create trigger lost before insert on item_tags execute function lose_machine()')
  const { status, body } = await write('Потерянная')
  await atOurs('drop function lose_machine cascade')
  expect([status, body.detail]).toEqual([503, AWAY])
  expect((await read()).body.count).toBe(0)
})

// The last: nothing but a new start makes the server ready again.
it('is not ready once a request has met a damaged page', async () => {
  expect(await ready()).toBe(200)
  await atOurs(`create function damage() returns trigger language plpgsql as
    $$ begin raise 'invalid page in block 7' using errcode = 'XX001'; end $$`)
  await atOurs('create trigger damaged before insert on item_tags execute function damage()')
  const { status } = await write()
  await atOurs('drop function damage cascade')
  expect([status, await ready()]).toEqual([500, 503])
})

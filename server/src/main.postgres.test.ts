import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { startServer } from './testing/server-process.ts'
import { runAdminStatement } from './testing/test-database.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Error output and exit code of a process that cannot start. */
async function start(url: URL): Promise<{ code: unknown; errors: string }> {
  const server = startServer({ folder, settings: { DATABASE_URL: String(url) } })
  const code = await server.ended
  return { code, errors: server.errors() }
}

const serverWith = (changes: Partial<URL>) => Object.assign(new URL(inject('postgres') ?? ''), changes)

it.each([
  [
    'does not respond',
    { port: '1', password: 'канарейка' },
    /^PostgreSQL не отвечает: [^\n]*DATABASE_URL[^\n]*\n$/,
  ],
  ['has no such database', { pathname: 'nowhere' }, /^Такой базы данных нет: [^\n]*DATABASE_URL[^\n]*\n$/],
  [
    'knows no such user',
    { username: 'nobody' },
    /^PostgreSQL не принял имя или пароль: [^\n]*DATABASE_URL[^\n]*\n$/,
  ],
])('stops with one line that says what to do where PostgreSQL %s', async (_, changes, line) => {
  const { code, errors } = await start(serverWith(changes))
  expect(code).toBe(1)
  expect(errors).toMatch(line)
  expect(errors).not.toContain('канарейка')
  expect(await readdir(folder)).toEqual([])
})

it('stops with one line if the encoding of the database has no Cyrillic', async () => {
  const admin = inject('postgres') ?? ''
  await runAdminStatement(
    admin,
    "create database kopilka_latin template template0 encoding 'LATIN1' locale 'C' locale_provider libc",
  )
  const { code, errors } = await start(serverWith({ pathname: 'kopilka_latin' }))
  await runAdminStatement(admin, 'drop database kopilka_latin')
  expect([code, errors]).toEqual([
    1,
    "База данных в кодировке LATIN1 потеряет часть букв: создайте её с encoding 'UTF8'.\n",
  ])
})

it('warns if PostgreSQL acknowledges writes that a crash may lose', async () => {
  const admin = inject('postgres') ?? ''
  const riskyDatabase = 'kopilka_risky'
  await runAdminStatement(admin, `create database ${riskyDatabase}`)
  await runAdminStatement(admin, `alter database ${riskyDatabase} set synchronous_commit = off`)
  const settings = { DATABASE_URL: String(serverWith({ pathname: riskyDatabase })) }
  const server = startServer({ folder, settings })
  await server.address()
  await expect.poll(server.output).toMatch(/"level":40.*\(synchronous_commit=off[^)]*\)/)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)

  await runAdminStatement(admin, `alter database ${riskyDatabase} set synchronous_commit = on`)
  const safe = startServer({ folder, settings })
  await safe.address()
  safe.child.kill('SIGTERM')
  expect(await safe.ended).toBe(0)
  expect(safe.output()).not.toContain('synchronous_commit')
  await runAdminStatement(admin, `drop database ${riskyDatabase} with (force)`)
})

it('warns that the database has no users beside backups', async () => {
  const admin = inject('postgres') ?? ''
  await runAdminStatement(admin, 'create database kopilka_empty')
  const url = String(serverWith({ pathname: 'kopilka_empty' }))
  const settings = { DATABASE_URL: url, DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' }
  const backup = join(folder, 'data', 'backups', '2026-01-02T00-00-00.000Z.dump')
  await mkdir(join(folder, 'data', 'backups'), { recursive: true })
  await writeFile(backup, '')
  const outputOf = async () => {
    const server = startServer({ folder, settings })
    await server.address()
    server.child.kill('SIGTERM')
    await server.ended
    return server.output()
  }
  expect(await outputOf()).toContain(`npm run restore -- ${backup}`)
  await runAdminStatement(
    url,
    "insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at) values ('x', '', '', '', '', '', 0)",
  )
  expect(await outputOf()).not.toContain('restore')
  await runAdminStatement(admin, 'drop database kopilka_empty with (force)')
})

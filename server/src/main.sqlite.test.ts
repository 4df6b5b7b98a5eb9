import { spawn } from 'node:child_process'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { json } from 'node:stream/consumers'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from './testing/client.ts'
import { newAccount } from './testing/new-account.ts'
import { readMail } from './testing/read-mail.ts'
import { type ServerProcess, startServer } from './testing/server-process.ts'

let folder: string
let started: ServerProcess[]
let sockets: Socket[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  started = []
  sockets = []
})
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  for (const socket of sockets) socket.destroy()
  await rm(folder, { recursive: true })
})

/** The process itself, in an empty folder. */
function start(settings: Record<string, string> = {}) {
  const server = startServer({ folder, settings })
  started.push(server)
  return server
}

/** Connections that this system lets wait; Linux alone says so. */
const waitingAtMost = existsSync('/proc/sys/net/core/somaxconn')
  ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  : 0

it.skipIf(waitingAtMost < 1_000)(
  'lets a thousand connections wait while it is busy (where the system allows so many)',
  async () => {
    const { child, address } = start()
    const port = Number(new URL(await address()).port)
    child.kill('SIGSTOP')
    const connected = Array.from({ length: 1_000 }, () => {
      const socket = connect(port, '127.0.0.1')
      sockets.push(socket)
      return once(socket, 'connect')
    })
    await Promise.all(connected)
  },
)

it.each(['SIGTERM', 'SIGINT'] as const)(
  'says where it listens in one line, and ends with 0 on %s',
  async (signal) => {
    const { child, address, ended, output } = start()
    expect((await fetch(`${await address()}/healthz`)).status).toBe(200)
    expect(output().trim().split('\n')).toHaveLength(1)
    child.kill(signal)
    expect(await ended).toBe(0)
  },
)

/** Opens more connections than an address may have; resolves to how many the server closes. */
async function openMany(port: number): Promise<() => number> {
  let closed = 0
  const connected = Array.from({ length: 310 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.resume().once('close', () => {
      closed += 1
    })
    sockets.push(socket)
    return once(socket, 'connect')
  })
  await Promise.all(connected)
  return () => closed
}

it('closes the connections that an address has too many, and names it once in the log', async () => {
  const { address, output } = start()
  const port = Number(new URL(await address()).port)
  const closed = await openMany(port)
  await expect.poll(closed).toBe(10)
  const lines = () =>
    output()
      .split('\n')
      .filter((line) => line.includes('too many connections') && line.endsWith('}'))
  await expect.poll(lines).toHaveLength(1)
  expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ level: 40, address: '127.0.0.1' }])
  expect(closed()).toBe(10)
})

it.each([{ TRUST_PROXY: '127.0.0.1' }, { RATE_LIMIT: 'off' }])(
  'takes any number of connections of an address with %o',
  async (settings) => {
    const { address } = start(settings)
    const url = await address()
    const closed = await openMany(Number(new URL(url).port))
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(closed()).toBe(0)
  },
)

it('leaves all that was saved in the one file of the database, also where threads have searched', async () => {
  const { child, address, ended } = start()
  const client = createClient(await address())
  const { auth } = await newAccount(client)
  await client.call(notes.create, { body: { title: 'Дорога', content: 'x' } }, auth)
  await client.call(search, { query: { search: 'дорога' } }, auth)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(await readdir(join(folder, 'data'))).toEqual(['kopilka.sqlite'])
})

it('ends with 0 on SIGTERM whatever address of localhost a browser has a connection open to', async () => {
  const { child, address, ended } = start({ HOST: 'localhost' })
  const { port } = new URL(await address())
  for (const { address: host } of await lookup('localhost', { all: true })) {
    const socket = connect(Number(port), host)
    sockets.push(socket.on('error', () => {}))
    // Connections to addresses without a listener fail.
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  }
  expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it('two processes that start at once on one new database both start', async () => {
  const both = [start(), start()]
  for (const { address } of both) expect((await fetch(`${await address()}/readyz`)).status).toBe(200)
})

it('keeps everything it writes in DATA_DIR', async () => {
  const { child, address, ended } = start({ DATA_DIR: join(folder, 'here', 'inside') })
  await address()
  child.kill('SIGTERM')
  await ended
  expect(await readdir(folder)).toEqual(['here'])
  expect(await readdir(join(folder, 'here', 'inside'))).toEqual(['kopilka.sqlite'])
  for (const path of ['inside', 'inside/kopilka.sqlite']) {
    expect((await stat(join(folder, 'here', path))).mode & 0o077).toBe(0)
  }
})

it('warns that the history may have no room for what a large change is to be undone by', async () => {
  const { address, child, ended, output } = start({ TEXT_PER_USER: '8GB' })
  await address()
  await expect.poll(output).toMatch(/"level":40.*HISTORY_PER_USER=20000000000 [^"]* 24000000000,/)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})

it.each([
  { LOG_LEVEL: 'info', left: 'no file' },
  { LOG_LEVEL: 'silent', left: 'no file' },
  { LOG_LEVEL: 'info', left: 'an empty file' },
])(
  'warns at LOG_LEVEL=$LOG_LEVEL at each start that the database is empty beside backups where there was $left',
  async ({ LOG_LEVEL, left }) => {
    const backup = join(folder, 'data', 'backups', '2026-01-02T00-00-00.000Z.sqlite')
    await mkdir(join(folder, 'data', 'backups'), { recursive: true })
    await writeFile(backup, '')
    if (left === 'an empty file') await writeFile(join(folder, 'data', 'kopilka.sqlite'), '')
    const outputOf = async (use: (address: string) => Promise<unknown> = async () => {}) => {
      const { child, address, ended, output } = start({ LOG_LEVEL })
      await use(await address())
      child.kill('SIGTERM')
      await ended
      return output()
    }
    expect(await outputOf()).toContain(`npm run restore -- ${backup} --force`)
    expect(await outputOf((address) => newAccount(createClient(address)))).toContain('npm run restore')
    expect(await outputOf()).not.toContain('restore')
  },
)

it('removes the unfinished files of killed commands when it starts, and none that may be in use', async () => {
  const ended = spawn(process.execPath, ['--version'])
  await once(ended, 'close')
  const [dead, alive] = [`.unfinished-${ended.pid}-x`, `.unfinished-${process.pid}-x`]
  const folders = [join(folder, 'data'), join(folder, 'data', 'backups')]
  for (const place of folders)
    for (const name of [dead, alive]) {
      await mkdir(join(place, name), { recursive: true })
      await utimes(join(place, name), 0, 0)
    }
  // Of a process in another container, perhaps.
  await writeFile(join(folder, 'data', dead, 'copy'), '')
  await start().address()
  const left = async (place: string) => (await readdir(place)).filter((name) => name.startsWith('.')).sort()
  expect(await Promise.all(folders.map(left))).toEqual([[dead, alive].sort(), [alive]])
})

it('removes unfinished files of a clock that was ahead, and none in a folder that is written to', async () => {
  const ended = spawn(process.execPath, ['--version'])
  await once(ended, 'close')
  const [old, written] = [`.unfinished-${ended.pid}-old`, `.unfinished-${ended.pid}-written`]
  const inAYear = Date.now() / 1000 + 365 * 24 * 60 * 60
  for (const name of [old, written]) await mkdir(join(folder, 'data', name), { recursive: true })
  await writeFile(join(folder, 'data', written, 'copy'), '')
  for (const name of [old, written]) await utimes(join(folder, 'data', name), inAYear, inAYear)
  await start().address()
  expect((await readdir(join(folder, 'data'))).filter((name) => name.startsWith('.'))).toEqual([written])
})

it('is not ready while the database is damaged', async () => {
  const { address, child, ended } = start()
  const ready = async () => (await fetch(`${await address()}/readyz`)).status
  expect(await ready()).toBe(200)
  const file = join(folder, 'data', 'kopilka.sqlite')
  const db = new DatabaseSync(file)
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  const damaged = await open(file, 'r+')
  await damaged.write('torn '.repeat(2000), 0)
  await damaged.close()
  expect(await ready()).toBe(503)
  child.kill('SIGTERM')
  await ended
})

/** Damages the first page of a table of the closed database. */
async function damagePage(table: string): Promise<void> {
  const file = join(folder, 'data', 'kopilka.sqlite')
  const db = new DatabaseSync(file)
  const { page } = { ...db.prepare('select rootpage as page from sqlite_schema where name = ?').get(table) }
  const { page_size } = { ...db.prepare('pragma page_size').get() }
  db.close()
  const damaged = await open(file, 'r+')
  await damaged.write(Buffer.alloc(100), 0, 100, (Number(page) - 1) * Number(page_size))
  await damaged.close()
}

it('is not ready once a request has met a damaged page', async () => {
  const first = start()
  await first.address()
  first.child.kill('SIGTERM')
  await first.ended
  await damagePage('users')
  const { address, child, ended } = start()
  const at = await address()
  const ready = async () => (await fetch(`${at}/readyz`)).status
  const account = { first_name: 'a', last_name: 'b', email: 'a@example.org', password: '123456' }
  const registered = await fetch(`${at}/api/v1/auth/register/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  expect(registered.status).toBe(500)
  expect(await ready()).toBe(503)
  child.kill('SIGTERM')
  await ended
})

it('is not ready while a page of items is damaged, though no request reads it', async () => {
  const first = start()
  const { auth } = await newAccount(createClient(await first.address()))
  await createClient(await first.address()).call(notes.create, { body: { title: 'a', content: 'b' } }, auth)
  first.child.kill('SIGTERM')
  await first.ended
  await damagePage('items')
  const { address, child, ended } = start()
  expect((await fetch(`${await address()}/readyz`)).status).toBe(503)
  child.kill('SIGTERM')
  await ended
})

it('is not ready once a search, which reads in a thread of its own, has met a damaged page', async () => {
  const first = start()
  const { auth } = await newAccount(createClient(await first.address()))
  first.child.kill('SIGTERM')
  await first.ended
  await damagePage('search_words_data')
  const { address, child, ended } = start()
  const client = createClient(await address())
  const ready = async () => (await client.send('GET', '/readyz')).status
  expect(await ready()).toBe(200)
  expect((await client.request(search, { query: { search: 'слово' } }, auth)).status).toBe(500)
  expect(await ready()).toBe(503)
  child.kill('SIGTERM')
  await ended
})

it('reads a .env file; the environment wins over it', async () => {
  await writeFile(join(folder, '.env'), 'DATA_DIR=from-file\nLOG_LEVEL=loud\n')
  const { child, address, ended } = start({ LOG_LEVEL: 'info' })
  await address()
  expect(await readdir(folder)).toContain('from-file')
  child.kill('SIGTERM')
  await ended
})

it('finishes the requests it has before it ends', async () => {
  const { child, address, ended } = start()
  const asking = request(`${await address()}/api/v1/auth/register/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  })
  const responded = once(asking, 'response')
  asking.flushHeaders()
  // The server has the head of the request and waits for the body.
  await once(asking, 'continue')
  child.kill('SIGTERM')
  asking.end(JSON.stringify({ first_name: 'a', last_name: 'b', email: 'a@example.org', password: '123456' }))
  const [response] = (await responded) as [IncomingMessage]
  expect(response.statusCode).toBe(201)
  expect(await json(response)).toMatchObject({ email: 'a@example.org' })
  expect(await ended).toBe(0)
})

it('stops at a wrong setting with one clear line', async () => {
  const { ended, errors } = start({ PORT: 'everywhere' })
  expect(await ended).toBe(1)
  expect(errors()).toBe('Неверная настройка PORT="everywhere": ожидается целое число от 0 до 65535.\n')
})

it('stops with one line if the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { ended, errors } = start({ PORT: String(port) })
  expect(await ended).toBe(1)
  expect(errors()).toBe(`Неверная настройка PORT="${port}": ожидается порт, не занятый другой программой.\n`)
  other.close()
})

it('prints its address in one line at every log level, also when it listens at all addresses', async () => {
  const { address, output } = start({ LOG_LEVEL: 'silent', HOST: '0.0.0.0' })
  expect(await address()).toMatch(/^http:\/\/localhost:\d+$/)
  expect(output().trim().split('\n')).toHaveLength(1)
})

it('stops with one line if the data folder cannot be created', async () => {
  const { ended, errors } = start({ DATA_DIR: '/proc/kopilka/data' })
  expect(await ended).toBe(1)
  expect(errors()).toMatch(
    /^Неверная настройка DATA_DIR="\/proc\/kopilka\/data": ожидается путь к папке[^\n]+\n$/,
  )
})

it('stops with one line if the data folder is a file', async () => {
  await writeFile(join(folder, 'taken'), '')
  const { ended, errors } = start({ DATA_DIR: join(folder, 'taken') })
  expect(await ended).toBe(1)
  expect(errors()).toMatch(/DATA_DIR[^\n]+\n$/)
  expect(errors().trim().split('\n')).toHaveLength(1)
})

it('writes no password, token, search or note into its log', async () => {
  const { address, output } = start({ LOG_LEVEL: 'trace' })
  const at = await address()
  const post = (path: string, body: unknown) =>
    fetch(`${at}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const credentials = { email: 'a@example.org', password: 'канарейка' }
  await post('/auth/register/', { first_name: 'a', last_name: 'b', ...credentials })
  const session = (await (await post('/auth/login/', credentials)).json()) as { access_token: string }
  const headers = { authorization: `Bearer ${session.access_token}` }
  expect((await fetch(`${at}/api/v1/search/?search=kanareyka`, { headers })).status).toBe(200)
  for (const [path, status] of [
    ['nowhere/kanareyka', 200],
    ['add?text=kanareyka', 200],
    ['feed.xml?token=kop_kanareyka&tag=kanareyka', 401],
    ['linkding/api/bookmarks/?q=kanareyka', 200],
    ['linkding/bookmarks/new?title=kanareyka', 200],
  ] as const)
    expect((await fetch(`${at}/${path}`, { headers })).status).toBe(status)
  const note = JSON.stringify({ title: 'kanareyka', content: 'kanareyka', tags: ['kanareyka'] })
  for (const [body, status] of [
    [note, 201],
    [note.replace('title', 'heading'), 400],
    [note.slice(0, -1), 400],
  ] as const) {
    const saving = await fetch(`${at}/api/v1/notes/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    expect(saving.status).toBe(status)
  }
  await expect.poll(() => output().match(/"status":400/g)).toHaveLength(2)
  for (const secret of [credentials.password, session.access_token, 'kanareyka'])
    expect(output()).not.toContain(secret)
})

it('logs the path of a mail file, but no address, link or token', async () => {
  const { address, output } = start({ LOG_LEVEL: 'trace', DATA_DIR: folder })
  const at = await address()
  const post = (path: string, body: unknown) =>
    fetch(`${at}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const email = 'kanareyka@example.org'
  await post('/auth/register/', { first_name: 'a', last_name: 'b', email, password: '123456' })
  await post('/auth/password-reset/', { email })
  await expect.poll(output).toContain('.eml')
  const [, file = ''] = output().match(/"file":"([^"]+)"/) ?? []
  const { uid, token } = readMail(await readFile(file))
  expect((await post('/auth/password-reset-confirm/', { uid, token, new_password: '654321' })).status).toBe(
    200,
  )
  await expect.poll(output).toContain('/auth/password-reset-confirm/')
  for (const secret of [email, uid, token, 'password-confirm']) expect(output()).not.toContain(secret)
})

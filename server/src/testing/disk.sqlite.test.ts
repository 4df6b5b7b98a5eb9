import { chmod, chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { notes } from '@kopilka/contract/notes.ts'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '../db/open.ts'
import { type Client, createClient, type Reply } from './client.ts'
import { canFreeze, canLimitFiles, freeze, limitFiles, mountSmallDisk } from './disks.ts'
import { compare } from './faults/compare.ts'
import { faultsInside } from './faults/inside.ts'
import { createLedger } from './faults/ledger.ts'
import { moreAcknowledged, underLoad } from './faults/under-load.ts'
import { type Account, newAccount } from './new-account.ts'
import { isOpenToOthers, nobody } from './other-user.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const AWAY = 'База данных сейчас недоступна. Подождите немного и попробуйте снова.'

let folder: string
let server: ServerProcess
let client: Client
let account: Account
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
})
afterEach(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  await rm(folder, { recursive: true })
})

async function start(dataDir: string, user?: ReturnType<typeof nobody>): Promise<void> {
  server = startServer({ folder, settings: { DATA_DIR: dataDir, RATE_LIMIT: 'off' }, user })
  client = createClient(await server.address())
  account = await newAccount(client)
}

const save = (title: string): Promise<Reply> =>
  client.request(notes.create, { body: { title, content: 'слово '.repeat(1000) } }, account.auth)
const titles = async () =>
  (await client.call(notes.list, { query: {} }, account.auth)).results.map(({ title }) => title)

async function stop(): Promise<void> {
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
}

async function expectRefused(reply: Reply): Promise<void> {
  expect([reply.status, reply.body]).toEqual([503, { detail: AWAY }])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** Permissions do not bind root: then the server runs as somebody else, who must be able to read it. */
const isRoot = process.getuid?.() === 0
const bound = process.platform !== 'win32' && (!isRoot || isOpenToOthers(import.meta.dirname))
const someUser = bound && isRoot ? nobody() : undefined

it.each(bound ? ['a folder that was made read-only', 'a folder that was made read-only with all in it'] : [])(
  'answers 503 to what would write into %s, goes on reading, and works again without a restart',
  async (what) => {
    if (someUser) await chown(folder, someUser.uid, someUser.gid)
    await start(folder, someUser)
    expect((await save('до')).status).toBe(201)

    const files = what.endsWith('in it') ? (await readdir(folder)).map((name) => join(folder, name)) : []
    for (const file of files) await chmod(file, 0o400)
    await chmod(folder, 0o500)
    for (const reply of await Promise.all([save('нет'), save('нет')])) await expectRefused(reply)
    expect(await titles()).toEqual(['до'])

    await chmod(folder, 0o700)
    for (const file of files) await chmod(file, 0o600)
    expect((await save('после')).status).toBe(201)
    expect(await titles()).toEqual(['после', 'до'])
    await stop()
  },
)

it.each(
  bound
    ? ([
        ['in which nothing may be written', 0o500],
        ['which may not even be entered', 0o400],
      ] as const)
    : [],
)('does not start in a folder %s, says why in one line, and starts once they are right', async (_, mode) => {
  if (someUser) await chown(folder, someUser.uid, someUser.gid)
  await start(folder, someUser)
  await stop()
  await chmod(folder, mode)
  server = startServer({ folder: tmpdir(), settings: { DATA_DIR: folder }, user: someUser })
  expect(await server.ended).toBe(1)
  expect(server.errors()).toMatch(
    /^Неверная настройка DATA_DIR=[^\n]+: нужно путь к папке, в которую можно писать[^\n]+\n$/,
  )
  await chmod(folder, 0o700)
  await start(folder, someUser)
  await stop()
})

it.each(canFreeze() ? ['immutable'] : [])(
  'lives on while all its files are %s, and works again',
  async () => {
    const dataDir = join(folder, 'data')
    await start(dataDir)
    expect((await save('до')).status).toBe(201)
    freeze(dataDir, true)
    try {
      for (const reply of await Promise.all([save('нет'), save('нет')])) await expectRefused(reply)
      expect((await client.request(notes.list, { query: {} }, account.auth)).status).toBe(503)
      expect((await client.send('GET', '/readyz')).status).toBe(503)
    } finally {
      freeze(dataDir, false)
    }
    expect((await save('после')).status).toBe(201)
    expect(await titles()).toEqual(['после', 'до'])
    await stop()
  },
)

it('acknowledges nothing that goes into a file which is gone', async () => {
  const dataDir = join(folder, 'data')
  await start(dataDir)
  expect((await save('до')).status).toBe(201)
  await rename(dataDir, join(folder, 'elsewhere'))
  await expectRefused(await save('нет'))
  await rename(join(folder, 'elsewhere'), dataDir)
  expect((await save('после')).status).toBe(201)
  await stop()
})

/** How a disk is filled here; a disk of its own takes the right to mount one, a limit on files takes Linux. */
const disk = mountSmallDisk(16)
afterAll(() => disk?.remove())
const full = {
  'a full disk': disk && {
    dataDir: () => disk.folder,
    fill: () => disk.fill(),
    free: () => disk.free(),
  },
  'a file that may not grow': canLimitFiles() && {
    dataDir: () => folder,
    fill: () => limitFiles(server.child.pid ?? 0, 100_000),
    free: () => limitFiles(server.child.pid ?? 0, undefined),
  },
}
const shown = Object.entries(full).flatMap(([name, way]) => (way ? [[name, way] as const] : []))

it.each(shown)(
  'loses nothing acknowledged to %s under load, and works again without a restart',
  async (_, way) => {
    const dataDir = way.dataDir()
    await start(dataDir)
    const ledger = createLedger()
    await underLoad({ client, account, ledger, seed: 1 }, async () => {
      await moreAcknowledged(ledger, 100)
      way.fill()
      await expect.poll(() => ledger.away, { timeout: 20_000 }).toBeGreaterThan(50)
      await expectRefused(await save('нет'))
      expect((await titles()).length).toBeGreaterThan(0)
      way.free()
      await moreAcknowledged(ledger, 100)
    })
    expect(ledger.wrongAnswers).toEqual([])
    expect(await compare({ client, token: account.session.access_token }, ledger)).toEqual([])
    await stop()
    const db = await openDb({ DATA_DIR: dataDir, DATABASE_URL: '' })
    expect(await faultsInside(db)).toEqual([])
    await db.destroy()
  },
  60_000,
)

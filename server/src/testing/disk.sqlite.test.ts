import { chmod, chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { notes } from '@kopilka/contract/notes.ts'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openDb } from '../db/open.ts'
import { isDiskFull } from '../files/disk-full.ts'
import { beginImport } from '../imports/store.ts'
import { type Client, createClient, type Reply } from './client.ts'
import { canFreeze, canLimitFiles, freeze, limitFiles, mountSmallDisk } from './disk-faults.ts'
import { compare } from './faults/compare.ts'
import { integrityErrors } from './faults/integrity.ts'
import { moreAcknowledged, underLoad } from './faults/under-load.ts'
import { createWriteLog } from './faults/write-log.ts'
import { itIfAvailable } from './it-if-available.ts'
import { type Account, newAccount } from './new-account.ts'
import { isAccessibleToOthers, nobody } from './other-user.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const UNAVAILABLE = 'База данных сейчас недоступна. Подождите немного и попробуйте снова.'

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
  expect([reply.status, reply.body]).toEqual([503, { detail: UNAVAILABLE }])
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
}

/** The user to run the server as. Root ignores permissions, so it runs as another user, who must be able to read it. */
function userBoundByPermissions(): { user: ReturnType<typeof nobody> | undefined } | undefined {
  if (process.platform === 'win32') return undefined
  if (process.getuid?.() !== 0) return { user: undefined }
  return isAccessibleToOthers(import.meta.dirname) ? { user: nobody() } : undefined
}
const bound = userBoundByPermissions()
const WHERE_BOUND = '(where permissions apply: not on Windows, nor for root in a private folder)'

for (const inside of ['', ' with all its files']) {
  itIfAvailable(
    bound,
    `responds 503 to writes into a folder that was made read-only${inside}, keeps reading, and recovers without a restart ${WHERE_BOUND}`,
    async ({ user }) => {
      if (user) await chown(folder, user.uid, user.gid)
      await start(folder, user)
      expect((await save('до')).status).toBe(201)

      const files = inside ? (await readdir(folder)).map((name) => join(folder, name)) : []
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
}

for (const [which, mode] of [
  ['without write permission', 0o500],
  ['without execute permission', 0o400],
] as const) {
  itIfAvailable(
    bound,
    `does not start in a folder ${which}, explains why in one line, and starts once permissions are right ${WHERE_BOUND}`,
    async ({ user }) => {
      if (user) await chown(folder, user.uid, user.gid)
      await start(folder, user)
      await stop()
      await chmod(folder, mode)
      server = startServer({ folder: tmpdir(), settings: { DATA_DIR: folder }, user })
      expect(await server.ended).toBe(1)
      expect(server.errors()).toMatch(
        /^Неверная настройка DATA_DIR=[^\n]+: ожидается путь к папке, в которую можно писать[^\n]+\n$/,
      )
      await chmod(folder, 0o700)
      await start(folder, user)
      await stop()
    },
  )
}

itIfAvailable(
  canFreeze() ? freeze : undefined,
  'survives immutable files and recovers (as root, on a Linux file system)',
  async (freeze) => {
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

it('acknowledges no write into a file that was moved away', async () => {
  const dataDir = join(folder, 'data')
  await start(dataDir)
  expect((await save('до')).status).toBe(201)
  await rename(dataDir, join(folder, 'elsewhere'))
  await expectRefused(await save('нет'))
  await rename(join(folder, 'elsewhere'), dataDir)
  expect((await save('после')).status).toBe(201)
  await stop()
})

/** Holds the write-ahead log as well, which grows to 16 MB before a checkpoint. */
const DISK_MEGABYTES = 64
const disk = mountSmallDisk(DISK_MEGABYTES)
afterAll(() => disk?.remove())

itIfAvailable(
  disk,
  'tells a full disk from a database that is away (where one may be mounted)',
  async ({ folder: dataDir, fill, free }) => {
    await start(dataDir)
    await stop()
    const db = await openDb({ DATA_DIR: dataDir, DATABASE_URL: '' })
    try {
      fill()
      const begun = { owner_id: account.id, id: account.id, locale: 'ru' as const, now: 0, folderId: 'x' }
      const saved = db.write(beginImport, { ...begun, name: 'x'.repeat(1_000_000) })
      await expect(saved).rejects.toSatisfy(isDiskFull)
    } finally {
      free()
      await db.destroy()
    }
  },
)

const FULL_DISKS = [
  {
    what: 'a full disk',
    where: 'where one may be mounted',
    way: disk && { dataDir: () => disk.folder, fill: () => disk.fill(), free: () => disk.free() },
  },
  {
    what: 'a file size limit',
    where: 'on Linux',
    way: canLimitFiles()
      ? {
          dataDir: () => folder,
          fill: () => limitFiles(server.child.pid ?? 0, 100_000),
          free: () => limitFiles(server.child.pid ?? 0, undefined),
        }
      : undefined,
  },
]

for (const { what, where, way } of FULL_DISKS) {
  itIfAvailable(
    way,
    `loses no acknowledged write to ${what} under load, and recovers without a restart (${where})`,
    async (way) => {
      const dataDir = way.dataDir()
      await start(dataDir)
      const writeLog = createWriteLog()
      await underLoad({ client, account, writeLog, seed: 1 }, async () => {
        await moreAcknowledged(writeLog, 100)
        way.fill()
        await expect.poll(() => writeLog.unavailable, { timeout: 20_000 }).toBeGreaterThan(50)
        await expectRefused(await save('нет'))
        expect((await titles()).length).toBeGreaterThan(0)
        way.free()
        await moreAcknowledged(writeLog, 100)
      })
      expect(writeLog.unexpectedResponses).toEqual([])
      expect(await compare({ client, token: account.session.access_token }, writeLog)).toEqual([])
      await stop()
      const db = await openDb({ DATA_DIR: dataDir, DATABASE_URL: '' })
      expect(await integrityErrors(db)).toEqual([])
      await db.destroy()
    },
    // Each wait above has a limit of its own, and says what it waited for.
    180_000,
  )
}

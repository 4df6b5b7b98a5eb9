import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { EXPORT_FORMATS, exports } from '@kopilka/contract/exports.ts'
import { anImport, type Import, imports } from '@kopilka/contract/imports.ts'
import { latest } from '@kopilka/contract/search.ts'
import Database from 'better-sqlite3'
import { ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import { type BareRow, bookmarks, longNotes, writeFile } from './import-files.ts'
import { sendOnce } from './load.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { memory } from './usage.ts'

const BOOKMARKS = 100_000
const NOTES = 50_000
const SETTINGS = { IMPORT_LIMIT: '1GB' }
/** Milliseconds between two requests of the other user, and between two looks at an import. */
const [INTERVAL, POLL] = [20, 200]
const WARM_UP = 200
const SETTLED = 3_000
/** Rows of one transaction of the baseline, as the product saves them. */
const BATCH = 200

export type Headers = Readonly<Record<string, string>>

const whole = (value: number): string => (Number.isFinite(value) ? value.toFixed(0) : '–')
const seconds = (since: number): number => (performance.now() - since) / 1000

/** Starts the product on an empty SQLite, with a user that asks for the newest items and one that does the rest. */
async function onFreshServer(use: (server: RunningServer, user: Headers, other: Headers) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-transfers-'))
  const server = await startProduct(ROOT, { ...SETTINGS, DATA_DIR: folder })
  try {
    const [user, other] = [await newUser(server, 'user'), await newUser(server, 'other')]
    await use(server, user, other)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

async function newUser({ port }: RunningServer, name: string): Promise<Headers> {
  const account = { email: `${name}@example.org`, password: 'a secret of the bench', items: 0 }
  const path = `${API_PREFIX}${accounts.register.path}`
  const body = { ...account, items: undefined, first_name: 'Анна', last_name: 'К.' }
  await sendOnce(port, { method: 'POST', path, headers: {}, body })
  const { authorization = '' } = await signIn(port, account)
  return { authorization }
}

/** What another user and the memory of the server notice from now on. */
export function watch({ port, pid }: RunningServer, headers: Headers) {
  const agent = new Agent({ keepAlive: true })
  let [latencies, highest, isWatching]: [number[], number, boolean] = [[], 0, true]
  const done = (async () => {
    while (isWatching) {
      const begun = performance.now()
      await received(request({ agent, port, headers, path: `${API_PREFIX}${latest.path}` }))
      latencies.push(performance.now() - begun)
      highest = Math.max(highest, memory(pid))
      await sleep(INTERVAL)
    }
  })()
  return {
    /** The slowest 1 % of responses, and the slowest, in ms and the highest memory in MB since the last call. */
    figures() {
      const sorted = latencies.sort((one, other) => one - other)
      const figures = {
        slow: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
        slowest: sorted.at(-1) ?? Number.NaN,
        highest,
      }
      ;[latencies, highest] = [[], memory(pid)]
      return figures
    },
    async stop() {
      isWatching = false
      await done
      agent.destroy()
    },
  }
}

/** Sends a request; resolves to its response's body. */
async function received(sent: ReturnType<typeof request>, file?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      text(response).then((body) => {
        if ((response.statusCode ?? 0) < 400) resolve(body)
        else reject(new Error(`${sent.path}: ${response.statusCode} ${body}`))
      }, reject)
    })
    if (file === undefined) sent.end()
    else createReadStream(file).pipe(sent)
  })
}

/** How many rows of the baseline's table one thread inserts a second, with nothing else to do. */
function bareInserts(folder: string, rows: readonly BareRow[]): number {
  const db = new Database(join(folder, 'baseline.sqlite'))
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`create table items (owner_id text not null, id text not null, title text not null, body text not null,
    created_at bigint not null, updated_at bigint not null, primary key (owner_id, id))`)
  const insert = db.prepare('insert into items values (?, ?, ?, ?, ?, ?)')
  const begun = performance.now()
  const insertAll = db.transaction((some: readonly BareRow[], from: number) => {
    for (const [at, { title, body }] of some.entries())
      insert.run('owner', String(from + at), title, body, from, from)
  })
  for (let from = 0; from < rows.length; from += BATCH) insertAll(rows.slice(from, from + BATCH), from)
  const perSecond = rows.length / seconds(begun)
  db.close()
  return perSecond
}

/** `npm run bench -- import`: files of real size, or of so many bookmarks and notes, and what others notice meanwhile. */
export async function measureImports([links, notes]: readonly string[]): Promise<void> {
  const sizes = { links: Number(links ?? BOOKMARKS), notes: Number(notes ?? NOTES) }
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-imports-'))
  const rows = [
    [
      ...['file', 'MB', 'entries', 'read s', 'saved/s', '÷ bare inserts'],
      ...['idle MB', '+ reading', '+ saving', 'latest, idle ms', 'reading', 'saving'],
    ],
  ]
  try {
    for (const [name, lines] of [
      [`${sizes.links} bookmarks`, bookmarks(sizes.links)],
      [`archive of ${sizes.notes} notes`, longNotes(sizes.notes)],
    ] as const) {
      const file = join(folder, 'file')
      const bare = bareInserts(folder, await writeFile(file, lines))
      await onFreshServer(async (server, user, other) => {
        const row = [name, ...(await measureImport(server, { file, bare, user, other }))]
        console.error(row.join(' | '))
        rows.push(row)
      })
      rmSync(join(folder, 'baseline.sqlite'))
    }
    console.log(table(rows))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface ImportCase {
  file: string
  /** Bare inserts a second. */
  bare: number
  user: Headers
  other: Headers
}

async function measureImport(
  server: RunningServer,
  { file, bare, user, other }: ImportCase,
): Promise<string[]> {
  const { port, pid } = server
  const send = async (method: string, path: string, body?: unknown): Promise<Import> => {
    const response = await sendOnce(port, { method, path: `${API_PREFIX}${path}`, headers: user, body })
    return anImport.parse(JSON.parse(response.body))
  }
  const watching = watch(server, other)
  await sleep(WARM_UP * INTERVAL)
  await sleep(SETTLED)
  const idle = memory(pid)
  const before = watching.figures()
  const ended = async (id: string, state: Import['state']): Promise<Import> => {
    for (;;) {
      const one = await send('GET', imports.read.path.replace(':id', id))
      if (one.state !== state) return one
      await sleep(POLL)
    }
  }
  let begun = performance.now()
  const headers = { ...user, 'content-type': 'application/octet-stream' }
  const upload = request({ port, method: 'POST', headers, path: `${API_PREFIX}${imports.create.path}` })
  const { id } = anImport.parse(JSON.parse(await received(upload, file)))
  const { summary, total, error } = await ended(id, 'reading')
  const readFor = seconds(begun)
  const reading = watching.figures()
  begun = performance.now()
  await send('POST', imports.run.path.replace(':id', id), {})
  const { result } = await ended(id, 'running')
  const perSecond = (result?.added ?? 0) / seconds(begun)
  const saving = watching.figures()
  await watching.stop()
  if (result?.added !== summary.new) throw new Error(`Not all were saved: ${error ?? JSON.stringify(result)}`)
  return [
    ...[(statSync(file).size / 1e6).toFixed(0), String(total), readFor.toFixed(1)],
    ...[whole(perSecond), (perSecond / bare).toFixed(3)],
    ...[idle, reading.highest - idle, saving.highest - idle].map(whole),
    ...[before.slow, reading.slow, saving.slow].map(whole),
  ]
}

/** `npm run bench -- export`: an account of bookmarks and notes in each format, and its deletion. */
export async function measureExports(): Promise<void> {
  const rows = [['format', 's', 'MB', 'idle MB', '+ highest', 'latest ms']]
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-exports-'))
  try {
    const file = join(folder, 'file')
    await writeFile(file, bookmarks(BOOKMARKS))
    await onFreshServer(async (server, user, other) => {
      await measureImport(server, { file, bare: 1, user, other })
      const watching = watch(server, other)
      await sleep(SETTLED)
      const idle = memory(server.pid)
      for (const format of EXPORT_FORMATS) {
        watching.figures()
        const begun = performance.now()
        const bytes = await sizeOf(server.port, user, `${API_PREFIX}${exports.file.path}?format=${format}`)
        const lasted = seconds(begun)
        const { slow, highest } = watching.figures()
        rows.push([
          format,
          lasted.toFixed(1),
          (bytes / 1e6).toFixed(1),
          whole(idle),
          whole(highest - idle),
          whole(slow),
        ])
      }
      rows.push(['account deleted', ...(await measureDeletion(server, user, watching, idle))])
      await watching.stop()
    })
    console.log(table(rows))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Bytes of a file that is sent in parts. */
async function sizeOf(port: number, headers: Headers, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, headers, path }).on('error', reject)
    sent.on('response', (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('error', reject).on('end', () => resolve(bytes))
    })
    sent.end()
  })
}

/** Milliseconds of the response are its seconds; its rows are erased in the minute after it. */
async function measureDeletion(
  { port }: RunningServer,
  headers: Headers,
  watching: ReturnType<typeof watch>,
  idle: number,
): Promise<string[]> {
  watching.figures()
  const begun = performance.now()
  const path = `${API_PREFIX}${accounts.remove.path}`
  const body = { password: 'a secret of the bench' }
  await sendOnce(port, { method: 'DELETE', path, headers, body })
  const lasted = seconds(begun)
  await sleep(60_000)
  const { slow, highest } = watching.figures()
  return [lasted.toFixed(3), '', whole(idle), whole(highest - idle), whole(slow)]
}

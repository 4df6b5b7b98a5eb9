import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { changes, changesPage } from '@kopilka/contract/changes.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import { databaseWith } from './databases.ts'
import { sendOnce } from './load.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { type Headers, watch } from './transfers.ts'
import { memory } from './usage.ts'

const ITEMS = 10_000
/** Items that are saved on a day. */
const SAVED = 30
/** Milliseconds in which the other reader's times without a copy are measured. */
const IDLE = 5_000

export interface Copied {
  readonly next: string
  readonly items: number
  readonly pages: readonly string[]
  readonly seconds: number
}

/** Follows the changes to their end. */
export async function copy({ port }: RunningServer, headers: Headers, since?: string): Promise<Copied> {
  const begun = performance.now()
  const pages: string[] = []
  let [next, items] = [since, 0]
  for (let hasMore = true; hasMore; ) {
    const path = `${API_PREFIX}${changes.follow.path}${next === undefined ? '' : `?since=${next}`}`
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    const body = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`)
    const page = changesPage.parse(JSON.parse(body))
    items += page.notes.length + page.urllinks.length
    pages.push(body)
    next = page.next
    hasMore = page.has_more
  }
  return { next: next ?? '', items, pages, seconds: (performance.now() - begun) / 1000 }
}

/** Megabytes of pages, as they are and as a proxy compresses each. */
function sizes(pages: readonly string[]): string[] {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
  return [Buffer.from, gzipSync, (page: string) => brotliCompressSync(page, quality)].map((encode) =>
    (pages.reduce((sum, page) => sum + encode(page).length, 0) / 1e6).toFixed(3),
  )
}

/** `npm run bench -- changes`: a copy of 10,000 items, then of a day's changes, and what another reader notices. */
export async function measureChanges([server = 'sqlite']: readonly string[]): Promise<void> {
  const { settings, accounts } = await databaseWith({ server, sizes: [ITEMS], items: ITEMS })
  const [account] = accounts
  if (!account) throw new RangeError('The database has no account.')
  const product = await startProduct(ROOT, settings)
  try {
    const headers: Headers = { authorization: (await signIn(product.port, account)).authorization ?? '' }
    const watching = watch(product, headers)
    await sleep(IDLE)
    const idle = memory(product.pid)
    const rows = [
      [
        ...['', 'items', 'pages', 's', 'MB', 'gzip', 'brotli', '+ memory MB'],
        ...['latest, slowest ms', 'latest, slowest 1 % ms'],
      ],
    ]
    const add = (name: string, copied?: Copied) => {
      const { slow, slowest, highest } = watching.figures()
      const { items, pages, seconds } = copied ?? { items: 0, pages: [], seconds: IDLE / 1000 }
      rows.push([
        ...[name, String(items), String(pages.length), seconds.toFixed(2), ...sizes(pages)],
        ...[(highest - idle).toFixed(0), slowest.toFixed(0), slow.toFixed(0)],
      ])
    }
    add('nothing')
    const whole = await copy(product, headers)
    add('first copy', whole)
    await sleep(IDLE)
    watching.figures()
    for (let at = 0; at < SAVED; at += 1) await save(product, headers, at)
    watching.figures()
    add(`${SAVED} saves`, await copy(product, headers, whole.next))
    add('no change', await copy(product, headers, (await copy(product, headers, whole.next)).next))
    await watching.stop()
    console.log(table(rows))
  } finally {
    await product.stop()
  }
}

/** Saves a note again, with another title; resolves to its id. */
export async function save({ port }: RunningServer, headers: Headers, at: number): Promise<string> {
  const path = `${API_PREFIX}${notes.list.path}?page=${at + 1}`
  const list = notes.list.response.parse(
    JSON.parse((await sendOnce(port, { method: 'GET', path, headers })).body),
  )
  const [note] = list.results
  if (!note) throw new RangeError('There are not enough notes.')
  const { id, content } = note
  const body = { title: `Заметка ${at}`, content }
  const saved = { method: 'PUT', path: `${API_PREFIX}${notes.update.path.replace(':id', id)}`, headers, body }
  const { status } = await sendOnce(port, saved)
  if (status !== 200) throw new Error(`${saved.path}: ${status}`)
  return id
}

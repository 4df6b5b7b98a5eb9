import { setTimeout as sleep } from 'node:timers/promises'
import { accounts, type Session, session } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { launchChromium } from '../../scripts/find-chromium.mjs'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { copy, save } from './changes.ts'
import { type Account, databaseWith } from './databases.ts'
import { sendOnce } from './load.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { openTab, type Tab } from './tab.ts'
import { table } from './table.ts'
import type { Headers } from './transfers.ts'

const SIZES = [10_000, 20_000]
/** Items that are saved on a busy day. */
const SAVED = 50
const SEARCHES = 20
/** Searches before those: of modules and lists that are not in memory yet. */
const WARM_UP = 3
/** A page looks for changes again so long after it has, when somebody comes back to it (web/src/offline/rounds.ts). */
const RECENT_MS = 31_000
/** Chromium writes to the disk some time after a transaction. */
const SETTLED_MS = 5_000

type Row = readonly string[]

/** `npm run bench -- offline`: what the copy in the browser costs, each beside something that does no less. */
export async function measureOffline(sizes: readonly string[]): Promise<void> {
  const wanted = sizes.length > 0 ? sizes.map(Number) : SIZES
  if (!wanted.every((items) => Number.isInteger(items) && items >= 1000))
    throw new CliError('Нужно целое число записей, не меньше 1000: npm run bench -- offline 10000 20000')
  const rows: Row[] = [['items', 'what', 'in the browser', 'beside it', 'which is']]
  for (const items of wanted) {
    for (const row of await measure(items)) rows.push([String(items), ...row])
  }
  console.log(table(rows))
}

async function measure(items: number): Promise<Row[]> {
  const { settings, accounts } = await databaseWith({ server: 'sqlite', sizes: [items], items })
  const [account] = accounts
  if (!account) throw new RangeError('The database has no account.')
  const product = await startProduct(ROOT, settings)
  const browser = await launchChromium()
  try {
    const tokens = await signIn(product, account)
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    const queries = await titleWords(product, headers)
    const tab = await openTab(browser, `http://127.0.0.1:${product.port}`, tokens)
    return [
      ...(await measureCopy(product, headers, tab)),
      ...(await measureSearch(product, headers, tab, queries)),
    ]
  } finally {
    await browser.close()
    await product.stop()
  }
}

/** The copy, its changes and its index, and what they take. */
async function measureCopy(product: RunningServer, headers: Headers, tab: Tab): Promise<Row[]> {
  const before = await tab.memory()
  const first = await tab.followed(({ owner }) => owner?.isWhole ?? false)
  const begun = performance.now()
  await tab.until(({ owner, index }) => index?.waiting === 0 && index.last === owner?.revision)
  const indexing = (performance.now() - begun) / 1000
  const withIndex = await tab.memory()
  // Not beside the browser, which it would slow.
  const plain = await copy(product, headers)
  const plainBytes = bytesOf(plain.pages)
  await sleep(SETTLED_MS)
  const stored = await tab.stored()

  await sleep(RECENT_MS)
  tab.resetCount()
  const since = new Date().toISOString()
  let id = ''
  for (let at = 0; at < SAVED; at += 1) id = await save(product, headers, at)
  await tab.lookAgain()
  const day = await tab.followed(({ item }) => item !== undefined && item.updated_at >= since, id)
  const plainDay = await copy(product, headers, plain.next)
  const client = 'a plain client, one page after the other'
  const responses = 'the bodies of the responses'
  const tabBefore = 'the same tab before'
  return [
    ['first copy, s', first.seconds.toFixed(1), plain.seconds.toFixed(1), client],
    ['first copy, MB', inMegabytes(first.bytes), inMegabytes(plainBytes), responses],
    ['index of search, s more', indexing.toFixed(1), '', ''],
    ['database, MB', stored.toFixed(1), inMegabytes(plainBytes), responses],
    [`${SAVED} saves, s`, day.seconds.toFixed(2), plainDay.seconds.toFixed(2), client],
    [`${SAVED} saves, MB`, inMegabytes(day.bytes, 3), inMegabytes(bytesOf(plainDay.pages), 3), responses],
    ['process, MB', withIndex.process.toFixed(0), before.process.toFixed(0), tabBefore],
    ['heap of the page, MB', withIndex.page.toFixed(1), before.page.toFixed(1), tabBefore],
    ['heap of the worker, MB', withIndex.workers.toFixed(1), before.workers.toFixed(1), tabBefore],
  ]
}

/** Searches with the server, then without; ends the server. */
async function measureSearch(
  product: RunningServer,
  headers: Headers,
  tab: Tab,
  queries: readonly string[],
): Promise<Row[]> {
  const overNetwork = await timesOf(queries, async (text) => {
    const begun = performance.now()
    const path = `${API_PREFIX}${notes.list.path}?view=summary&search=${encodeURIComponent(text)}`
    const { status } = await sendOnce(product.port, { method: 'GET', path, headers })
    if (status !== 200) throw new Error(`${path}: ${status}`)
    return performance.now() - begun
  })
  await tab.openNotes()
  const shownByServer = await timesOf(queries, tab.search)
  await product.stop()
  await tab.openNotes()
  const shown = await timesOf(queries, tab.search)
  const byWorker = (await tab.searches()).slice(-SEARCHES)
  const memory = await tab.memory()
  return [
    ['two words, ms (90 %)', inMilliseconds(byWorker), inMilliseconds(overNetwork), "the server's response"],
    [
      'two words until they show, ms (90 %)',
      inMilliseconds(shown),
      inMilliseconds(shownByServer),
      'the same with the server',
    ],
    ['process after the searches, MB', memory.process.toFixed(0), '', ''],
    ['heap of the page then, MB', memory.page.toFixed(1), '', ''],
    ['heap of the worker then, MB', memory.workers.toFixed(1), '', ''],
  ]
}

async function timesOf(
  queries: readonly string[],
  time: (text: string) => Promise<number>,
): Promise<number[]> {
  const times: number[] = []
  for (const text of queries) times.push(await time(text))
  return times.slice(WARM_UP)
}

const inMegabytes = (bytes: number, digits = 1): string => (bytes / 1e6).toFixed(digits)
const bytesOf = (pages: readonly string[]): number =>
  pages.reduce((sum, page) => sum + Buffer.byteLength(page), 0)

/** The median, and what nine of ten take at most. */
function inMilliseconds(times: readonly number[]): string {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(0)
  return `${at(0.5)} (${at(0.9)})`
}

async function signIn({ port }: RunningServer, { email, password }: Account): Promise<Session> {
  const path = API_PREFIX + accounts.login.path
  const { body } = await sendOnce(port, { method: 'POST', path, headers: {}, body: { email, password } })
  return session.parse(JSON.parse(body))
}

/** Queries of two words that some title has. */
async function titleWords({ port }: RunningServer, headers: Headers): Promise<string[]> {
  const queries = new Set<string>()
  for (let page = 1; queries.size < WARM_UP + SEARCHES; page += 7) {
    const path = `${API_PREFIX}${notes.list.path}?view=summary&page=${page}`
    const { body } = await sendOnce(port, { method: 'GET', path, headers })
    const { results } = notes.list.summary.parse(JSON.parse(body))
    if (results.length === 0) throw new RangeError('There are not enough notes.')
    for (const { title } of results) {
      const [one, other] = title.match(/\p{L}{4,}/gu) ?? []
      if (one !== undefined && other !== undefined) queries.add(`${one} ${other}`)
    }
  }
  return [...queries].slice(0, WARM_UP + SEARCHES)
}

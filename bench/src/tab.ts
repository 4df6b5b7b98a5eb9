import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '@kopilka/contract/accounts.ts'
import { changes } from '@kopilka/contract/changes.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { launchChromium } from '../../scripts/find-chromium.mjs'
import { privateMemory } from './usage.ts'

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>
type Inspector = Awaited<ReturnType<Browser['newBrowserCDPSession']>>

/** Of the copy in the browser (web/src/offline/database.ts). */
const DATABASE = 'kopilka-offline'
const POLL_MS = 50
/** A copy, an index or an answer that takes longer does not come. */
const PATIENCE_MS = 10 * 60_000

/** A heap's numbers, as the protocol of Chromium's tools has them. */
interface HeapUsage {
  readonly usedSize: number
  readonly embedderHeapUsedSize?: number
  readonly backingStorageSize?: number
}

/** Megabytes of memory. */
export interface TabMemory {
  /** Of the process that shows the page, for itself alone. */
  readonly process: number
  /** In the heaps of the page and of its workers, buffers and the document included. */
  readonly page: number
  readonly workers: number
}

/** What the database says of the copy, of its index, and of an item that was asked for. */
interface Kept {
  readonly owner?: { readonly isWhole: boolean; readonly revision: number } | undefined
  readonly index?: { readonly last: number; readonly waiting: number } | undefined
  readonly item?: { readonly updated_at: string } | undefined
}

/** In the page: notes how long the worker takes for each search, as a measure of this name. */
const timeSearches = (): void => {
  const others = new WeakMap<object, MessagePort>()
  const { MessageChannel } = window
  window.MessageChannel = class extends MessageChannel {
    constructor() {
      super()
      others.set(this.port2, this.port1)
    }
  }
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...sent: unknown[]) {
    const [message, [port] = []] = sent as [{ method?: string }, object[]?]
    const start = performance.now()
    const response = port && message.method === 'search' ? others.get(port) : undefined
    response?.addEventListener('message', () => performance.measure('search', { start }))
    return Reflect.apply(postMessage, this, sent)
  }
}

/** In the page: what the database of this name says. To open one that is not there would create it. */
const readStored = async ([name, id]: readonly [string, string]): Promise<Kept> => {
  if (!(await indexedDB.databases()).some((one) => one.name === name)) return {}
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const database = await done(indexedDB.open(name))
  const transaction = database.transaction(['owner', 'indexState', 'items'])
  const [owner, index, item] = await Promise.all([
    done(transaction.objectStore('owner').get('owner')),
    done(transaction.objectStore('indexState').get('state')),
    done(transaction.objectStore('items').get(id)),
  ])
  database.close()
  return { owner, index, item }
}

/** In the page: leaves the search before, opens an address as a link of the page does, and waits for the first match. */
const showMatches = async ([address, patience]: readonly [string, number]): Promise<number> => {
  const seen = (is: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!is()) return
        observer.disconnect()
        clearTimeout(timer)
        resolve()
      }
      const observer = new MutationObserver(look)
      const timer = setTimeout(() => reject(new Error(`Nothing shows at ${address}.`)), patience)
      observer.observe(document.body, { subtree: true, childList: true })
      look()
    })
  const hasMatch = () => document.querySelector('main mark') !== null
  history.pushState({}, '', '/notes')
  await seen(() => !hasMatch() && document.querySelector('main article') !== null)
  const begun = performance.now()
  history.pushState({}, '', address)
  await seen(hasMatch)
  return performance.now() - begun
}

/** The workers of a page, each asked as the page itself is. */
async function watchWorkers(inspector: Inspector) {
  const workers = new Set<string>()
  const asked = new Map<number, (result: HeapUsage) => void>()
  inspector.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') workers.add(sessionId)
  })
  inspector.on('Target.detachedFromTarget', ({ sessionId }) => workers.delete(sessionId))
  inspector.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message)
    asked.get(id)?.(result)
    asked.delete(id)
  })
  await inspector.send('Target.setAutoAttach', {
    ...{ autoAttach: true, waitForDebuggerOnStart: false },
    // Playwright has no session for a worker: what is asked goes in messages.
    flatten: false,
  })
  let last = 0
  const ask = (sessionId: string, method: string): Promise<HeapUsage> =>
    new Promise((resolve, reject) => {
      last += 1
      asked.set(last, resolve)
      const message = JSON.stringify({ id: last, method })
      inspector.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject)
    })
  return { ask, all: (): readonly string[] => [...workers] }
}

const megabytes = ({ usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }: HeapUsage): number =>
  (usedSize + embedderHeapUsedSize + backingStorageSize) / 1e6

export type Tab = Awaited<ReturnType<typeof openTab>>

/** Opens the home page of an account. */
export async function openTab(browser: Browser, address: string, session: Session) {
  const context = await browser.newContext()
  const page: Page = await context.newPage()
  await page.addInitScript(timeSearches)
  await page.addInitScript((pair) => {
    // Once for the tab: what the page has renewed since stays.
    if (sessionStorage.getItem('was-signed-in')) return
    sessionStorage.setItem('was-signed-in', '1')
    for (const [key, token] of Object.entries(pair)) localStorage.setItem(key, token)
  }, session)
  const inspector = await context.newCDPSession(page)
  const workers = await watchWorkers(inspector)
  const system = await browser.newBrowserCDPSession()
  const followed = new Set<string>()
  let [begun, bytes] = [Number.NaN, 0]
  inspector.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.includes(API_PREFIX + changes.follow.path)) return
    followed.add(requestId)
    begun ||= performance.now()
  })
  inspector.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (followed.has(requestId)) bytes += encodedDataLength
  })
  await inspector.send('Network.enable')
  await page.goto(`${address}/home`)

  /** Resolves once the database says so. */
  const until = async (is: (kept: Kept) => boolean, id = ''): Promise<void> => {
    for (const patience = performance.now() + PATIENCE_MS; performance.now() < patience; ) {
      if (is(await page.evaluate(readStored, [DATABASE, id] as const))) return
      await sleep(POLL_MS)
    }
    throw new Error('The copy in the browser does not come.')
  }

  return {
    until,

    /** Opens the notes in another document, which has nothing in memory. */
    openNotes: () => page.goto(`${address}/notes`),

    /** Counts the bytes and the seconds of the change feed from its next request on. */
    resetCount(): void {
      ;[begun, bytes] = [Number.NaN, 0]
    },

    /** Bytes of the change feed, and seconds from its first request until the database says so. */
    async followed(...is: Parameters<typeof until>): Promise<{ bytes: number; seconds: number }> {
      await until(...is)
      return { bytes, seconds: (performance.now() - begun) / 1000 }
    },

    /** Has the page look for changes, as a returning user does. */
    lookAgain: () => page.evaluate(() => void window.dispatchEvent(new Event('focus'))),

    /** Megabytes of the database on the disk. */
    async stored(): Promise<number> {
      const { usageBreakdown } = await inspector.send('Storage.getUsageAndQuota', { origin: address })
      return (usageBreakdown.find(({ storageType }) => storageType === 'indexeddb')?.usage ?? 0) / 1e6
    },

    /** Once what nothing refers to any more is collected. */
    async memory(): Promise<TabMemory> {
      const all = workers.all()
      await Promise.all(all.map((worker) => workers.ask(worker, 'HeapProfiler.collectGarbage')))
      await inspector.send('HeapProfiler.collectGarbage')
      const heaps = await Promise.all(all.map((worker) => workers.ask(worker, 'Runtime.getHeapUsage')))
      const { processInfo } = await system.send('SystemInfo.getProcessInfo')
      // Chromium keeps an empty one ready beside that of the page.
      const renderers = processInfo.filter(({ type }) => type === 'renderer')
      return {
        process: Math.max(...renderers.map(({ id }) => privateMemory(id))),
        page: megabytes(await inspector.send('Runtime.getHeapUsage')),
        workers: heaps.reduce((sum, heap) => sum + megabytes(heap), 0),
      }
    },

    /** Milliseconds until the first match of a search shows. */
    search: (text: string): Promise<number> =>
      page.evaluate(showMatches, [`/notes?search=${encodeURIComponent(text)}`, PATIENCE_MS] as const),

    /** Milliseconds that the worker took for each search since the last call. */
    searches: (): Promise<number[]> =>
      page.evaluate(() => {
        const durations = performance.getEntriesByName('search').map(({ duration }) => duration)
        performance.clearMeasures('search')
        return durations
      }),
  }
}

import { isHashed, isScreen } from './paths.ts'

/*
 * Opens the page where the server does not (docs/decisions/042-opens-without-a-server.md). It keeps the files of the build
 * and nothing else: no call of the API, nothing of any user. Its caches are one for each version of the build.
 */

/** The version of the build and its files but for the document; web/build/service-worker.ts fills them in. */
declare const __VERSION__: string
declare const __FILES__: readonly string[]
// The library of types takes every script for a page's.
declare const self: ServiceWorkerGlobalScope

/** What Chromium adds: requests that it sends without waking the worker. */
interface InstallEvent extends ExtendableEvent {
  addRoutes?: (routes: { condition: { urlPattern: string }; source: 'network' }) => Promise<void>
}

const FILES: ReadonlySet<string> = new Set(__FILES__)
const PREFIX = 'kopilka-build-'
const CACHE = PREFIX + __VERSION__
/** The address of the document, for every screen. */
const DOCUMENT = '/'
/** A server that takes longer does not open the page. */
const MAX_WAIT_MS = 3_000
/** Files on their way at once: a browser opens six connections to a server, and the page needs some. */
const AT_ONCE = 2
/** A page that does not say its version by then is frozen. */
const REPLY_MS = 2_000

const wait = (milliseconds: number) => new Promise<undefined>((resolve) => setTimeout(resolve, milliseconds))

const fetchWhole = async (path: string, cache: RequestCache): Promise<Response> => {
  // Where one has to sign in to a proxy first it redirects.
  const response = await fetch(path, { cache, redirect: 'error' })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}

/** The document must be of this version: the server may have been replaced since it sent this worker. */
const keepDocument = async (cache: Cache): Promise<void> => {
  const document = await fetchWhole(DOCUMENT, 'no-cache')
  if (!(await document.clone().text()).includes(`content="${__VERSION__}"`))
    throw new Error('the document is of another version')
  await cache.put(DOCUMENT, document)
}

const keepFile = async (cache: Cache, path: string): Promise<void> => {
  if (await cache.match(path)) return
  const known = isHashed(path) ? await caches.match(path, { ignoreVary: true }) : undefined
  await cache.put(path, known ?? (await fetchWhole(path, isHashed(path) ? 'default' : 'no-cache')))
}

/** Keeps the whole version. A part that does not come lets it fail; the next visit goes on where it stopped. */
const keepVersion = async (): Promise<void> => {
  const cache = await caches.open(CACHE)
  await keepDocument(cache)
  const files = FILES.values()
  const keepRest = async () => {
    for (const file of files) await keepFile(cache, file)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, keepRest))
}

/** The version of a page; undefined if it says nothing, null if it was left meanwhile. */
const versionOf = async (page: Client): Promise<unknown> => {
  const { port1, port2 } = new MessageChannel()
  const reply = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
  })
  page.postMessage('version', [port2])
  const version = await Promise.race([reply, wait(REPLY_MS)])
  return version === undefined && !(await self.clients.get(page.id)) ? null : version
}

/**
 * Deletes the caches of older versions that no page has any more. A page that says nothing may be of any version. A newer one
 * may be half full: the next visit goes on with it.
 */
const dropUnused = async (): Promise<void> => {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX))
  // The browser lists caches in the order in which they were made.
  const others = names.slice(0, Math.max(names.indexOf(CACHE), 0))
  if (others.length === 0) return
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const versions = await Promise.all(pages.map(versionOf))
  const { installing, waiting } = self.registration
  if (versions.includes(undefined) || installing || waiting) return
  const unused = others.filter((name) => !versions.includes(name.slice(PREFIX.length)))
  await Promise.all(unused.map((name) => caches.delete(name)))
}

/** Whether a proxy says this in place of a server that is stopped: the server has a document for every screen. */
const isOfStopped = ({ status }: Response): boolean => status >= 500 || status === 404 || status === 410

/** The document as the server has it; the one of the cache where the server does not respond, or only a proxy before it. */
const openScreen = async (request: Request): Promise<Response> => {
  const loading = fetch(request)
  const response = await Promise.race([loading.catch(() => undefined), wait(MAX_WAIT_MS)])
  if (response && !isOfStopped(response)) return response
  const cache = await caches.open(CACHE)
  return (await cache.match(DOCUMENT, { ignoreVary: true })) ?? loading
}

/** A file of this version, or of an older one of which a page is still open. */
const readFile = async (request: Request): Promise<Response> => {
  const { pathname } = new URL(request.url)
  const cache = await caches.open(CACHE)
  const kept = await cache.match(pathname, { ignoreVary: true })
  return kept ?? (await caches.match(pathname, { ignoreVary: true })) ?? fetch(request)
}

self.addEventListener('install', (event: InstallEvent) => {
  const unwoken = event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })
  // Without the routes the worker is woken for nothing, and works as well.
  event.waitUntil(Promise.all([keepVersion(), unwoken?.catch(() => undefined)]))
  // At once: files of older versions stay in their caches for the pages that need them.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (!isScreen(pathname)) return
    event.respondWith(openScreen(request))
    event.waitUntil(dropUnused())
  } else if (isHashed(pathname) || FILES.has(pathname)) event.respondWith(readFile(request))
})

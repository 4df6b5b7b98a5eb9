import type {} from '../api/early-responses.ts'

/*
 * Runs before the application has loaded: requests the chunks of the screen and makes its first API calls
 * (api/early-responses.ts hands the responses over). It imports types only, to be a file of its own. A screen or call that
 * is missing here costs time and nothing else: the application makes the call itself.
 */

const MAIN = ['main']
const LISTS = [...MAIN, 'lists']
const ITEM = [...MAIN, 'dialogs']
const FORM = [...ITEM, 'popover', 'switch', 'given', 'item-form', 'rich-text-editor']

/** Of each screen the chunks (web/build/chunks.ts) and the first calls; $1 and $2 stand for parts of its address. */
const SCREENS: readonly [address: RegExp, chunks: string[], calls: string[]][] = [
  [/^\/(?:home)?$/, LISTS, ['/latest/?view=summary']],
  [/^\/notes$/, LISTS, ['/notes/?view=summary']],
  [/^\/url-links$/, LISTS, ['/urllinks/?view=summary']],
  [/^(?:\/(?:notes|urllinks))?\/add$/, FORM, []],
  [/^\/(notes|urllinks)\/(?!edit$)([\w-]+)$/, [...ITEM, 'lists', 'item'], ['/$1/$2/']],
  [/^\/(notes|urllinks)\/([\w-]+)\/edit$/, FORM, ['/$1/$2/']],
  [/^\/tags$/, [...MAIN, 'tag-list'], ['/tags/?limit=61']],
  [
    /^\/tags\/(?!edit$)([\w-]+)$/,
    [...ITEM, 'lists', 'grid', 'tags'],
    ['/tags/$1/', '/tags/$1/items/?view=summary'],
  ],
  [/^\/tags\/([\w-]+)\/edit\/?$/, [...ITEM, 'lists', 'grid', 'tags'], ['/tags/$1/']],
  [/^\/profile$/, [...ITEM, 'switch', 'accounts', 'profile'], []],
  [
    /^\/profile\/data$/,
    [...ITEM, 'switch', 'lazy-messages', 'history', 'data-messages', 'data'],
    ['/imports/'],
  ],
]
const SIGNED_OUT = ['accounts']

/** As in api/send.ts. */
const TIMEOUT_MS = 60_000

const loadChunks = (names: readonly string[]): void => {
  const { chunks } = document.querySelector<HTMLElement>('script[data-chunks]')?.dataset ?? {}
  const files: Partial<Record<string, string[]>> = JSON.parse(chunks ?? '{}')
  for (const file of names.flatMap((name) => files[name] ?? [])) {
    const link = document.createElement('link')
    link.rel = file.endsWith('.css') ? 'stylesheet' : 'modulepreload'
    link.crossOrigin = ''
    link.href = file
    // The application tries again, and says what failed.
    link.onerror = () => link.remove()
    document.head.append(link)
  }
}

const startCalls = (calls: readonly string[], token: string): void => {
  const language = localStorage.getItem('language') === 'en' ? 'en' : 'ru'
  const headers = {
    Accept: 'application/json',
    'Accept-Language': language,
    Authorization: `Bearer ${token}`,
  }
  window.earlyResponses = new Map(
    calls.map((path) => {
      const address = `/api/v1${path}`
      const response = fetch(address, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
      // api/send.ts handles its failure.
      response.catch(() => undefined)
      return [`${token} ${address}`, response]
    }),
  )
}

const { pathname, search } = window.location
const token = localStorage.getItem('access_token')
const [address, chunks, calls] = SCREENS.find(([address]) => address.test(pathname)) ?? []
if (token === null) {
  if (pathname !== '/privacy') loadChunks(SIGNED_OUT)
} else if (address && chunks && calls) {
  loadChunks(chunks)
  // Of a list that is searched or paged the application makes the address.
  const first = search === '' ? calls.map((call) => pathname.replace(address, call)) : []
  startCalls(['/users/me/', ...first], token)
}

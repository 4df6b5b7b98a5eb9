import type {} from '../api/early-responses.ts'

/*
 * Runs before the application has loaded: requests the chunks of the screen and makes its first API calls
 * (api/early-responses.ts hands the responses over). It imports types only, to be a file of its own. A screen or call that
 * is missing here costs time and nothing else: the application makes the call itself.
 */

const MAIN = ['main']
const ROWS = [...MAIN, 'rows']
const LISTS = [...ROWS, 'lists']
const ITEM = [...MAIN, 'dialogs']
const HISTORY = [...ITEM, 'lazy-messages', 'history']
const SETTINGS = [...HISTORY, 'rows', 'lists', 'settings', 'settings-list']
const FORM = [...ITEM, 'popover', 'switch', 'given', 'item-form', 'rich-text-editor']

/** What the address of a list may ask for, in the order in which api/queries.ts sends it. */
const OF_LIST = ['page', 'search', 'tag', 'sort']
/** What the application sends as it stands (search-params.ts); of anything else it makes the call itself. */
const AS_IT_STANDS = /^(?:page=[1-9]\d*|(?:search|tag)=\S(?:.*\S)?|sort=(?:created|updated|title))$/

/**
 * Of each screen the chunks (web/build/chunks.ts), the first calls, where $1 and $2 stand for parts of its address, and
 * what else its address may ask for.
 */
const SCREENS: readonly [address: RegExp, chunks: string[], calls: string[], asked?: string[]][] = [
  [/^\/(?:home)?$/, ROWS, ['/latest/?view=summary']],
  [/^\/notes$/, LISTS, ['/notes/?view=summary'], OF_LIST],
  [/^\/url-links$/, LISTS, ['/urllinks/?view=summary'], OF_LIST],
  [/^(?:\/(?:notes|urllinks))?\/add$/, FORM, []],
  [/^\/(notes|urllinks)\/(?!edit$)([\w-]+)$/, [...ITEM, 'item'], ['/$1/$2/']],
  [/^\/(notes|urllinks)\/([\w-]+)\/edit$/, FORM, ['/$1/$2/']],
  [
    /^\/(notes|urllinks)\/([\w-]+)\/versions$/,
    [...HISTORY, 'grid', 'versions-page'],
    ['/$1/$2/', '/$1/$2/versions/'],
  ],
  [/^\/tags$/, [...MAIN, 'tag-list'], ['/tags/?limit=61'], ['search']],
  [
    /^\/tags\/(?!edit$)([\w-]+)$/,
    [...ITEM, 'rows', 'grid', 'tags'],
    ['/tags/$1/', '/tags/$1/items/?view=summary'],
  ],
  [/^\/tags\/([\w-]+)\/edit\/?$/, [...ITEM, 'rows', 'grid', 'tags'], ['/tags/$1/']],
  [/^\/profile$/, [...ITEM, 'switch', 'login', 'accounts', 'profile'], []],
  [/^\/profile\/history$/, [...SETTINGS, 'operations-page'], ['/operations/?page=1'], ['page']],
  [/^\/profile\/data$/, [...HISTORY, 'switch', 'settings', 'data-messages', 'data'], ['/imports/']],
  [
    /^\/profile\/duplicates$/,
    [...SETTINGS, 'switch', 'bulk', 'duplicates-page'],
    ['/urllinks/duplicates/?page=1'],
    ['page'],
  ],
  [/^\/profile\/programs$/, [...ITEM, 'switch', 'lazy-messages', 'settings', 'programs'], ['/tokens/']],
  [
    /^\/trash$/,
    [...HISTORY, 'rows', 'lists', 'selection-bar', 'trash-page'],
    ['/trash/?page=1'],
    ['page', 'search'],
  ],
]
/** A user who is not signed in is led to the login, except from the other screens of accounts. */
const SIGNED_OUT = /^\/auth\/(?!login)/.test(window.location.pathname) ? ['login', 'accounts'] : ['login']

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

/** The address of a call with what the screen's own asks for; none where the application reads that otherwise. */
const withAsked = (call: string, asked: readonly string[]): string | [] => {
  const given = new URLSearchParams(search)
  for (const [name, value] of given)
    if (!asked.includes(name) || !AS_IT_STANDS.test(`${name}=${value}`)) return []
  const [path, own] = call.split('?')
  const rest = new URLSearchParams(own)
  const query = new URLSearchParams()
  for (const name of [...asked, ...rest.keys()]) {
    const value = given.get(name) ?? rest.get(name)
    if (value !== null) query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query}` : call
}

const { pathname, search } = window.location
const token = localStorage.getItem('access_token')
const [address, chunks, calls, asked = []] = SCREENS.find(([address]) => address.test(pathname)) ?? []
if (token === null) {
  if (pathname !== '/privacy') loadChunks(SIGNED_OUT)
} else if (address && chunks && calls) {
  loadChunks(chunks)
  const first = calls.flatMap((call) => withAsked(pathname.replace(address, call), asked))
  startCalls(['/users/me/', ...first], token)
}

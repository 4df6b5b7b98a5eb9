import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { accounts, type Session } from '@kopilka/contract/accounts.ts'
import { API_PREFIX, type Endpoint, type ResponseOf } from '@kopilka/contract/endpoint.ts'
import type { LinkSave } from '@kopilka/contract/links.ts'
import { links } from '@kopilka/contract/links.ts'
import { type NoteSave, notes } from '@kopilka/contract/notes.ts'
import {
  type BrowserContext,
  test as base,
  expect,
  type Page,
  type Request,
  type Route,
} from '@playwright/test'
import { type RunningServer, startServer } from './server.ts'

export { expect }

interface Credentials {
  email: string
  password: string
}

/** A fresh account on the server of this worker, with a session of its own. */
export interface Account extends Credentials {
  session: Session
  addNote(note: Partial<NoteSave>): Promise<ResponseOf<typeof notes.create>>
  addLink(link: Partial<LinkSave>): Promise<ResponseOf<typeof links.create>>
}

/** Responses that wait until the test lets them through. */
export interface HeldResponses {
  /** The first request that was caught. */
  requested: Promise<Request>
  /** Lets every response through, those to come as well; resolves once all that waited were delivered. */
  release(): Promise<void>
}

interface Fixtures {
  /** A fresh account; the page is not signed in. */
  account: Account
  /** The account of the worker that tests only look at. */
  crowded: Crowded
  /** Registers one more account: on the server of this worker, or on the one at `address`. */
  register: (address?: string) => Promise<Account>
  /** Fills in the login form and sends it, on the page as it stands or where it is led to the form. */
  logIn: (credentials: Credentials, page?: Page) => Promise<void>
  /** Signs out by the menu. */
  logOut: (page?: Page) => Promise<void>
  /** The page of the fresh account, signed in. */
  signedIn: Page
  /** The form of a note whose text is large enough for the editor to hand it to the form in pauses of typing. */
  largeNote: Page
  /** Holds back the responses of the requests that match; what is held when the test ends is let through. */
  hold: (requests: string | RegExp, options?: { method?: string; page?: Page }) => Promise<HeldResponses>
  /** Starts one more server, with settings of its own; it stops when the test ends. */
  serve: (settings?: Record<string, string>) => Promise<RunningServer>
  /** Messages a test expects in the console: the browser reports each failed request there. */
  expectedInConsole: RegExp[]
  /** Watches every page a test opens, in whatever tab or context: an unexpected console message fails the test. */
  silentConsole: undefined
}

/** An account with one note and one link, both as long and wide as they may be, for tests that only look. */
export interface Crowded extends Account {
  note: ResponseOf<typeof notes.create>
  link: ResponseOf<typeof links.create>
}

interface WorkerFixtures {
  address: string
  crowdedAccount: Crowded
}

/** What Playwright says where it blocks service workers. */
const BLOCKED = /Service Worker registration blocked by Playwright/

/** A word that fits on no screen. */
export const LONG = 'Электрокардиографирование'.repeat(10)

/** Signs a page in without the login form: its tab starts with the tokens in the local storage. */
export async function signIn(page: Page, session: Session): Promise<void> {
  await page.addInitScript((pair) => {
    // Once for the tab: a later sign-out must not be undone by the next document.
    if (sessionStorage.getItem('was-signed-in')) return
    sessionStorage.setItem('was-signed-in', '1')
    for (const [key, token] of Object.entries(pair)) localStorage.setItem(key, token)
  }, session)
}

async function call<E extends Endpoint>(address: string, endpoint: E, body: unknown, token?: string) {
  const response = await fetch(`${address}${API_PREFIX}${endpoint.path}`, {
    method: endpoint.method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (response.status !== endpoint.status) throw new Error(`${endpoint.path}: ${response.status}`)
  return (await response.json()) as ResponseOf<E>
}

async function newAccount(address: string): Promise<Account> {
  const credentials = { email: `${randomUUID()}@example.org`, password: 'ключ от дачи' }
  await call(address, accounts.register, { first_name: 'Анна', last_name: 'Каренина', ...credentials })
  const session = await call(address, accounts.login, credentials)
  const token = session.access_token
  return {
    ...credentials,
    session,
    addNote: (note) =>
      call(address, notes.create, { title: 'Заметка', content: '<p>Текст</p>', ...note }, token),
    addLink: (link) =>
      call(
        address,
        links.create,
        { title: 'Ссылка', description: '<p>Текст</p>', url: 'https://example.org/', ...link },
        token,
      ),
  }
}

async function newCrowdedAccount(address: string): Promise<Crowded> {
  const account = await newAccount(address)
  const tags = [LONG.slice(0, 50), ...Array.from({ length: 49 }, (_, at) => `тег ${at}`)]
  const content = `<p>${LONG}</p><pre>${LONG}</pre><table><tbody><tr><td>${LONG}</td></tr></tbody></table>`
  const note = await account.addNote({ title: LONG, content, tags })
  const url = `https://${'x'.repeat(60)}.example/${LONG}`
  return { ...account, note, link: await account.addLink({ title: LONG, description: content, url, tags }) }
}

async function holdResponses(
  page: Page,
  requests: string | RegExp,
  method: string | undefined,
): Promise<HeldResponses> {
  const requested = Promise.withResolvers<Request>()
  const released = Promise.withResolvers<void>()
  const delivered: Promise<void>[] = []
  const deliver = async (route: Route) => {
    const response = await route.fetch()
    await released.promise
    await route.fulfill({ response })
  }
  await page.route(requests, async (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    requested.resolve(route.request())
    // The page may have given the request up meanwhile, or be closed: then there is nobody to deliver to.
    const done = deliver(route).catch(() => {})
    delivered.push(done)
    await done
  })
  return {
    requested: requested.promise,
    release: async () => {
      released.resolve()
      await Promise.all(delivered)
    },
  }
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  address: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server.address)
      await server.stop()
    },
    { scope: 'worker' },
  ],

  crowdedAccount: [async ({ address }, use) => use(await newCrowdedAccount(address)), { scope: 'worker' }],

  // Signed in again for each test: an access token lives 15 minutes, a worker longer.
  crowded: async ({ address, crowdedAccount }, use) => {
    const { email, password } = crowdedAccount
    await use({ ...crowdedAccount, session: await call(address, accounts.login, { email, password }) })
  },

  baseURL: async ({ address }, use) => use(address),

  // Where a page polls, a route handler may still run when the test ends: closing the page would make it throw.
  page: async ({ page }, use) => {
    await use(page)
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },

  account: async ({ address }, use) => use(await newAccount(address)),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
  expectedInConsole: async ({}, use) => use([]),

  silentConsole: [
    async ({ browser, expectedInConsole }, use) => {
      const said: string[] = []
      const watch = (context: BrowserContext) => {
        context.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
        context.on('weberror', (event) => said.push(`error: ${event.error().stack}`))
      }
      browser.on('context', watch)
      await use(undefined)
      browser.off('context', watch)
      const expected = [BLOCKED, ...expectedInConsole]
      expect(said.filter((line) => !expected.some((pattern) => pattern.test(line)))).toEqual([])
    },
    { auto: true },
  ],

  register: async ({ address }, use) => use((elsewhere = address) => newAccount(elsewhere)),

  logIn: async ({ page }, use) =>
    use(async ({ email, password }, at = page) => {
      const submit = at.getByRole('button', { name: 'Войти' })
      // The screen before it may have fields of the same names, and shows until this one has come.
      await expect(submit).toBeVisible()
      await at.getByLabel('Email').fill(email)
      await at.getByLabel(/^Пароль/).fill(password)
      await submit.click()
    }),

  logOut: async ({ page }, use) =>
    use(async (at = page) => {
      await at.getByRole('button', { name: 'Добавить или выйти' }).click()
      await at.getByRole('menuitem', { name: 'Выйти' }).click()
      await expect(at).toHaveURL(/\/auth\/login/)
    }),

  signedIn: async ({ page, account }, use) => {
    await signIn(page, account.session)
    await use(page)
  },

  largeNote: async ({ signedIn: page, account }, use) => {
    const { id } = await account.addNote({ content: `<p>${'много слов '.repeat(6_000)}</p>` })
    await page.goto(`/notes/${id}/edit`)
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await use(page)
  },

  hold: async ({ page }, use) => {
    const held: HeldResponses[] = []
    await use(async (requests, { method, page: at = page } = {}) => {
      const responses = await holdResponses(at, requests, method)
      held.push(responses)
      return responses
    })
    await Promise.all(held.map(({ release }) => release()))
  },

  serve: async ({ browser }, use) => {
    const servers: RunningServer[] = []
    await use(async (settings) => {
      const server = await startServer(settings)
      servers.push(server)
      return server
    })
    // A page that is still open says that the server is gone.
    for (const context of browser.contexts()) await Promise.all(context.pages().map((page) => page.close()))
    await Promise.all(servers.map((server) => server.stop()))
  },
})

/** axe finds nothing on the page as it stands, by the rules of WCAG 2.2 AA and its own best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  // What has just opened begins to fade in with one of the next frames.
  await nextPaint(page)
  // Colours on their way are no colours to judge.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  )
  const { violations } = await new AxeBuilder({ page }).analyze()
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`,
  )
  expect(found).toEqual([])
}

/** Nothing sticks out of the page sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(width[0]).toBeLessThanOrEqual(width[1] ?? 0)
}

/** Where the messages of the snackbar appear. */
export const snackbar = (page: Page) => page.getByRole('region', { name: /^(?:Сообщения|Messages)$/ })

/** One message of the snackbar. */
export const message = (page: Page, text: string) => snackbar(page).getByText(text, { exact: true })

/** The drafts in the browser's database, as JSON. */
export const storedDrafts = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('kopilka-drafts')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('drafts')) return resolve('')
          const reading = database.transaction('drafts').objectStore('drafts').getAll()
          reading.onerror = () => reject(reading.error)
          reading.onsuccess = () => {
            database.close()
            resolve(JSON.stringify(reading.result))
          }
        }
      }),
  )

/** Resolves once the page has painted what it knows by now. */
export const nextPaint = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  )

/** Aborts every request for assets that the page has not made by now: what is loaded lazily does not come. */
export async function abortLazyAssets(page: Page): Promise<void> {
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  await page.route('**/assets/**', (route) =>
    loaded.includes(route.request().url()) ? route.continue() : route.abort(),
  )
}

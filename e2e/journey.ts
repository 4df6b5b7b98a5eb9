import { randomUUID } from 'node:crypto'
import { AxeBuilder } from '@axe-core/playwright'
import { accounts, type Session } from '@kopilka/contract/accounts.ts'
import { API_PREFIX, type Endpoint, type ResponseOf } from '@kopilka/contract/endpoint.ts'
import type { LinkSave } from '@kopilka/contract/links.ts'
import { links } from '@kopilka/contract/links.ts'
import { type NoteSave, notes } from '@kopilka/contract/notes.ts'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { startServer } from './server.ts'

export { expect }

/** Someone nobody else knows, with an account on the server of this run. */
export interface Account {
  email: string
  password: string
  session: Session
  addNote(note: Partial<NoteSave>): Promise<ResponseOf<typeof notes.create>>
  addLink(link: Partial<LinkSave>): Promise<ResponseOf<typeof links.create>>
}

interface Fixtures {
  /** A fresh account; the page is not signed in. */
  account: Account
  /** The page of the fresh account, signed in. */
  signedIn: Page
  /** Messages a test expects in the console: the browser reports each failed request there. */
  expectedInConsole: RegExp[]
  /** Every page a test opens is watched, in whatever tab or context: what it says without being expected fails the test. */
  silentConsole: undefined
}

/** Someone with one note and one link, both as long and wide as they may be, for tests that only look. */
export interface Crowded extends Account {
  note: ResponseOf<typeof notes.create>
  link: ResponseOf<typeof links.create>
}

interface WorkerFixtures {
  address: string
  crowded: Crowded
}

/** A word that fits on no screen. */
export const LONG = 'Электрокардиографирование'.repeat(10)

/** Signs a page in without the login screen, as a browser that was signed in before. */
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

async function crowdedAccount(address: string): Promise<Crowded> {
  const account = await newAccount(address)
  const tags = [LONG.slice(0, 50), ...Array.from({ length: 49 }, (_, at) => `тег ${at}`)]
  const content = `<p>${LONG}</p><pre>${LONG}</pre><table><tbody><tr><td>${LONG}</td></tr></tbody></table>`
  const note = await account.addNote({ title: LONG, content, tags })
  const url = `https://${'x'.repeat(60)}.example/${LONG}`
  return { ...account, note, link: await account.addLink({ title: LONG, description: content, url, tags }) }
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

  crowded: [async ({ address }, use) => use(await crowdedAccount(address)), { scope: 'worker' }],

  baseURL: async ({ address }, use) => use(address),

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
      expect(said.filter((line) => !expectedInConsole.some((expected) => expected.test(line)))).toEqual([])
    },
    { auto: true },
  ],

  signedIn: async ({ page, account }, use) => {
    await signIn(page, account.session)
    await use(page)
  },
})

/** axe finds nothing on the page as it stands, by the rules of WCAG 2.2 AA and its own best practices. */
export async function expectAccessible(page: Page): Promise<void> {
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

/** The snackbar's message. */
export const message = (page: Page, text: string) =>
  page.getByRole('alert').or(page.getByRole('status')).getByText(text, { exact: true })

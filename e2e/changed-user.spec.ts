import { randomUUID } from 'node:crypto'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { chromium, type Page } from '@playwright/test'
import { expect, test } from './journey.ts'

const stranger = async (address: string) => {
  const credentials = { email: `${randomUUID()}@example.org`, password: 'чужой ключ' }
  for (const { path } of [accounts.register, accounts.login]) {
    const response = await fetch(`${address}${API_PREFIX}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ first_name: 'Борис', last_name: 'Друбецкой', ...credentials }),
    })
    expect(response.ok).toBe(true)
  }
  return credentials
}

const signIn = async (page: Page, { email, password }: { email: string; password: string }) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Пароль/).fill(password)
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL('/home')
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
}

const expectNothingOf = async (page: Page, email: string) => {
  await expect(page).toHaveURL('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expect(page.getByText('Дневник Анны')).toBeHidden()
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(page.getByRole('dialog').getByText(email)).toBeVisible()
}

/** As a page that lay frozen: it hears nothing of other tabs. */
const hearNothing = (page: Page) =>
  page.addInitScript(() => {
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true })
  })

test('who comes back to a frozen page after someone else has signed in sees nothing of the other', async ({
  signedIn: page,
  account,
  address,
  context,
}) => {
  const { id } = await account.addNote({ title: 'Дневник Анны' })
  const other = await stranger(address)
  await hearNothing(page)
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: 'Дневник Анны' })).toBeVisible()

  const second = await context.newPage()
  await second.goto('/home')
  await signOut(second)
  await signIn(second, other)
  await expect(page.getByRole('heading', { name: 'Дневник Анны' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expectNothingOf(page, other.email)
})

test('who comes back to a frozen page after a sign-out signs in first', async ({
  signedIn: page,
  account,
  context,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  await hearNothing(page)
  await page.goto('/home')
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/home')
  await signOut(second)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByText('Дневник Анны')).toBeHidden()
})

test('tokens of someone else that arrive in one go take the screen with them', async ({
  signedIn: page,
  account,
  address,
  context,
  browser,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  const other = await stranger(address)
  const elsewhere = await browser.newPage({ baseURL: address, locale: 'ru-RU' })
  await elsewhere.goto('/auth/login')
  await signIn(elsewhere, other)
  const tokens = await elsewhere.evaluate(() => ({
    refresh_token: localStorage.getItem('refresh_token') ?? '',
    access_token: localStorage.getItem('access_token') ?? '',
  }))
  await elsewhere.close()

  await page.goto('/home')
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/privacy')
  await second.evaluate((pair) => {
    for (const [key, token] of Object.entries(pair)) localStorage.setItem(key, token)
  }, tokens)
  await expectNothingOf(page, other.email)
})

test('the browser’s back to a page it kept whole shows nothing of who was signed in before', async ({
  account,
  address,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  const other = await stranger(address)
  const { executablePath, args = [] } = test.info().project.use.launchOptions ?? {}
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context = await browser.newContext({ baseURL: address, locale: 'ru-RU' })
  const page = await context.newPage()
  await page.goto('/auth/login')
  await signIn(page, account)
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  await page.evaluate(() =>
    window.addEventListener('pageshow', ({ persisted }) => sessionStorage.setItem('kept', String(persisted))),
  )
  await page.goto('data:text/html,elsewhere')
  const second = await context.newPage()
  await second.goto('/home')
  await signOut(second)
  await signIn(second, other)
  await page.goBack()
  await expectNothingOf(page, other.email)
  expect(await page.evaluate(() => sessionStorage.getItem('kept'))).toBe('true')
  await browser.close()
})

test('a renewal in another tab leaves the screen as it is', async ({
  signedIn: page,
  account,
  context,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  await account.addNote({ title: 'Дневник Анны' })
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Недописанное')
  const second = await context.newPage()
  await second.route('**/api/v1/**', (route) =>
    route.request().headers().authorization === `Bearer ${account.session.access_token}`
      ? route.fulfill({ status: 401, json: {} })
      : route.continue(),
  )
  const checked = page.waitForResponse((response) => response.url().endsWith('/users/me/'))
  await second.goto('/home')
  await expect(second.getByText('Дневник Анны')).toBeVisible()
  await checked
  await expect(page).toHaveURL('/notes/add')
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')
})

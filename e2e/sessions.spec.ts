import type { Session } from '@kopilka/contract/accounts.ts'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/find-chromium.mjs'
import { expect, expectAccessible, message, test } from './fixtures.ts'

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
  context,
  logIn,
  logOut,
  register,
}) => {
  const { id } = await account.addNote({ title: 'Дневник Анны' })
  const other = await register()
  await hearNothing(page)
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: 'Дневник Анны' })).toBeVisible()

  const second = await context.newPage()
  await second.goto('/home')
  await logOut(second)
  await logIn(other, second)
  await expect(second).toHaveURL('/home')
  await expect(page.getByRole('heading', { name: 'Дневник Анны' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expectNothingOf(page, other.email)
})

test('who comes back to a frozen page after a sign-out signs in first', async ({
  signedIn: page,
  account,
  context,
  logOut,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  await hearNothing(page)
  await page.goto('/home')
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  const second = await context.newPage()
  await second.goto('/home')
  await logOut(second)
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
  logIn,
  register,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  const other = await register()
  const elsewhere = await browser.newPage({ baseURL: address, locale: 'ru-RU' })
  await elsewhere.goto('/auth/login')
  await logIn(other, elsewhere)
  await expect(elsewhere).toHaveURL('/home')
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
  logIn,
  logOut,
  register,
}) => {
  await account.addNote({ title: 'Дневник Анны' })
  const other = await register()
  const { args = [] } = test.info().project.use.launchOptions ?? {}
  // The headless shell keeps no page whole.
  const executablePath = findChromium({ fullBrowser: true })?.executablePath
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const context = await browser.newContext({ baseURL: address, locale: 'ru-RU' })
  const page = await context.newPage()
  await page.goto('/auth/login')
  await logIn(account, page)
  await expect(page.getByText('Дневник Анны')).toBeVisible()
  // The browser keeps no page whole that still waits for a response.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('profile'))).not.toBeNull()
  await page.evaluate(() =>
    window.addEventListener('pageshow', ({ persisted }) => sessionStorage.setItem('kept', String(persisted))),
  )
  await page.goto('data:text/html,elsewhere')
  const second = await context.newPage()
  await second.goto('/home')
  await logOut(second)
  await logIn(other, second)
  await expect(second).toHaveURL('/home')
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

test('an access token that has run out is renewed without a word, once for all that need it', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  await account.addNote({ title: 'Видна' })
  let renewals = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/token/refresh/')) renewals += 1
  })
  await page.route('**/api/v1/**', async (route) => {
    const token = route.request().headers().authorization
    // The response to the first token says that it has expired.
    if (token === `Bearer ${account.session.access_token}`) {
      return route.fulfill({ status: 401, json: { detail: 'Необходимо авторизоваться.' } })
    }
    return route.continue()
  })
  await page.goto('/home')
  await expect(page.getByText('Видна')).toBeVisible()
  expect(renewals).toBe(1)
  await expect(page).toHaveURL('/home')
})

test('tabs that renew one after the other, each with half of what the other has stored, stay signed in', async ({
  signedIn: page,
  account,
  address,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  await account.addNote({ title: 'Видна' })
  const renew = async ({ refresh_token }: Session): Promise<Session> => {
    const body = JSON.stringify({ refresh_token })
    const headers = { 'content-type': 'application/json' }
    return (await fetch(`${address}/api/v1/auth/token/refresh/`, { method: 'POST', headers, body })).json()
  }
  // Local storage reaches another tab key by key: of what the first has stored this one sees the refresh token alone.
  const first = await renew(account.session)
  await page.goto('/privacy')
  await page.evaluate((token) => localStorage.setItem('refresh_token', token), first.refresh_token)
  await page.route('**/auth/token/refresh/', async (route) => {
    await page.evaluate((token) => localStorage.setItem('access_token', token), first.access_token)
    await route.continue()
  })
  await page.goto('/home')
  await expect(page.getByText('Видна')).toBeVisible()

  // The other tab renews once more before this one asks again with the pair it has just received.
  await page.unroute('**/auth/token/refresh/')
  await page.goto('/privacy')
  await page.evaluate(() => localStorage.setItem('access_token', 'dead'))
  let renewals = 0
  await page.route('**/auth/token/refresh/', async (route) => {
    renewals += 1
    const response = await route.fetch()
    const pair: Session = await response.json()
    if (renewals === 1) await renew(pair)
    await route.fulfill({ response })
  })
  await page.goto('/notes')
  await expect(page.getByText('Видна')).toBeVisible()
  expect(renewals).toBe(2)
})

test('a sign-in that has ended elsewhere: message, login, and back', async ({
  signedIn: page,
  account,
  address,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  await page.goto('/notes')
  await expect(page.getByRole('heading', { name: 'Заметки' })).toBeVisible()
  await fetch(`${address}/api/v1/auth/logout/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.session.access_token}` },
  })
  await page.getByLabel('Поиск по заметкам').fill('ёлка')
  await page.keyboard.press('Enter')
  await expect(message(page, 'Необходимо авторизоваться.')).toBeVisible()
  await expect(page).toHaveURL(/\/auth\/login\?redirect=%2Fnotes/)
})

test('what is typed into a short form is there again after the sign-in, unless it was given up', async ({
  signedIn: page,
  account,
  address,
  expectedInConsole,
  logIn,
}) => {
  expectedInConsole.push(/status of 40[01]/)
  const { tags } = await account.addNote({ title: 'С категорией', tags: ['огород'] })
  await page.goto('/profile')
  await page.getByLabel('Имя').fill('Набранное')
  await page.getByRole('link', { name: 'Копилка' }).first().click()
  await page.getByRole('button', { name: 'Уйти' }).click()
  await page.goto('/profile')
  await expect(page.getByLabel('Имя')).toHaveValue('Анна')
  await page.getByLabel('Имя').fill('Аннушка')
  await fetch(`${address}/api/v1/auth/logout/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.session.access_token}` },
  })
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  await expect(page).toHaveURL(/\/auth\/login/)
  await logIn(account)
  await expect(page).toHaveURL('/profile')
  await expect(page.getByLabel('Имя')).toHaveValue('Аннушка')
  await page.getByRole('button', { name: 'Обновить профиль' }).click()
  await expect(message(page, 'Профиль успешно обновлен.')).toBeVisible()

  await page.goto(`/tags/${tags[0]?.id}/edit/`)
  await page.getByLabel('Название Тега').fill('сад и огород')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByLabel('Название Тега')).toHaveValue('сад и огород')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('heading', { name: 'сад и огород', level: 1 })).toBeVisible()
})

test('signing out in one tab signs out the other', async ({ signedIn: page, context, logOut }) => {
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/notes')
  await expect(other.getByRole('heading', { name: 'Заметки' })).toBeVisible()
  await logOut()
  await expect(other).toHaveURL(/\/auth\/login/)
})

test('signing out ends the sign-in on the server even where the access token has run out', async ({
  signedIn: page,
  account,
  address,
  logOut,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  const authorization = `Bearer ${account.session.access_token}`
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  // For the browser the token has run out, for the test it has not: it asks whether the sign-in lives.
  await page.route('**/api/v1/**', (route) =>
    route.request().headers().authorization === authorization
      ? route.fulfill({ status: 401, json: {} })
      : route.continue(),
  )
  const ask = async () => (await fetch(`${address}/api/v1/users/me/`, { headers: { authorization } })).status
  expect(await ask()).toBe(200)
  await logOut()
  await expect.poll(ask).toBe(401)
  expect(await page.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('access_token')
})

test.describe('only a 401 ends a session', () => {
  test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/Failed to load resource/))

  test('a network that fails after minutes of reading signs nobody out', async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Долгое чтение', content: '<p>До самого конца</p>' })
    await page.clock.install()
    await page.goto('/notes')
    await expect(page.getByRole('article')).toContainText('Долгое чтение')
    await page.clock.fastForward('06:00')
    // No profile that was stored stands in for the one of this page.
    await page.evaluate(() => localStorage.removeItem('profile'))
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, json: {} }))
    await page.getByRole('link', { name: 'Открыть заметку «Долгое чтение»' }).click()
    const retry = page.getByRole('button', { name: 'Повторить' })
    // Longer than a profile is asked for before the user is signed out.
    for (let tries = 0; tries < 5; tries += 1) await page.clock.runFor(4_000)
    await expect(retry).toBeVisible()
    await expect(page).toHaveURL(/\/notes\/[\w-]+$/)
    await page.unroute('**/api/**')
    await retry.click()
    await expect(page.getByText('До самого конца')).toBeVisible()
  })

  test('a profile that does not load is requested again, at once on demand', async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Видна' })
    const asked = Promise.withResolvers<void>()
    let tries = 0
    // The second try gets no response: only the button can make a third.
    await page.route('**/api/v1/users/me/', async (route) => {
      tries += 1
      if (tries === 1) await route.fulfill({ status: 503, json: {} })
      else if (tries === 2) asked.resolve()
      else await route.continue()
    })
    await page.goto('/notes')
    const notice = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить профиль.' })
    await expect(notice).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Видна')
    await asked.promise
    await expectAccessible(page)
    await notice.getByRole('button', { name: 'Повторить' }).click()
    await expect(notice).toBeHidden()
    await expect(page).toHaveURL('/notes')
  })

  test('a page left open with the stored profile requests it again', async ({ signedIn: page, account }) => {
    await account.addNote({ title: 'Видна' })
    await page.goto('/notes')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('profile'))).not.toBeNull()
    await page.clock.install()
    await page.route('**/api/v1/users/me/', (route) => route.fulfill({ status: 503, json: {} }))
    const failed = page.waitForResponse('**/api/v1/users/me/')
    await page.reload()
    expect((await failed).status()).toBe(503)
    await expect(page.getByRole('article')).toContainText('Видна')
    await page.unroute('**/api/v1/users/me/')
    let status = 0
    page.on('response', (response) => {
      if (response.url().includes('/users/me/')) status = response.status()
    })
    // The page may still be at the first response: then its time begins later.
    await expect(async () => {
      await page.clock.fastForward(31_000)
      expect(status).toBe(200)
    }).toPass()
  })

  for (const status of [503, 429, 403])
    test(`a ${status} in place of the profile leaves the one that is known, which is asked for again`, async ({
      signedIn: page,
      account,
    }) => {
      await account.addNote({ title: 'Видна' })
      await page.goto('/notes')
      await expect(page.getByRole('article')).toContainText('Видна')
      await expect.poll(() => page.evaluate(() => localStorage.getItem('profile'))).not.toBeNull()
      await page.route('**/api/v1/users/me/', (route) => route.fulfill({ status, json: {} }))
      await page.reload()
      await expect(page.getByRole('article')).toContainText('Видна')
      const menu = page.getByRole('button', { name: 'Открыть меню' })
      await menu.click()
      await expect(page.getByRole('dialog').getByText(account.email)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
      await page.unroute('**/api/v1/users/me/')
      const asked = page.waitForResponse('**/api/v1/users/me/')
      await page.keyboard.press('n')
      expect((await asked).status()).toBe(200)
      await expect(page.getByLabel('Название')).toBeFocused()
    })

  test('a proxy that fails for the profile alone does not hide that, nor the way to try again', async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Видна' })
    let tries = 0
    // The second try gets no response: only the button can make a third.
    await page.route('**/api/v1/users/me/', async (route) => {
      tries += 1
      if (tries === 1)
        await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
      else if (tries > 2) await route.continue()
    })
    await page.goto('/notes')
    const notice = page.getByRole('alert').filter({ hasText: 'Не удалось загрузить профиль.' })
    const retry = notice.getByRole('button', { name: 'Повторить' })
    await expect(retry).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Видна')
    await expect.poll(() => tries).toBe(2)
    await retry.click()
    await expect(notice).toBeHidden()
    await expect(page).toHaveURL('/notes')
  })

  test('a user whose profile never loaded is signed out after the last try', async ({ signedIn: page }) => {
    await page.clock.install()
    let tries = 0
    await page.route('**/api/v1/users/me/', (route) => {
      tries += 1
      return route.fulfill({ status: 503, json: {} })
    })
    await page.goto('/notes')
    // Before the first one a step of seconds could bring two at once.
    await expect.poll(() => tries).toBeGreaterThan(0)
    for (const seconds of [1, 2, 4]) {
      const before = tries
      await expect(page).toHaveURL('/notes')
      await page.clock.runFor(seconds * 1_000)
      await expect.poll(() => tries).toBe(before + 1)
    }
    await expect(page).toHaveURL('/auth/login?redirect=%2Fnotes')
  })
})

test('a profile that the server refuses for a time is asked for again after that time', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 429/)
  await page.clock.install()
  let tries = 0
  await page.route('**/api/v1/users/me/', (route) => {
    tries += 1
    return tries > 1
      ? route.continue()
      : route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: {} })
  })
  await page.goto('/notes')
  await expect(page.getByRole('alert').filter({ hasText: 'Вы превысили лимит запросов.' })).toBeVisible()
  // All three tries would be over.
  await page.clock.runFor(20_000)
  expect(tries).toBe(1)
  await page.clock.runFor(21_000)
  await expect.poll(() => tries).toBe(2)
  await expect(page.getByRole('alert').filter({ hasText: 'Вы превысили лимит' })).toBeHidden()
  await expect(page).toHaveURL('/notes')
})

test('a list is fetched again once the connection is back', async ({
  signedIn: page,
  account,
  context,
  expectedInConsole,
}) => {
  // What a page loads some seconds after it opened may be on its way when the connection breaks.
  expectedInConsole.push(/ERR_INTERNET_DISCONNECTED/)
  await account.addNote({ title: 'Первая' })
  await page.clock.install()
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.clock.fastForward('01:00')
  await context.setOffline(true)
  await account.addNote({ title: 'Вторая' })
  await context.setOffline(false)
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('an item is fetched again once the connection is back', async ({
  signedIn: page,
  account,
  address,
  context,
  expectedInConsole,
}) => {
  expectedInConsole.push(/ERR_INTERNET_DISCONNECTED/)
  const { id } = await account.addNote({ title: 'Прежнее имя' })
  await page.clock.install()
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: 'Прежнее имя' })).toBeVisible()
  await page.clock.fastForward('01:00')
  await context.setOffline(true)
  await fetch(`${address}/api/v1/notes/${id}/`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${account.session.access_token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title: 'Новое имя', content: '<p>Текст</p>' }),
  })
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Новое имя' })).toBeVisible()
})

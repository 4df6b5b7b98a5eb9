import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, test } from './journey.ts'

const snackbar = (page: Page, text: string) => page.locator('[data-colour="error"]', { hasText: text })
const retry = (page: Page) => page.getByRole('button', { name: 'Повторить' })

/** Answers calls of one method with a failure from now on. */
const fail = (page: Page, calls: string, { method = 'GET', status = 500, json = {} } = {}) =>
  page.route(calls, (route) =>
    route.request().method() === method ? route.fulfill({ status, json }) : route.fallback(),
  )

test.describe('who tells of a failure', () => {
  test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/status of (?:4\d\d|500)/))

  for (const [screen, path, calls, sentence] of [
    ['the notes', '/notes', '**/api/v1/notes/?**', 'Ошибка при загрузке заметок.'],
    ['home', '/home', '**/api/v1/latest/**', 'Внутренняя ошибка сервера'],
    ['a search', '/home?search=ёлк', '**/api/v1/search/**', 'Произошла ошибка при поиске.'],
  ] as const) {
    test(`${screen}: a snackbar says it, the screen only offers to try again`, async ({
      signedIn: page,
      account,
    }) => {
      await account.addNote({ title: 'Про ёлку' })
      await fail(page, calls)
      await page.goto(path)
      await expect(snackbar(page, sentence)).toBeVisible()
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expectAccessible(page)
      await page.unroute(calls)
      await retry(page).click()
      await expect(page.getByRole('article')).toContainText('Про ёлку')
      await expect(retry(page)).toBeHidden()
      await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
      await expect(snackbar(page, sentence)).toBeHidden({ timeout: 2_000 })
    })
  }

  test('the links: an alert that can be dismissed says it, no snackbar repeats it', async ({
    signedIn: page,
  }) => {
    await fail(page, '**/api/v1/urllinks/?**')
    await page.goto('/url-links')
    await expect(page.getByText('Ошибка при загрузке ссылок.')).toHaveCount(1)
    await expect(snackbar(page, 'Ошибка при загрузке ссылок.')).toBeHidden()
    await page.getByRole('button', { name: 'Закрыть сообщение' }).click()
    await expect(page.getByText('Ошибка при загрузке ссылок.')).toBeHidden()
    await expect(retry(page)).toBeVisible()
  })

  test('a note and a link: a snackbar; the form of a link: an alert', async ({ signedIn: page, account }) => {
    const note = await account.addNote({})
    const link = await account.addLink({})
    await fail(page, '**/api/v1/{notes,urllinks}/*/')
    for (const [path, sentence, inSnackbar] of [
      [`/notes/${note.id}`, 'Не удалось загрузить заметку.', true],
      [`/notes/${note.id}/edit`, 'Не удалось загрузить заметку.', true],
      [`/urllinks/${link.id}`, 'Не удалось загрузить ссылку.', true],
      [`/urllinks/${link.id}/edit`, 'Не удалось загрузить ссылку.', false],
    ] as const) {
      await page.goto(path)
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expect(snackbar(page, sentence)).toBeVisible({ visible: inSnackbar })
      await expect(retry(page)).toBeVisible()
    }
    await expectAccessible(page)
  })

  test('a save that fails: of a note in a snackbar, of a link in an alert', async ({
    signedIn: page,
    account,
  }) => {
    const note = await account.addNote({})
    const link = await account.addLink({})
    await fail(page, '**/api/v1/{notes,urllinks}/*/', { method: 'PUT' })
    for (const [path, sentence, inSnackbar] of [
      [`/notes/${note.id}/edit`, 'Не удалось сохранить заметку.', true],
      [`/urllinks/${link.id}/edit`, 'Не удалось сохранить ссылку.', false],
    ] as const) {
      await page.goto(path)
      await page.getByLabel('Название').fill('Не потеряйся')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(page.getByText(sentence)).toHaveCount(1)
      await expect(snackbar(page, sentence)).toBeVisible({ visible: inSnackbar })
      await expect(page.getByLabel('Название')).toHaveValue('Не потеряйся')
    }
  })

  test('an item that is not there: the server’s words under the heading', async ({ signedIn: page }) => {
    await page.goto('/notes/01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
    await expect(page.getByRole('heading', { name: 'Заметка не найдена' })).toBeVisible()
    await expect(page.getByText('Возможно, её уже удалили.')).toHaveCount(1)
    await fail(page, '**/api/v1/urllinks/*/', { status: 404 })
    await page.goto('/urllinks/01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
    await expect(page.getByRole('heading', { name: 'Ссылка не найдена' })).toBeVisible()
    await expect(page.getByText('Не удалось загрузить ссылку.')).toHaveCount(1)
  })

  test('a message of an error goes once something succeeds', async ({ page, account }) => {
    const wrong = 'Неверный email или пароль.'
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel(/^Пароль/).fill('не тот')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(snackbar(page, wrong)).toBeVisible()
    await page.getByRole('link', { name: 'Забыли пароль?' }).click()
    await page.getByLabel('Email').fill(account.email)
    await page.getByRole('button', { name: 'Отправить ссылку для сброса' }).click()
    await expect(message(page, 'Письмо для сброса пароля отправлено. Проверьте ваш email.')).toBeVisible()
    await expect(snackbar(page, wrong)).toBeHidden({ timeout: 2_000 })

    await page.getByRole('link', { name: 'Вход' }).click()
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel(/^Пароль/).fill('опять не тот')
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(snackbar(page, wrong)).toBeVisible()
    await page.getByLabel(/^Пароль/).fill(account.password)
    await page.getByRole('button', { name: 'Войти' }).click()
    await expect(page).toHaveURL('/home')
    await expect(snackbar(page, wrong)).toBeHidden({ timeout: 2_000 })
  })

  test('signing out ends the sign-in on the server even where the access token has run out', async ({
    signedIn: page,
    account,
    address,
  }) => {
    const authorization = `Bearer ${account.session.access_token}`
    await page.goto('/home')
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    // For the browser the token has run out, for the test it has not: it asks whether the sign-in lives.
    await page.route('**/api/v1/**', (route) =>
      route.request().headers().authorization === authorization
        ? route.fulfill({ status: 401, json: {} })
        : route.continue(),
    )
    const ask = async () =>
      (await fetch(`${address}/api/v1/users/me/`, { headers: { authorization } })).status
    expect(await ask()).toBe(200)
    await page.getByRole('button', { name: 'Добавить или выйти' }).click()
    await page.getByRole('menuitem', { name: 'Выйти' }).click()
    await expect(page).toHaveURL('/auth/login')
    await expect.poll(ask).toBe(401)
    expect(await page.evaluate(() => ({ ...localStorage }))).not.toHaveProperty('access_token')
  })
})

test('an address without an id says that it is missing and leads to the list', async ({ signedIn: page }) => {
  for (const [path, sentence, toList, list] of [
    ['/notes//edit', 'Нет идентификатора заметки.', 'К списку заметок', '/notes'],
    ['/urllinks//edit', 'Нет идентификатора ссылки.', 'К списку ссылок', '/url-links'],
    ['/tags//edit/', 'Нет идентификатора тега.', 'К списку категорий', '/tags'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(sentence)).toBeVisible()
    await expectAccessible(page)
    await page.goto('/home')
    await page.evaluate((path) => window.history.pushState(null, '', path), path)
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('link', { name: toList }).click()
    await expect(page).toHaveURL(list)
  }
})

test('of many tags in a row the rest are one link away', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({
    title: 'Со всем',
    tags: Array.from({ length: 12 }, (_, at) => `тег ${at}`),
  })
  await page.goto('/notes')
  await page.getByRole('link', { name: 'Ещё 2. Открыть заметку «Со всем»' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(page.getByRole('link', { name: 'тег 11' })).toBeVisible()
})

import { randomUUID } from 'node:crypto'
import { findChromium } from '../scripts/find-chromium.mjs'
import { expect, message, test } from './fixtures.ts'

const NAME = 'kopilka.example'
const chromium = findChromium()

// Over plain http a browser trusts localhost alone: elsewhere there are no locks, no random UUIDs and no clipboard.
test.use({
  launchOptions: {
    ...(chromium?.executablePath !== undefined && { executablePath: chromium.executablePath }),
    args: [...(chromium?.args ?? []), '--disable-quic', `--host-resolver-rules=MAP ${NAME} 127.0.0.1`],
  },
  baseURL: async ({ address }, use) => use(address.replace(/127\.0\.0\.1|localhost/, NAME)),
})

test('on a name of the local network, without https, everything works', async ({
  page,
  logIn,
  logOut,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 401/)
  const credentials = { email: `${randomUUID()}@example.org`, password: 'братья карамазовы' }
  await page.goto('/auth/registration')
  expect(await page.evaluate(() => [window.isSecureContext, location.hostname])).toEqual([false, NAME])
  await page.getByLabel('Имя').fill('Фёдор')
  await page.getByLabel('Фамилия').fill('Достоевский')
  await page.getByLabel('Email').fill(credentials.email)
  await page.getByLabel('Password').fill(credentials.password)
  await page.getByRole('button', { name: 'Зарегистрироваться' }).click()
  await expect(page).toHaveURL('/auth/login')
  await logIn(credentials)
  await expect(page).toHaveURL('/home')

  for (const [add, title, body, added] of [
    ['/notes/add', 'Борщ', 'Содержание', 'Заметка успешно добавлена!'],
    ['/urllinks/add', 'Рецепты борща', 'Описание', 'Ссылка успешно добавлена!'],
  ] as const) {
    await page.goto(add)
    await page.getByLabel('Название').fill(title)
    if (add === '/urllinks/add') await page.getByLabel('URL').fill('https://example.org/')
    await page.getByRole('textbox', { name: body }).click()
    await page.keyboard.type('Свёкла и капуста')
    await page.getByRole('combobox', { name: 'Теги' }).fill('суп')
    await page.getByRole('combobox', { name: 'Теги' }).press('Enter')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(message(page, added)).toBeVisible()
  }

  // Two tabs renew the same dead token, without a lock between them.
  const dead = await page.evaluate(() => localStorage.getItem('access_token'))
  const second = await page.context().newPage()
  for (const tab of [page, second]) {
    await tab.route('**/api/v1/**', (route) =>
      route.request().headers().authorization === `Bearer ${dead}`
        ? route.fulfill({ status: 401, json: {} })
        : route.continue(),
    )
  }
  await Promise.all([page.goto('/home?search=свекла'), second.goto('/notes')])
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(second.getByRole('article')).toContainText('Борщ')
  await logOut()
})

import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, LONG, message } from './fixtures.ts'
import { test } from './site.ts'

/** The status of a call made with a token. */
const statusWith = async (page: Page, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await page.request.get('/api/v1/notes/', { headers })).status()
}

for (const width of [1280, 390]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('a token is made, shown once, seen at work, and revoked', async ({ signedIn: page }) => {
      await page.goto('/profile')
      await page.getByRole('link', { name: 'Программы' }).click()
      await expect(page.getByText('Пока ни одного ключа')).toBeVisible()
      await page.getByLabel('Название программы').fill('Читалка')
      await page.getByRole('radio', { name: 'Читать', exact: true }).check()
      await page.getByRole('radio', { name: 'Месяц', exact: true }).check()
      await page.getByRole('button', { name: 'Создать ключ' }).click()
      await expect(page.getByText('Ключ «Читалка» создан')).toBeVisible()
      const token = await page.getByRole('textbox', { name: 'Ключ', exact: true }).inputValue()
      expect(token).toMatch(/^kop_/)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      const row = page.getByRole('listitem').filter({ hasText: 'Читалка' })
      await expect(row).toContainText(/Читать · Создан .* · действует до .* · ещё не использовался/)
      expect(await statusWith(page, token)).toBe(200)

      await page.reload()
      await expect(row).toContainText(/использован .* с адреса/)
      await expect(page.getByText(token)).toHaveCount(0)
      await page.getByRole('button', { name: 'Отозвать ключ «Читалка»' }).click()
      await expect(page.getByRole('dialog')).toContainText('сразу потеряет доступ')
      await expectAccessible(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Отозвать' }).click()
      await expect(message(page, 'Ключ «Читалка» отозван.')).toBeVisible()
      await expect(page.getByText('Пока ни одного ключа')).toBeVisible()
      expect(await statusWith(page, token)).toBe(401)
    })
  })
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the buttons that copy stay within the screen under a long name', async ({ signedIn: page }) => {
    await page.goto('/profile/programs')
    await page.getByLabel('Название программы').fill(LONG.slice(0, 75))
    await page.getByRole('button', { name: 'Создать ключ' }).click()
    const box = await page.getByRole('button', { name: 'Скопировать: Ключ' }).boundingBox()
    expect(box && box.x + box.width).toBeLessThan(390)
  })
})

test('a token of the feed comes with the address to subscribe to, and is copied in one press', async ({
  signedIn: page,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/profile/programs')
  await page.getByLabel('Название программы').fill('Лента')
  await page.getByRole('radio', { name: 'Лента' }).check()
  await page.getByRole('button', { name: 'Создать ключ' }).click()
  const address = await page.getByRole('textbox', { name: 'Адрес ленты' }).inputValue()
  expect(address).toMatch(/\/feed\.xml\?token=kop_/)
  await page.getByRole('button', { name: 'Скопировать: Адрес ленты' }).click()
  await expect(message(page, 'Скопировано.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address)
})

test('a name is asked for, and the server’s refusal is said', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  await page.goto('/profile/programs')
  await page.getByRole('button', { name: 'Создать ключ' }).click()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await page.route('**/api/v1/tokens/', (route) => route.fulfill({ status: 500, json: {} }))
  await page.getByLabel('Название программы').fill('Читалка')
  await page.getByRole('button', { name: 'Создать ключ' }).click()
  await expect(message(page, 'Не удалось создать ключ.')).toBeVisible()
})

test('the bookmarklet brings address, title and selection of any page to the form', async ({
  signedIn: page,
  address,
  site,
}) => {
  await page.goto('/profile/programs')
  const bookmarklet = page.getByRole('link', { name: 'Сохранить в Копилку' })
  await bookmarklet.click()
  await expect(
    message(page, 'Перетащите кнопку на панель закладок: здесь её нажимать незачем.'),
  ).toBeVisible()
  const program = (await bookmarklet.getAttribute('href'))?.replace(/^javascript:/, '') ?? ''
  const other = await page.context().newPage()
  await other.goto(`${site.url}coffee?a=1&b=2`)
  await other.evaluate(() => {
    document.body.textContent = 'Зёрна & вода'
    getSelection()?.selectAllChildren(document.body)
  })
  const opened = page.context().waitForEvent('page')
  // What a browser does with a bookmark that is a program.
  await other.evaluate(program)
  const form = await opened
  await expect(form).toHaveURL((url) => url.origin === address && url.pathname === '/add')
  await expect(form.getByLabel('URL')).toHaveValue(`${site.url}coffee?a=1&b=2`)
  await expect(form.getByLabel('Название')).toHaveValue('Как варить кофе')
  await expect(form.getByRole('textbox', { name: 'Описание' })).toHaveText('Зёрна & вода')
})

test('the extension’s token is made in one press', async ({ signedIn: page }) => {
  await page.goto('/profile/programs')
  await page.getByRole('button', { name: 'Подключить расширение' }).click()
  await expect(page.getByText('Теперь нажмите значок расширения')).toBeVisible()
  const token = (await page.locator('[data-extension-token]').getAttribute('data-extension-token')) ?? ''
  expect(await statusWith(page, token)).toBe(200)
  await expect(page.getByRole('listitem').filter({ hasText: 'Расширение браузера' })).toBeVisible()
})

import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, nextPaint, snackbar } from './fixtures.ts'
import { test } from './site.ts'

const urlField = (page: Page) => page.getByLabel('URL')
const readButton = (page: Page) => page.getByRole('button', { name: 'Извлечь мета-теги' })
const READ = 'Мета-теги успешно извлечены!'

const paste = async (page: Page, text: string): Promise<void> => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await urlField(page).press('ControlOrMeta+V')
}

test('the page at the address fills title, description and tags', async ({ signedIn: page, site }) => {
  await page.goto('/urllinks/add')
  await expect(readButton(page)).toBeDisabled()
  await urlField(page).fill(`${site.url}coffee`)
  const release = site.hold()
  await readButton(page).click()
  await expect(page.getByRole('progressbar', { name: 'Читаем страницу…' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
  release()
  await expect(message(page, READ)).toBeVisible()
  await expectAccessible(page)
  await expect(page.getByLabel('Название')).toHaveValue('Как варить кофе')
  await expect(page.getByRole('textbox', { name: 'Описание' })).toHaveText('Зёрна & вода: <просто>')
  await expect(page.getByRole('button', { name: /^Убрать тег/ })).toHaveCount(10)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByRole('link', { name: 'Как варить кофе', exact: true })).toBeVisible()
})

test('only what is empty is filled, what was typed meanwhile counts as well', async ({
  signedIn: page,
  account,
  site,
}) => {
  const { id } = await account.addLink({ title: 'Моё название', url: site.url, tags: ['моё'] })
  await page.goto(`/urllinks/${id}/edit`)
  await page.getByRole('textbox', { name: 'Описание' }).fill('')
  const release = site.hold()
  await readButton(page).click()
  await expect(page.getByRole('progressbar', { name: 'Читаем страницу…' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Описание' }).fill('Набрано тем временем')
  release()
  await expect(message(page, READ)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Моё название')
  await expect(page.getByRole('textbox', { name: 'Описание' })).toHaveText('Набрано тем временем')
  await expect(page.getByRole('button', { name: /^Убрать тег/ })).toHaveCount(1)
})

test('an address pasted into an empty form is read by itself, once', async ({ signedIn: page, site }) => {
  await page.goto('/urllinks/add')
  await paste(page, ` ${site.url}coffee `)
  await expect(message(page, READ)).toBeVisible()
  await expect(urlField(page)).toHaveValue(`${site.url}coffee`)
  await expect(page.getByLabel('Название')).toHaveValue('Как варить кофе')
  await urlField(page).fill('')
  await paste(page, `${site.url}another`)
  await expect(urlField(page)).toHaveValue(`${site.url}another`)
  expect(site.asked()).toBe(1)
})

for (const keys of ['Tab', 'Control+Enter'])
  test(`an address without a scheme gets one on leaving the field: ${keys}`, async ({
    signedIn: page,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 400/)
    await page.route('**/extract-meta-tags/', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto('/urllinks/add')
    await urlField(page).fill('example.org/x')
    await urlField(page).press(keys)
    await expect(urlField(page)).toHaveValue('https://example.org/x')
    await expect(page.getByText('Неверный формат URL')).toBeHidden()
  })

test('a failure says what happened, can be dismissed and leaves the form as it is', async ({
  signedIn: page,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.goto('/urllinks/add')
  await page.getByLabel('Название').fill('Моё')
  await urlField(page).fill(`${site.url}gone`)
  await readButton(page).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('404')
  await expect(page.getByLabel('Название')).toHaveValue('Моё')
  await expect(readButton(page)).toBeFocused()
  await alert.getByRole('button', { name: 'Закрыть сообщение' }).click()
  await expect(alert).toBeHidden()
  await readButton(page).click()
  await expect.poll(() => site.asked()).toBe(2)
  await expect(alert).toBeVisible()
  await urlField(page).press('End')
  await page.keyboard.type('/elsewhere')
  await expect(alert).toBeHidden()
})

test('without a response of the server the sentence of the screen shows', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  await page.route('**/extract-meta-tags/', (route) => route.abort())
  await page.goto('/urllinks/add')
  await urlField(page).fill('https://example.org/')
  await readButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Произошла ошибка при извлечении мета-тегов.')
})

test('a page that says nothing of itself is not called a success', async ({ signedIn: page, site }) => {
  await page.goto('/urllinks/add')
  await urlField(page).fill(`${site.url}empty`)
  await readButton(page).click()
  await expect(message(page, 'На этой странице нет мета-тегов. Заполните поля сами.')).toBeVisible()
})

test('what a page says is dropped once another address stands in the field, which can be read at once', async ({
  signedIn: page,
  site,
}) => {
  await page.goto('/urllinks/add')
  await urlField(page).fill(`${site.url}coffee`)
  const release = site.hold()
  await readButton(page).click()
  await expect(page.getByRole('progressbar', { name: 'Читаем страницу…' })).toBeVisible()
  await urlField(page).fill(`${site.url}empty`)
  await expect(page.getByRole('progressbar', { name: 'Читаем страницу…' })).toBeHidden()
  await expect(urlField(page)).toBeFocused()
  await readButton(page).click()
  release()
  await expect(message(page, 'На этой странице нет мета-тегов. Заполните поля сами.')).toBeVisible()
  await expect(message(page, READ)).toBeHidden()
  await expect(page.getByLabel('Название')).toHaveValue(/^empty — 127/)
})

test('a typed address is read when the field is left, a dropped one at once', async ({
  signedIn: page,
  site,
}) => {
  await page.goto('/urllinks/add')
  await expect(urlField(page)).toBeFocused()
  await page.keyboard.type(`${site.url}coffee`)
  await page.keyboard.press('Tab')
  await expect(message(page, READ)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Как варить кофе')

  await page.goto('/url-links')
  await page.goto('/urllinks/add')
  await expect(urlField(page)).toBeFocused()
  await urlField(page).evaluate((field, url) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/plain', url)
    field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, `${site.url}coffee`)
  await expect(page.getByLabel('Название')).toHaveValue('Как варить кофе')
})

for (const keys of ['Enter', 'Control+Enter'])
  test(`${keys} while the page is read saves once it has been read`, async ({
    signedIn: page,
    site,
    hold,
  }) => {
    await page.goto('/urllinks/add')
    const held = await hold('**/extract-meta-tags/')
    await urlField(page).fill(`${site.url}coffee`)
    await urlField(page).press(keys)
    await expect(page.getByText('Сохраним, как только страница будет прочитана.')).toBeVisible()
    await expect(urlField(page)).toBeFocused()
    await held.release()
    await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Как варить кофе', exact: true })).toBeVisible()
  })

test('a page that cannot be read gets a title from its address; what is missing is said and gets the cursor', async ({
  signedIn: page,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.goto('/urllinks/add')
  await expect(page.getByText('Заполните: URL, Название, Описание.')).toBeVisible()
  // The cursor goes to the editor only where it has loaded.
  await expect(page.getByRole('textbox', { name: 'Описание' })).toBeVisible()
  await urlField(page).fill(`${site.url}gone`)
  await urlField(page).press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: '404' })).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue(/^gone — 127/)
  await expect(page.getByText('Заполните: Описание.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Описание' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('Сами')
  await page.keyboard.press('Control+Enter')
  await expect(message(page, 'Ссылка успешно добавлена!')).toBeVisible()
})

test('what is read for a form that was left says nothing elsewhere', async ({ signedIn: page, site }) => {
  await page.goto('/urllinks/add')
  await urlField(page).fill(site.url)
  const release = site.hold()
  const givenUp = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/extract-meta-tags/'),
  )
  await readButton(page).click()
  await page.getByRole('link', { name: 'Ссылки' }).first().click()
  await page.getByRole('button', { name: 'Уйти' }).click()
  await expect(page).toHaveURL('/url-links')
  await givenUp
  release()
  await nextPaint(page)
  await expect(snackbar(page)).toHaveText('')
})

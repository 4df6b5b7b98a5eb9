import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, message, nextPaint } from './fixtures.ts'
import { test } from './site.ts'

const NAME = 'Сохранить ссылку или заметку'
const window = (page: Page) => page.getByRole('dialog', { name: NAME })
const field = (page: Page) => page.getByRole('textbox', { name: NAME })
const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const READING = 'Читаем страницу…'

/** Presses Ctrl+V with this text in the clipboard, wherever the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+V')
}

/** Holds something over an element and drops it there; returns whether the page took it. */
const drop = (
  page: Page,
  selector: string,
  data: Record<string, string>,
  files: Record<string, string> = {},
) =>
  page.evaluate(
    ([selector, data, files]) => {
      const dataTransfer = new DataTransfer()
      for (const [type, text] of Object.entries(data)) dataTransfer.setData(type, text)
      for (const [name, type] of Object.entries(files))
        dataTransfer.items.add(new File(['https://one.example/\nhttps://two.example/\n'], name, { type }))
      const target = document.querySelector(selector)
      const send = (type: string) =>
        !target?.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
      return [send('dragover'), send('drop')]
    },
    [selector, data, files] as const,
  )

for (const width of [1280, 390]) {
  test.describe(`${width} wide`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('from a copied address to a saved link: one paste and one Enter; what its page says comes by itself', async ({
      signedIn: page,
      site,
    }) => {
      await page.goto('/url-links')
      await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
      const release = site.hold()
      await paste(page, ` ${site.url}how-to_brew `)
      await expect(field(page)).toBeFocused()
      await expect(window(page)).toContainText('Название, описание и теги возьмём со страницы.')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.keyboard.press('Enter')
      await expect(window(page)).toBeHidden()
      const saved = page.getByRole('article')
      await expect(saved).toContainText(/how to brew — 127/)
      await expect(saved.getByRole('status')).toHaveText(READING)
      release()
      await expect(saved).toContainText('Как варить кофе')
      await expect(saved).toContainText('Зёрна & вода: <просто>')
      await expect(saved.getByRole('link', { name: 'Кухня', exact: true })).toBeVisible()
      await expect(saved.getByText(READING)).toHaveCount(0)
      await expectAccessible(page)
    })

    test('A opens the field; text becomes a note, its first line the title', async ({ signedIn: page }) => {
      await page.goto('/home')
      await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
      await page.keyboard.press('a')
      await expect(field(page)).toBeFocused()
      await page.keyboard.type('Купить')
      await page.keyboard.press('Shift+Enter')
      await page.keyboard.type('молоко <b>')
      await expect(window(page)).toContainText('Заметка «Купить»')
      await expectNoSidewaysScroll(page)
      await page.keyboard.press('Enter')
      await expect(message(page, 'Заметка сохранена: «Купить».')).toBeVisible()
      await expect(row(page, 'Купить')).toContainText('молоко <b>')
    })
  })
}

test('on a Russian keyboard the same key opens the field', async ({ signedIn: page }) => {
  await page.goto('/notes')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.evaluate(() =>
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ф', code: 'KeyA', bubbles: true })),
  )
  await expect(field(page)).toBeFocused()
})

test('what was saved is taken back by the snackbar and by Ctrl+Z', async ({ signedIn: page, site }) => {
  await page.goto('/url-links')
  const release = site.hold()
  for (const undo of [
    () => page.getByRole('button', { name: 'Отменить' }).click(),
    () => page.keyboard.press('Control+z'),
  ]) {
    await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
    await paste(page, `${site.url}x`)
    await expect(field(page)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article')).toBeVisible()
    await expect(window(page)).toBeHidden()
    await undo()
    await expect(message(page, 'Отменено.').first()).toBeVisible()
    await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  }
  release()
  await page.goto('/trash')
  await expect(page.getByText('x — 127.0.0.1').first()).toBeVisible()
})

test('an address whose link was taken back is saved again before the server has said that it is not kept', async ({
  signedIn: page,
  site,
  hold,
}) => {
  await page.goto('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  const release = site.hold()
  await paste(page, `${site.url}x`)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(window(page)).toBeHidden()
  await page.getByRole('button', { name: 'Отменить' }).click()
  // The list may still be the empty one of before.
  await expect(message(page, 'Отменено.')).toBeVisible()
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  const check = await hold('**/urllinks/check/**')
  await paste(page, `${site.url}x`)
  await check.requested
  await field(page).press('Enter')
  await check.release()
  release()
  await expect(page.getByRole('article')).toContainText('Зёрна & вода')
  await expect(page).toHaveURL('/url-links')
})

test('what the user changes while the page is read stays; the rest comes', async ({
  signedIn: page,
  account,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  await page.goto('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  const release = site.hold()
  const saved = page.waitForResponse((response) => response.request().method() === 'POST')
  await paste(page, `${site.url}x`)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  const { id, url, description } = await (await saved).json()
  await expect(page.getByText(READING)).toBeVisible()
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const changed = await page.request.put(`/api/v1/urllinks/${id}/`, {
    headers,
    data: { url, description, title: 'Моё название' },
  })
  expect(changed.status()).toBe(200)
  release()
  await expect(row(page, 'Моё название')).toContainText('Зёрна & вода: <просто>')
})

test('a link that is opened for editing is left to its form', async ({ signedIn: page, site }) => {
  await page.goto('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  const release = site.hold()
  await paste(page, `${site.url}x`)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^Открыть ссылку/ }).click()
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await page.getByLabel('Название').fill('Сам назвал')
  release()
  await nextPaint(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Ссылка успешно обновлена!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Сам назвал' })).toBeVisible()
})

test('a page that cannot be read leaves the link with a title from its address, and says why', async ({
  signedIn: page,
  site,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await page.goto('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await paste(page, `${site.url}gone`)
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Сообщения' })).toContainText('404')
  await expect(page.getByRole('article')).toContainText(/gone — 127/)
})

test('a link or a text dropped outside a field is offered; fields keep theirs', async ({
  signedIn: page,
}) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  expect(
    await drop(page, 'main', { 'text/uri-list': '# link\r\nhttps://example.org/a', 'text/plain': 'x' }),
  ).toEqual([true, true])
  await expect(field(page)).toHaveValue('https://example.org/a')
  await page.keyboard.press('Escape')
  await expect(window(page)).toBeHidden()
  await drop(page, 'main', { 'text/plain': 'Мысль' })
  await expect(field(page)).toHaveValue('Мысль')
  await page.keyboard.press('Escape')
  await expect(window(page)).toBeHidden()
  expect(await drop(page, 'main input', { 'text/plain': 'Мысль' })).toEqual([false, false])
  // What is dragged within the page is no gift from outside.
  await page.evaluate(() => document.body.dispatchEvent(new DragEvent('dragstart', { bubbles: true })))
  expect(await drop(page, 'main', { 'text/plain': 'Мысль' })).toEqual([false, false])
  await expect(window(page)).toBeHidden()
})

test('a file with addresses leads to its import; a film is refused, and the page stays', async ({
  signedIn: page,
}) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await drop(page, 'main', {}, { 'a.mp4': 'video/mp4' })
  await expect(page.getByText('Видео и звук Копилка не хранит')).toBeVisible()
  await drop(page, 'main', {}, { 'a.txt': 'text/plain', 'b.txt': 'text/plain' })
  await expect(page.getByText('За один раз можно взять один файл.')).toBeVisible()
  await drop(page, 'main', {}, { 'адреса.txt': 'text/plain' })
  await expect(page).toHaveURL('/profile/data')
  await expect(page.getByRole('button', { name: 'Перенести 2 записи' })).toBeVisible()
  await expect(page.getByText('адреса.txt')).toBeVisible()
})

test('what was typed stays when the field is closed or the server is away, and is saved once', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.keyboard.press('a')
  await field(page).fill('Мысль')
  await page.keyboard.press('Escape')
  await expect(window(page)).toBeHidden()
  await paste(page, 'и ещё одна')
  await expect(field(page)).toHaveValue('Мысль\nи ещё одна')
  // The server saves it, and its response is lost on the way.
  await page.route('**/api/v1/notes/', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await field(page).press('Enter')
  await expect(page.getByText('Произошла ошибка при добавлении заметки.')).toBeVisible()
  await expect(field(page)).toHaveValue('Мысль\nи ещё одна')
  await page.unrouteAll()
  await field(page).press('Enter')
  await expect(message(page, 'Заметка сохранена: «Мысль».')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('what is pasted while the text before it is saved stays in the field', async ({
  signedIn: page,
  hold,
}) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await paste(page, 'Первая мысль')
  await expect(field(page)).toBeFocused()
  const saving = await hold(/\/notes\/$/, { method: 'POST' })
  await page.keyboard.press('Enter')
  await saving.requested
  await expect(field(page)).not.toBeEditable()
  await page.keyboard.press('Escape')
  await expect(window(page)).toBeHidden()
  await paste(page, 'Вторая мысль')
  await expect(window(page)).toBeVisible()
  await saving.release()
  await expect(message(page, 'Заметка сохранена: «Первая мысль».')).toBeVisible()
  await expect(window(page)).toBeHidden()
  await page.keyboard.press('a')
  await expect(field(page)).toHaveValue('Вторая мысль')
})

test('an address that was found kept is saved once its link is deleted', async ({
  signedIn: page,
  account,
  site,
}) => {
  const url = `${site.url}coffee`
  const { id } = await account.addLink({ title: 'Давно храню', url })
  await page.goto(`/urllinks/${id}`)
  await expect(page.getByRole('heading', { name: 'Давно храню' })).toBeVisible()
  await paste(page, url)
  await expect(window(page)).toContainText('Уже сохранено')
  await page.keyboard.press('Escape')
  await expect(window(page)).toBeHidden()
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page).toHaveURL('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await paste(page, url)
  await expect(window(page)).not.toContainText('Уже сохранено')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toBeVisible()
  await expect(page).toHaveURL('/url-links')
})

test('in the palette an address is saved at once, and the field can be found', async ({
  signedIn: page,
  site,
}) => {
  await page.goto('/url-links')
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  const palette = page.getByRole('combobox', { name: 'Что открыть или найти' })
  await page.keyboard.press('Control+k')
  await expect(palette).toBeFocused()
  await paste(page, `${site.url}coffee`)
  await expect(page.getByRole('option', { name: /^Сохранить ссылку http:../ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(row(page, 'Как варить кофе')).toBeVisible()
  await expect(palette).toBeHidden()
  await page.keyboard.press('Control+k')
  await palette.fill('сохранить')
  await expect(page.getByRole('option', { name: NAME })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
})

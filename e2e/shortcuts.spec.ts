import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Что открыть или найти' })

test('lead to the search, a new note, a new link and the help, on a Russian keyboard too', async ({
  signedIn: page,
}) => {
  await page.goto('/notes')
  const search = page.getByLabel('Поиск по заметкам')
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  // In a field they are letters.
  await page.keyboard.type('nl?/')
  await expect(search).toHaveValue('nl?/')
  await search.blur()

  for (const [code, key, url] of [
    ['KeyN', 'т', '/notes/add'],
    ['KeyL', 'д', '/urllinks/add'],
  ] as const) {
    await page.evaluate(
      ([code, key]) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { code, key, bubbles: true })),
      [code, key] as const,
    )
    await expect(page).toHaveURL(url)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  }
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/notes/add')
  await expect(page.getByRole('heading', { name: 'Новая заметка' })).toBeFocused()
  await page.keyboard.press('/')
  await expect(page).toHaveURL('/home')
  await expect(page.getByLabel('Поиск', { exact: true })).toBeFocused()
})

test('are listed in the help, which can switch those without Ctrl off', async ({ signedIn: page }) => {
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeAttached()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Сочетания клавиш' })
  for (const key of ['Ctrl', 'K', '/', 'N', 'L', '?'])
    await expect(help.getByText(key, { exact: true })).toBeVisible()
  await expectAccessible(page)
  // While a window is open the keys rest.
  await page.keyboard.press('n')
  await help.getByLabel('Клавиши без Ctrl').click()
  await help.getByRole('button', { name: 'Закрыть' }).click()
  await expect(help).toBeHidden()
  await page.keyboard.press('n')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(page).toHaveURL('/home')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Сочетания клавиш' }).click()
  await help.getByLabel('Клавиши без Ctrl').click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Сочетания клавиш' })).toBeFocused()
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/notes/add')
})

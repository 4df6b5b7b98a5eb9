import type { Page } from '@playwright/test'
import { abortLazyAssets, expect, message, test } from './fixtures.ts'

const drawer = (page: Page) => page.getByRole('dialog', { name: 'Меню' })
const actions = (page: Page) => page.getByRole('button', { name: 'Добавить или выйти' })

test('the drawer and the menu come at the first press of a key, and give the focus back every time', async ({
  signedIn: page,
}) => {
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.goto('/home')
    const toggle = page.getByRole('button', { name: 'Открыть меню' })
    for (const time of ['first', 'second']) {
      await test.step(time, async () => {
        await toggle.press('Enter')
        await expect(drawer(page).getByRole('link', { name: 'Категории' })).toBeVisible()
        await expect(toggle).toHaveAttribute('aria-expanded', 'true')
        await page.keyboard.press('Escape')
        await expect(drawer(page)).toBeHidden()
        await expect(toggle).toBeFocused()
        await expect(toggle).toHaveAttribute('aria-expanded', 'false')

        await expect(actions(page)).toHaveAttribute('aria-haspopup', 'menu')
        await actions(page).press('Enter')
        await expect(page.getByRole('menuitem', { name: 'Новая заметка' })).toBeFocused()
        await expect(actions(page)).toHaveAttribute('aria-expanded', 'true')
        await page.keyboard.press('Escape')
        await expect(page.getByRole('menuitem')).toHaveCount(0)
        await expect(actions(page)).toBeFocused()
        await expect(actions(page)).toHaveAttribute('aria-expanded', 'false')
      })
    }
  }
})

test('the back button closes what lies over the screen before it leaves that', async ({ signedIn: page }) => {
  await page.goto('/home')
  await page.getByRole('link', { name: 'Новая заметка' }).click()
  await expect(page.getByRole('heading', { name: 'Новая заметка' })).toBeVisible()
  // Text that the question about leaving must neither ask about nor give up while something lies over it.
  await page.getByLabel('Название').fill('Не дописано')
  const window = page.getByRole('dialog')
  for (const opener of ['Открыть меню', 'Сочетания клавиш', /^Найти или перейти/]) {
    await page.getByRole('button', { name: opener }).click()
    await expect(window).toBeVisible()
    await page.goBack()
    await expect(window).toBeHidden()
    await expect(page).toHaveURL('/notes/add')
    await expect(page.getByLabel('Название')).toHaveValue('Не дописано')
  }
  await page.goBack()
  await page.getByRole('dialog').getByRole('button', { name: 'Уйти' }).click()
  await expect(page).toHaveURL('/home')
})

test('a failed load shows a message, and a retry loads it', async ({ signedIn: page, expectedInConsole }) => {
  expectedInConsole.push(/Failed to load resource/)
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await abortLazyAssets(page)
  await actions(page).click()
  const failed = 'Нет ответа от сервера. Проверьте соединение.'
  await expect(message(page, failed)).toBeVisible()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await page.unroute('**/assets/**')
  await actions(page).click()
  await expect(page.getByRole('menuitem', { name: 'Выйти' })).toBeVisible()
  await expect(message(page, failed)).toBeHidden({ timeout: 2_000 })
})

test.describe('on paper', () => {
  const BLACK = 'rgb(0, 0, 0)'
  const colourOf = (page: Page, selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).color)

  test.use({ colorScheme: 'dark' })

  test('on paper a note and a link are black on white, without what one could press', async ({
    signedIn: page,
    account,
  }) => {
    const note = await account.addNote({
      title: 'На бумагу',
      content: '<p>Читать <a href="https://example.org/далее">далее</a></p>',
      tags: ['печать'],
    })
    await account.addNote({ title: 'Тоже на бумагу', tags: ['печать'] })
    const link = await account.addLink({ title: 'Адрес', url: 'https://example.org/адрес' })
    await page.goto(`/notes/${note.id}`)
    const similar = page.getByText('Похожее')
    await expect(similar).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(similar).toBeHidden()
    for (const [path, title] of [
      [`/notes/${note.id}`, 'На бумагу'],
      [`/urllinks/${link.id}`, 'Адрес'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('heading', { name: title })).toBeVisible()
      for (const name of ['Редактировать', 'Копилка'])
        await expect(page.getByRole('link', { name })).toBeHidden()
      for (const name of ['Удалить', 'Открыть меню'])
        await expect(page.getByRole('button', { name })).toBeHidden()
      await expect(page.getByRole('contentinfo')).toBeHidden()
      expect(await colourOf(page, 'h1')).toBe(BLACK)
      expect(await colourOf(page, 'article p')).toBe(BLACK)
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        'rgb(255, 255, 255)',
      )
    }
    await expect(page.getByText('https://example.org/адрес')).toBeVisible()
    await page.goto(`/notes/${note.id}`)
    const behind = await page
      .getByRole('link', { name: 'далее' })
      .evaluate((element) => getComputedStyle(element, '::after').content)
    expect(behind).toContain('https://example.org/далее')
  })
})

test('a thin line shows while a screen is loading', async ({ signedIn: page, hold }) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await expect(drawer(page).getByText('Каренина Анна')).toBeVisible()
  const held = await hold('**/assets/**')
  await drawer(page).getByText('Каренина Анна').click()
  await expect(page.getByRole('banner').getByRole('progressbar')).toBeVisible()
  await held.release()
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('progressbar')).toBeHidden()
})

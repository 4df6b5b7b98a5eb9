import type { Page } from '@playwright/test'
import { expect, message, test } from './journey.ts'

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

test('what does not come says so, and comes when it is asked for again', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  await page.route(/\/assets\/(?:actions-menu|side-drawer)-/, (route) => route.abort())
  await page.goto('/home')
  await actions(page).click()
  const failed = 'Нет ответа от сервера. Проверьте соединение.'
  await expect(message(page, failed)).toBeVisible()
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await page.unroute(/\/assets\/(?:actions-menu|side-drawer)-/)
  await actions(page).click()
  await expect(page.getByRole('menuitem', { name: 'Выйти' })).toBeVisible()
  await expect(message(page, failed)).toBeHidden({ timeout: 2_000 })
})

import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './journey.ts'

const way = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test.beforeEach(async ({ page, account }) => {
  for (let at = 0; at < 106; at += 1) await account.addNote({})
  await signIn(page, account.session)
})

for (const [width, layout] of [
  [1280, 'with every page in sight'],
  [320, 'with the position alone'],
] as const) {
  test(`${layout} a step to either end keeps the focus, where it goes no further`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/notes?page=7')
    await expect(page.getByRole('article')).toHaveCount(15)
    const next = way(page, 'Следующая страница')
    await next.press('Enter')
    await expect(page).toHaveURL('/notes?page=8')
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(next).toBeFocused()
    await expect(next).toBeDisabled()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await way(page, 'Первая страница').press('Enter')
    await expect(page).toHaveURL('/notes')
    await expect(way(page, 'Первая страница')).toBeFocused()
    await expect(way(page, 'Предыдущая страница')).toBeDisabled()
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus')).not.toBeDisabled()
  })
}

test('the focus stays on the page that was chosen, wherever its number has moved', async ({ page }) => {
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(15)
  for (const target of [5, 4, 8, 1]) {
    const chosen = way(page, `Страница ${target}`)
    await chosen.press('Enter')
    await expect(chosen).toHaveAttribute('aria-current', 'page')
    await expect(chosen).toBeFocused()
  }
})

import { expect, test } from './journey.ts'

test('where English does not load, the page speaks Russian until the next visit', async ({
  page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/ERR_FAILED/)
  await page.goto('/auth/login')
  await page.evaluate(() => localStorage.setItem('language', 'en'))
  await page.route(/\/assets\/en-/, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await page.unroute(/\/assets\/en-/)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { name: 'Вход' })).toBeHidden()
})

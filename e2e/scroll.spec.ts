import { expect, test } from './journey.ts'

test.use({ viewport: { width: 390, height: 844 } })

test('back from an item the list is where it was, at once and without asking anew', async ({
  signedIn: page,
  account,
}) => {
  for (let at = 1; at <= 15; at += 1) await account.addNote({ title: `Заметка ${at}` })
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(15)
  const last = page.getByRole('link', { name: 'Открыть заметку «Заметка 1»' })
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(500)
  await last.click()
  await expect(page.getByRole('heading', { name: 'Заметка 1' })).toBeVisible()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  // Whatever the network does meanwhile.
  await page.route('**/api/**', () => {})
  await page.goBack()
  await expect(page.getByRole('article')).toHaveCount(15)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Заметка 1' })).toBeVisible()
})

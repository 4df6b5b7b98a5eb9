import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'

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
  })
  const link = await account.addLink({ title: 'Адрес', url: 'https://example.org/адрес' })
  await page.emulateMedia({ media: 'print' })
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

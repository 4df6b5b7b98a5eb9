import type { Locator } from '@playwright/test'
import { expect, test } from './journey.ts'

const directionOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction)

test('a text in Hebrew runs from right to left in a Russian interface, wherever it stands', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    title: 'מתכון למרק',
    content: '<p>סלק, כרוב ומלח.</p>',
    tags: ['מטבח'],
  })
  await page.goto('/notes')
  const row = page.getByRole('article')
  for (const text of ['מתכון למרק', 'סלק, כרוב ומלח.', 'מטבח'])
    expect(await directionOf(row.getByText(text, { exact: true }))).toBe('rtl')

  await page.goto(`/notes/${id}`)
  for (const text of ['מתכון למרק', 'סלק, כרוב ומלח.', 'מטבח'])
    expect(await directionOf(page.getByRole('article').getByText(text, { exact: true }))).toBe('rtl')
  expect(await directionOf(page.getByText('Создано'))).toBe('ltr')

  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('מתכון למרק')
  expect(await directionOf(page.getByLabel('Название'))).toBe('rtl')
  const editor = page.getByRole('textbox', { name: 'Содержание' })
  await expect(editor).toContainText('סלק')
  expect(await directionOf(editor)).toBe('rtl')
})

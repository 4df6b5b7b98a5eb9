import { expect, message, test } from './journey.ts'

test('while a save is under way nothing can be typed that it would leave out', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  const title = page.getByLabel('Название')
  await title.fill('Начало')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/notes/', async (route) => {
    if (route.request().method() === 'POST') await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(title.locator('xpath=ancestor::*[@inert]')).toHaveCount(1)
  await page.keyboard.type(' конец')
  answer()
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Начало')
  await expect(page.getByRole('article')).not.toContainText('конец')
})

test('of two quick clicks on delete one counts', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Лишняя' })
  let removals = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals += 1
  })
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Удалить' })
    .evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
  await expect(message(page, 'Заметка успешно удалена.')).toBeVisible()
  expect(removals).toBe(1)
})

test('of a large text the last letters are saved as well, however soon', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    title: 'Большая',
    content: `<p>${'Длинный текст. '.repeat(5_000)}</p>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Начало: ')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Начало: Длинный текст.')
})

test('the list shows at once that an item is deleted, and what moves up behind it', async ({
  signedIn: page,
  account,
}) => {
  for (let at = 1; at <= 16; at += 1) await account.addNote({ title: `Заметка ${at}` })
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(15)
  await page.getByRole('link', { name: 'Открыть заметку «Заметка 16»' }).click()
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/api/v1/notes/?**', async (route) => {
    await answered
    await route.continue()
  })
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByRole('article')).toHaveCount(14)
  await expect(page.getByText('Заметка 16')).toBeHidden()
  answer()
  await expect(page.getByRole('article')).toHaveCount(15)
})

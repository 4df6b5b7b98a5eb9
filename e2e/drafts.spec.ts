import type { Page } from '@playwright/test'
import { expect, message, test } from './journey.ts'

const BACK = 'Мы вернули текст, который вы не успели сохранить.'

/** Types a title and waits until the browser has kept it. */
async function type(page: Page, title: string): Promise<void> {
  await page.getByLabel('Название').fill(title)
  await expect
    .poll(() => page.evaluate(() => JSON.stringify({ ...localStorage })))
    .toContain(JSON.stringify(JSON.stringify(title)).slice(1, -1))
}

async function fillRest(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
}

test('unsaved text survives a reload and a sign-out, and is gone once saved', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/notes/add')
  await type(page, 'Недописанное')
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel(/^Пароль/).fill(account.password)
  await page.getByRole('button', { name: 'Войти' }).click()
  await expect(page).toHaveURL('/home')
  await page.goto('/notes/add')
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  await fillRest(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await page.goto('/notes/add')
  await expect(page.getByLabel('Название')).toHaveValue('')
  await expect(page.getByText(BACK)).toBeHidden()
})

test('the last letters of a large text survive a reload that comes at once', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: `<p>${'много слов '.repeat(6_000)}</p>` })
  await page.goto(`/notes/${id}/edit`)
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('Конец')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toContainText('Конец')
})

test('two tabs that add keep a text each', async ({ signedIn: page, context }) => {
  await page.goto('/notes/add')
  await type(page, 'Первая вкладка')
  const second = await context.newPage()
  await second.goto('/notes/add')
  await expect(second.getByLabel('Название')).toHaveValue('')
  await type(second, 'Вторая вкладка')
  await fillRest(second)
  await second.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(second, 'Заметка успешно добавлена!')).toBeVisible()

  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Первая вкладка')
})

test('two tabs that edit one note keep a text each', async ({ signedIn: page, account, context }) => {
  const { id } = await account.addNote({ title: 'Общая' })
  await page.goto(`/notes/${id}/edit`)
  await type(page, 'Первая правка')
  const second = await context.newPage()
  await second.goto(`/notes/${id}/edit`)
  await expect(second.getByLabel('Название')).toHaveValue('Общая')
  await type(second, 'Вторая правка')
  await second.getByRole('button', { name: 'Отмена' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Уйти' }).click()
  await expect(second).toHaveURL(`/notes/${id}`)

  await page.reload()
  await expect(page.getByLabel('Название')).toHaveValue('Первая правка')
})

test('what closed tabs have left is offered, the newest first, to one form each', async ({
  signedIn: page,
  context,
}) => {
  await page.goto('/home')
  for (const title of ['Старый набросок', 'Новый набросок']) {
    const tab = await context.newPage()
    await tab.goto('/notes/add')
    await expect(tab.getByLabel('Название')).toHaveValue('')
    // Both forms are open at once: the second must not take the first one's text.
    await type(tab, title)
  }
  for (const tab of context.pages().slice(1)) await tab.close()

  await page.goto('/notes/add')
  await expect(page.getByLabel('Название')).toHaveValue('Новый набросок')
  const second = await context.newPage()
  await second.goto('/notes/add')
  await expect(second.getByLabel('Название')).toHaveValue('Старый набросок')
  await second.getByRole('button', { name: 'Убрать его' }).click()
  await expect(second.getByLabel('Название')).toHaveValue('')
  await expect(second.getByRole('heading', { level: 1 })).toBeFocused()
  await expect.poll(() => second.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('Старый')
  await second.reload()
  await expect(second.getByLabel('Название')).toHaveValue('')
})

test('discarding an unsaved text takes the server’s complaints about it along', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  const { id } = await account.addNote({ title: 'Сохранено' })
  await page.goto(`/notes/${id}/edit`)
  await type(page, 'Не понравится')
  await page.reload()
  await page.route(`**/api/v1/notes/${id}/`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: { detail: 'Нет.', title: ['Не годится'] } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Не годится')).toBeVisible()
  await page.getByRole('button', { name: 'Убрать его' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Сохранено')
  await expect(page.getByText('Не годится')).toBeHidden()
})

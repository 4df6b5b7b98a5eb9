import type { Page } from '@playwright/test'
import { expect, message, test } from './journey.ts'

const NO_ANSWER = 'Нет ответа от сервера. Проверьте соединение.'

test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/ERR_FAILED/))

/** The server gets what is saved, its answer is lost on the way. */
async function loseAnswers(page: Page, calls: string): Promise<void> {
  await page.route(calls, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort()
  })
}

const save = (page: Page) => page.getByRole('button', { name: 'Сохранить' })

for (const [kind, form, calls, field, failed, added] of [
  [
    'note',
    '/notes/add',
    '**/api/v1/notes/',
    'Содержание',
    'Произошла ошибка при добавлении заметки.',
    'Заметка успешно добавлена!',
  ],
  [
    'link',
    '/urllinks/add',
    '**/api/v1/urllinks/',
    'Описание',
    'Произошла ошибка при добавлении ссылки.',
    'Ссылка успешно добавлена!',
  ],
] as const) {
  test(`a ${kind} whose answer was lost is one ${kind} after a second try`, async ({ signedIn: page }) => {
    await loseAnswers(page, calls)
    await page.goto(form)
    if (kind === 'link') await page.getByLabel('URL').fill('https://example.org/')
    await page.getByLabel('Название').fill('Один раз')
    await page.getByRole('textbox', { name: field }).click()
    await page.keyboard.type('Текст')
    await save(page).click()
    await expect(message(page, `${failed} ${NO_ANSWER}`)).toBeVisible()
    await page.unroute(calls)
    await save(page).click()
    await expect(message(page, added)).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
  })
}

test('a text that was changed after its answer was lost is saved as it is now', async ({
  signedIn: page,
}) => {
  await loseAnswers(page, '**/api/v1/notes/')
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Сначала')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  await save(page).click()
  await expect(message(page, `Произошла ошибка при добавлении заметки. ${NO_ANSWER}`)).toBeVisible()
  await page.unroute('**/api/v1/notes/')
  await page.getByLabel('Название').fill('Потом')
  await save(page).click()
  await expect(page).toHaveURL('/notes')
  await expect(page.getByRole('article').filter({ hasText: 'Потом' })).toHaveCount(1)
})

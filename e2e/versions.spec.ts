import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoSidewaysScroll, message, snackbar, test } from './fixtures.ts'

/** Changes the title of what the form shows, and saves. */
async function rename(page: Page, address: string, title: string, saved: string): Promise<void> {
  await page.goto(`${address}/edit`)
  await page.getByLabel('Название').fill(title)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, saved)).toBeVisible()
}

for (const { viewport } of [
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 390, height: 844 } },
]) {
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })

    test('an earlier version is compared with the present one and restored, and that undone', async ({
      signedIn: page,
      account,
    }) => {
      const { id } = await account.addNote({
        title: 'Список покупок',
        content: '<p>Хлеб и <strong>чай</strong></p>',
        tags: ['дом'],
      })
      await rename(page, `/notes/${id}`, 'Список для дачи', 'Заметка успешно обновлена.')
      await page.getByRole('button', { name: 'Ещё' }).click()
      await page.getByRole('menuitem', { name: 'Прежние версии' }).click()
      await expect(page).toHaveURL(`/notes/${id}/versions`)
      const before = page.getByRole('region', { name: /^Версия от/ })
      const now = page.getByRole('region', { name: 'Сейчас' })
      await expect(before.getByRole('deletion')).toHaveText(/покупок/)
      await expect(now.getByRole('insertion')).toHaveText(/для дачи/)
      // The text as it is shown, not its HTML.
      await expect(before).toContainText('Хлеб и чай')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Восстановить эту версию' }).click()
      await expect(message(page, 'Версия восстановлена.')).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Список покупок' })).toBeVisible()
      await snackbar(page).getByRole('button', { name: 'Отменить' }).click()
      await expect(page.getByRole('heading', { name: 'Список для дачи' })).toBeVisible()
    })
  })
}

test('a link has earlier versions as well', async ({ signedIn: page, account }) => {
  const { id } = await account.addLink({ title: 'Старое имя', url: 'https://example.org/a' })
  await rename(page, `/urllinks/${id}`, 'Новое имя', 'Ссылка успешно обновлена!')
  await page.goto(`/urllinks/${id}/versions`)
  await expect(page.getByRole('region', { name: /^Версия от/ })).toContainText('Старое имя')
  await expect(page.getByRole('region', { name: 'Сейчас' })).toContainText('https://example.org/a')
})

test('an item never changed says that it has no earlier versions', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({})
  await page.goto(`/notes/${id}/versions`)
  await expect(page.getByText('Прежних версий нет')).toBeVisible()
})

test('a version that differs in its formatting or the addresses of links alone says so', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Строка', content: '<p>Хлеб и чай</p>' })
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const save = async (content: string) => {
    const sent = { headers, data: { title: 'Строка', content } }
    expect((await page.request.put(`/api/v1/notes/${id}/`, sent)).status()).toBe(200)
  }
  await save('<p>Хлеб и <strong>чай</strong></p>')
  await page.goto(`/notes/${id}/versions`)
  await expect(page.getByText('Отличается только оформление или адреса ссылок.')).toBeVisible()
  await save('<p>Хлеб и чай</p>')
  await page.reload()
  await expect(page.getByText('Версия не отличается от нынешней.')).toBeVisible()
})

test('a version is not restored over a change that the screen has not shown', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ title: 'Первая' })
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const save = async (title: string) => {
    const sent = { headers, data: { title, content: '<p>Текст</p>' } }
    expect((await page.request.put(`/api/v1/notes/${id}/`, sent)).status()).toBe(200)
  }
  await save('Вторая')
  await page.goto(`/notes/${id}/versions?revision=1`)
  const now = page.getByRole('region', { name: 'Сейчас' })
  await expect(now).toContainText('Вторая')
  await save('Третья')
  await page.getByRole('button', { name: 'Восстановить эту версию' }).click()
  await expect(
    message(page, 'Тем временем запись изменилась. Сравните ещё раз, прежде чем восстанавливать.'),
  ).toBeVisible()
  await expect(now).toContainText('Третья')
  await page.getByRole('button', { name: 'Восстановить эту версию' }).click()
  await expect(message(page, 'Версия восстановлена.')).toBeVisible()
})

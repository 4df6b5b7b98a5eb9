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

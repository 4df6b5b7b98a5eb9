import type { Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  snackbar,
  test,
} from './fixtures.ts'

const undo = (page: Page) => snackbar(page).getByRole('button', { name: 'Отменить' })

/** Deletes notes without the screens. */
async function removeNotes(page: Page, account: Account, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
  }
}

/** Deletes what the screen shows, as the specification has it. */
async function removeShown(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
}

test('a deleted note comes back by the snackbar, with its tags', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Нечаянно', content: '<p>Целая</p>', tags: ['дом'] })
  await page.goto(`/notes/${id}`)
  await removeShown(page)
  await expect(message(page, 'Заметка успешно удалена.')).toBeVisible()
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expectAccessible(page)
  await undo(page).focus()
  await page.keyboard.press('Enter')
  await expect(message(page, 'Отменено.')).toBeVisible()
  const row = page.getByRole('article').filter({ hasText: 'Нечаянно' })
  await expect(row.getByRole('link', { name: 'дом' })).toBeVisible()
})

test('Ctrl+Z undoes outside fields, and in a field nothing but the typing', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addLink({ title: 'Нечаянно' })
  await page.goto(`/urllinks/${id}`)
  await removeShown(page)
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await page.getByLabel('Поиск по ссылкам').press('Control+z')
  await page.getByRole('heading', { level: 1 }).focus()
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('article')).toContainText('Нечаянно')
})

test('what has changed since stays as it is and is named', async ({ signedIn: page, account }) => {
  const { tags } = await account.addNote({ title: 'Общая', tags: ['дом'] })
  await page.goto(`/tags/${tags[0]?.id}/edit/`)
  for (const name of ['Дача', 'Усадьба']) {
    if (name === 'Усадьба') await page.getByRole('link', { name: 'Редактировать' }).click()
    await page.getByLabel('Название Тега').fill(name)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  await page.goto('/profile/history')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Переименование категории' })
  await expect(rows).toHaveCount(2)
  await expectAccessible(page)
  // The first renaming: the second one stands in its way.
  await rows
    .last()
    .getByRole('button', { name: /^Отменить/ })
    .click()
  await expect(snackbar(page)).toContainText('изменилось с тех пор: «Усадьба»')
  await rows
    .first()
    .getByRole('button', { name: /^Отменить/ })
    .click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Профиль' })).toBeVisible()
  await page.goto('/tags')
  await expect(page.getByRole('main').getByText('Дача')).toBeVisible()
})

test('the trash: found, restored, deleted for ever; its way there shows once it has been used', async ({
  signedIn: page,
  account,
}) => {
  const open = async () => {
    await page.getByRole('button', { name: 'Открыть меню' }).click()
    await expect(page.getByRole('dialog').getByRole('link', { name: 'Категории' })).toBeVisible()
  }
  const way = page.getByRole('dialog').getByRole('link', { name: 'Корзина' })
  const ids = []
  for (const title of ['Щи', 'Борщ', 'Окрошка', 'Уха']) ids.push((await account.addNote({ title })).id)
  await account.addLink({ title: 'Рецепты' })
  await page.goto('/notes')
  await open()
  await expect(way).toBeHidden()
  await removeNotes(page, account, ids)
  await page.reload()
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await open()
  await way.click()
  await expect(page).toHaveURL('/trash')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
  await expect(rows).toHaveCount(4)
  await expectAccessible(page)

  await page.getByLabel('Поиск по корзине').fill('борщи')
  await page.getByLabel('Поиск по корзине').press('Enter')
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Восстановить «Борщ»' }).click()
  await expect(message(page, 'Восстановлено: 1.')).toBeVisible()
  await expect(page.getByText('В корзине такого не нашлось.')).toBeVisible()
  await page.goto('/trash')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Удалить навсегда «Уха»' }).click()
  await expect(page.getByRole('dialog')).toContainText('Удалить «Уха» навсегда?')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect(message(page, 'Удалено навсегда: 1.')).toBeVisible()
  await expect(rows).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Выбрать «Щи»' }).check()
  await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Восстановить' }).click()
  await expect(rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(message(page, 'Корзина очищена.')).toBeVisible()
  await expect(page.getByText('В корзине пусто')).toBeVisible()
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(2)
  await open()
  await expect(way).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('everything in the trash comes back at once', async ({ signedIn: page, account }) => {
    const ids = []
    for (let at = 0; at < 17; at += 1) ids.push((await account.addNote({ title: `Запись ${at}` })).id)
    await removeNotes(page, account, ids)
    await page.goto('/trash')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Восстановить всё' }).click()
    await expect(message(page, 'Восстановлено: 17.')).toBeVisible()
    await undo(page).click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })).toHaveCount(15)
  })

  test('found, restored and deleted for ever; what was done stands in the history', async ({
    signedIn: page,
    account,
  }) => {
    const ids = []
    for (const title of ['Щи', 'Борщ', 'Уха']) ids.push((await account.addNote({ title })).id)
    await removeNotes(page, account, ids)
    await page.goto('/trash')
    await page.getByLabel('Поиск по корзине').fill('борщи')
    await page.getByLabel('Поиск по корзине').press('Enter')
    await page.getByRole('button', { name: 'Восстановить «Борщ»' }).click()
    await expect(message(page, 'Восстановлено: 1.')).toBeVisible()
    await page.goto('/trash')
    await page.getByRole('checkbox', { name: 'Выбрать «Щи»' }).check()
    await expectNoSidewaysScroll(page)
    const bar = page.getByRole('region', { name: 'Выбранное' })
    await bar.getByRole('button', { name: 'Удалить навсегда' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' }).click()
    await expect(message(page, 'Удалено навсегда: 1.')).toBeVisible()
    await page.goto('/profile/history')
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: /^Отменить: Восстановление из корзины/ }).click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    // The deletion of what is gone for ever, the first one.
    await page
      .getByRole('button', { name: /^Отменить: Удаление/ })
      .last()
      .click()
    await expect(snackbar(page)).toContainText('Отменить нечего: всё удалено навсегда.')
    await page.goto('/trash')
    await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })).toHaveCount(2)
  })
})

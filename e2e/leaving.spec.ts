import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, test } from './journey.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Уйти без сохранения?' })
const title = (page: Page) => page.getByLabel('Название')

test('leaving a changed form asks; staying keeps the text, leaving keeps it as a draft', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Была' })
  await page.goto(`/notes/${id}`)
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await title(page).fill('Стала')
  await page.getByRole('link', { name: 'Копилка' }).click()
  await expect(question(page).getByText('Черновик останется в этом браузере')).toBeVisible()
  await expectAccessible(page)
  await question(page).getByRole('button', { name: 'Остаться' }).click()
  await expect(page).toHaveURL(`/notes/${id}/edit`)
  await expect(title(page)).toHaveValue('Стала')

  await page.goBack()
  await question(page).getByRole('button', { name: 'Остаться' }).click()
  await expect(title(page)).toHaveValue('Стала')
  await page.getByRole('button', { name: 'Отмена' }).click()
  await question(page).getByRole('button', { name: 'Уйти' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(title(page)).toHaveValue('Стала')
})

test('an unchanged form and a saved one are left without a question', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Была' })
  await page.goto(`/notes/${id}`)
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await title(page).fill('Стала')
  await title(page).fill('Была')
  await page.getByRole('button', { name: 'Отмена' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await title(page).fill('Стала')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
  await expect(page).toHaveURL(`/notes/${id}`)
})

test('a reload asks only where something would be lost from sight; signing out never does', async ({
  signedIn: page,
}) => {
  const asked: string[] = []
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type())
    await dialog.accept()
  })
  await page.goto('/notes/add')
  await title(page).click()
  await page.reload()
  expect(asked).toEqual([])
  await title(page).click()
  await page.keyboard.type('Набрано')
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await expect(title(page)).toHaveValue('Набрано')
  await page.getByRole('button', { name: 'Добавить или выйти' }).click()
  await page.getByRole('menuitem', { name: 'Выйти' }).click()
  await expect(page).toHaveURL('/auth/login')
  expect(asked).toHaveLength(1)
})

for (const { name, add, path, gone, added, list } of [
  {
    name: 'a note',
    add: 'addNote',
    path: '/notes',
    gone: 'его можно сохранить как новую заметку',
    added: 'Заметка успешно добавлена!',
    list: '/notes',
  },
  {
    name: 'a link',
    add: 'addLink',
    path: '/urllinks',
    gone: 'его можно сохранить как новую ссылку',
    added: 'Ссылка успешно добавлена!',
    list: '/url-links',
  },
] as const) {
  test(`${name} that is deleted while it is edited: its text can become a new one`, async ({
    signedIn: page,
    account,
    address,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 404/)
    const { id } = await account[add]({ title: 'Была' })
    const edit = `${path}/${id}/edit`
    await page.goto(edit)
    await title(page).fill('Уцелела')
    await fetch(`${address}/api/v1${path}/${id}/`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${account.session.access_token}` },
    })
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(page.getByText(gone)).toBeVisible()
    await expect(title(page)).toHaveValue('Уцелела')
    await expectAccessible(page)
    // Also when the form is opened again, perhaps days later.
    await page.reload()
    await expect(page.getByText(gone)).toBeVisible()
    await expect(title(page)).toHaveValue('Уцелела')
    await page.getByRole('button', { name: 'Сохранить как новую' }).click()
    await expect(message(page, added)).toBeVisible()
    await expect(page).toHaveURL(list)
    await expect(page.getByRole('article')).toContainText('Уцелела')
    await page.goto(edit)
    await expect(page.getByText(gone)).toBeHidden()
    await expect(page.getByRole('heading', { name: /не найдена/ })).toBeVisible()
  })
}

test('of two versions both can be kept', async ({ signedIn: page, account, context, expectedInConsole }) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ title: 'Общая' })
  await page.goto(`/notes/${id}/edit`)
  await expect(title(page)).toHaveValue('Общая')
  const other = await context.newPage()
  await other.goto(`/notes/${id}/edit`)
  await title(other).fill('Чужая правка')
  await other.getByRole('button', { name: 'Сохранить' }).click()
  await expect(other).toHaveURL(`/notes/${id}`)
  await title(page).fill('Моя правка')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Оставить оба' }).click()
  await expect(page).toHaveURL('/notes')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('article').first()).toContainText('Моя правка')
  await expect(page.getByRole('article').last()).toContainText('Чужая правка')
})

test('a changed name of a tag and of a user is not lost without a question', async ({
  signedIn: page,
  account,
}) => {
  const { tags } = await account.addNote({ tags: ['кухня'] })
  for (const [path, label, save] of [
    [`/tags/${tags[0]?.id}/edit`, 'Название Тега', 'Сохранить'],
    ['/profile', 'Имя', 'Обновить профиль'],
  ] as const) {
    await page.goto(path)
    await page.getByLabel(label).fill('Иначе')
    await page.getByRole('link', { name: 'Копилка' }).click()
    await expect(question(page).getByText('Изменения не сохранены и пропадут.')).toBeVisible()
    await question(page).getByRole('button', { name: 'Остаться' }).click()
    await expect(page.getByLabel(label)).toHaveValue('Иначе')
    await page.getByRole('button', { name: save }).click()
    await expect(page.getByText(/успешно обновл[её]н\./)).toBeVisible()
    await page.getByRole('link', { name: 'Копилка' }).click()
    await expect(page).toHaveURL('/home')
  }
})

test('while a screen is on its way a thin line says so', async ({ signedIn: page }) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  let bring = () => {}
  const brought = new Promise<void>((resolve) => {
    bring = resolve
  })
  await page.route(/\/assets\/profile-page/, async (route) => {
    await brought
    await route.continue()
  })
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /Каренина/ })
    .click()
  await expect(page.getByRole('banner').getByRole('progressbar')).toBeVisible()
  bring()
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('progressbar')).toBeHidden()
})

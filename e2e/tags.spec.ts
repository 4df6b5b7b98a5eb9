import { TAG_ITEMS_SIZE } from '@kopilka/contract/limits.ts'
import type { Locator, Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  nextPaint,
  test,
} from './fixtures.ts'

const trail = 'Навигационная цепочка'

/** Adds a note with these tags; returns their ids by name. */
async function addTags(account: Account, ...names: string[]): Promise<Record<string, string>> {
  const { tags } = await account.addNote({ title: `Заметка про ${names[0]}`, tags: names })
  return Object.fromEntries(tags.map(({ id, name }) => [name, id]))
}

test('without tags the list says so', async ({ signedIn: page }) => {
  await page.goto('/tags')
  await expect(page.getByRole('heading', { name: 'Категории', level: 1 })).toBeVisible()
  await expect(page.getByText('Пока ни одной категории')).toBeVisible()
  await expectAccessible(page)
})

test('from the list to a tag and to its new name', async ({ signedIn: page, account }) => {
  const { кухня } = await addTags(account, 'кухня', 'дом')
  await account.addLink({
    title: 'Рецепты',
    url: 'https://recipes.example/борщ',
    description: `<p>${'Свёкла '.repeat(30)}</p>`,
    tags: ['Кухня'],
  })
  await page.goto('/tags')
  await expect(page.getByRole('navigation', { name: trail })).toHaveText(/Главная.*Категории/)
  const main = page.getByRole('main')
  const row = main.getByRole('listitem').filter({ hasText: 'кухня' })
  await expect(row).toContainText('Всего заметок: 1, Всего ссылок: 1')
  await expect(main.getByRole('listitem').filter({ hasText: 'дом' })).toContainText(
    'Всего заметок: 1, Всего ссылок: 0',
  )
  await expectAccessible(page)

  await row.getByRole('link', { name: 'Открыть категорию «кухня»' }).click()
  await expect(page).toHaveURL(`/tags/${кухня}`)
  await expect(page.getByRole('heading', { name: 'кухня', level: 1 })).toBeVisible()
  await expect(page.getByRole('navigation', { name: trail })).toHaveText(/Главная.*Категории.*кухня/)
  await expect(page.getByText('Всего заметок: 1, Всего ссылок: 1')).toBeVisible()
  const note = main.getByRole('article').filter({ hasText: 'Заметка про кухня' })
  await expect(note).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\d/)
  await expect(note.getByRole('link', { name: 'дом' })).toBeVisible()
  await expect(note.getByRole('link', { name: 'Открыть заметку «Заметка про кухня»' })).toBeVisible()
  const link = main.getByRole('article').filter({ hasText: 'Рецепты' })
  await expect(link).toContainText(/(?:Свёкла ){14}Св\.\.\./)
  await expect(link.getByRole('link', { name: /^Рецепты/ })).toHaveAttribute('target', '_blank')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(page).toHaveURL(new RegExp(`/tags/${кухня}/edit/?$`))
  await expect(page.getByRole('navigation', { name: trail })).toBeHidden()
  const name = page.getByLabel('Название Тега')
  await expect(name).toHaveValue('кухня')
  await name.fill(' ')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Пожалуйста, исправьте ошибки в форме.')).toBeVisible()
  await expect(page.getByText('Обязательное поле')).toBeVisible()
  await expectAccessible(page)
  await name.fill('Готовка')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Тег успешно обновлён.')).toBeVisible()
  await expect(page).toHaveURL(`/tags/${кухня}`)
  await expect(page.getByRole('heading', { name: 'Готовка', level: 1 })).toBeVisible()
  await expect(note.getByRole('link', { name: 'Готовка' })).toBeVisible()
})

test('a form that nobody has touched follows a renaming elsewhere', async ({ signedIn: page, account }) => {
  const { дом } = await addTags(account, 'дом')
  await page.clock.install()
  await page.goto(`/tags/${дом}/edit`)
  const name = page.getByLabel('Название Тега')
  await expect(name).toHaveValue('дом')
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const renamed = { headers, data: { name: 'дача' } }
  expect((await page.request.put(`/api/v1/tags/${дом}/`, renamed)).status()).toBe(200)
  await page.clock.fastForward(11_000)
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await expect(name).toHaveValue('дача')
  await page.reload()
  await expect(name).toHaveValue('дача')
})

test('a tag is deleted once confirmed; its items stay', async ({ signedIn: page, account }) => {
  const { кухня } = await addTags(account, 'кухня', 'дом')
  await page.goto(`/tags/${кухня}`)
  const remove = page.getByRole('button', { name: 'Удалить' })
  await remove.click()
  const dialog = page.getByRole('dialog', { name: 'Подтверждение удаления' })
  await expect(
    dialog.getByText('Вы уверены, что хотите удалить этот тег? Это действие необратимо.'),
  ).toBeVisible()
  await expectAccessible(page)
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(500)
  await dialog.getByRole('button', { name: 'Отмена' }).click()
  await expect(dialog).toBeHidden()
  await expect(remove).toBeFocused()
  await remove.click()
  await dialog.getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Тег успешно удалён.')).toBeVisible()
  await expect(page).toHaveURL('/tags')
  // The address changes before the page does.
  await expect(page.getByRole('main').getByText('кухня')).toHaveCount(0)
  await expect(page.getByRole('main').getByText('дом')).toBeVisible()
  await page.goto('/notes')
  await expect(page.getByRole('article')).toContainText('Заметка про кухня')
})

test('a name that is taken is said at the field and in a snackbar, and what was typed stays', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  const { кухня } = await addTags(account, 'кухня', 'Дом')
  await page.goto(`/tags/${кухня}/edit/`)
  const name = page.getByLabel('Название Тега')
  await name.fill('ДОМ')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const taken = 'Категория с таким названием уже существует.'
  await expect(message(page, taken)).toBeVisible()
  await expect(page.getByText(taken)).toHaveCount(2)
  await expect(name).toHaveAccessibleDescription(taken)
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('ДОМ')
})

/** The dialog that merges a tag, opened from its screen. */
async function openMerge(page: Page, tag: string | undefined): Promise<Locator> {
  await page.goto(`/tags/${tag}`)
  await page.getByRole('button', { name: 'Объединить' }).click()
  return page.getByRole('dialog', { name: 'Объединение категорий' })
}

test('a tag becomes part of another one, from its screen, and that is undone', async ({
  signedIn: page,
  account,
}) => {
  const { дом } = await addTags(account, 'дом')
  const { дача } = await addTags(account, 'дача')
  const dialog = await openMerge(page, дом)
  await expect(dialog).toContainText('Всё из «дом» перейдёт в выбранную категорию, а «дом» исчезнет.')
  await expectAccessible(page)
  const into = dialog.getByRole('combobox', { name: 'Объединить с' })
  await into.fill('нет такой')
  await into.press('Enter')
  await expect(dialog).toContainText('Такой категории нет.')
  await into.fill('Дача')
  await dialog.getByRole('button', { name: 'Объединить' }).click()
  await expect(message(page, 'Категории объединены.')).toBeVisible()
  await expect(page).toHaveURL(`/tags/${дача}`)
  await expect(page.getByRole('article')).toHaveCount(2)
  // Over the other tag's page it would offer to merge that one.
  await expect(dialog).toBeHidden()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.goto('/tags')
  await expect(page.getByRole('main').getByText('дом')).toBeVisible()
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })

    test('the tags to merge with cover none of the buttons', async ({ signedIn: page, account }) => {
      const others = Array.from({ length: 12 }, (_, at) => `дача ${at + 10}`)
      const { дом } = await addTags(account, 'дом', ...others)
      const dialog = await openMerge(page, дом)
      const into = dialog.getByRole('combobox', { name: 'Объединить с' })
      const list = dialog.getByRole('listbox')
      await expect(into).toBeFocused()
      await nextPaint(page)
      await expect(into).toHaveAttribute('aria-expanded', 'false')
      await page.keyboard.type('дача')
      await expect(list.getByRole('option', { name: 'дача 10' })).toBeVisible()
      for (const button of ['Отмена', 'Объединить'])
        await dialog.getByRole('button', { name: button }).click({ trial: true })
      await list.getByRole('option', { name: 'дача 10' }).click()
      await expect(list).toBeHidden()
      await expect(into).toHaveValue('дача 10')
      await dialog.getByRole('button', { name: 'Отмена' }).click()
      await expect(dialog).toBeHidden()
    })
  })

test('the tag into which another was merged is not requested again before it shows', async ({
  signedIn: page,
  account,
  hold,
}) => {
  const { дом } = await addTags(account, 'дом')
  const { дача } = await addTags(account, 'дача')
  const dialog = await openMerge(page, дом)
  await dialog.getByRole('combobox', { name: 'Объединить с' }).fill('дача')
  const held = await hold(`**/api/v1/tags/${дача}/`)
  await dialog.getByRole('button', { name: 'Объединить' }).click()
  await expect(page.getByRole('heading', { name: 'дача', level: 1 })).toBeVisible()
  await expect(page.getByText('Всего заметок: 2, Всего ссылок: 0')).toBeVisible()
  await held.release()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('that the tags could not be looked up is not that there is no such tag', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  const { дом } = await addTags(account, 'дом')
  await addTags(account, 'дача')
  const dialog = await openMerge(page, дом)
  await page.route('**/api/v1/tags/?*', (route) => route.fulfill({ status: 500, json: {} }))
  await dialog.getByRole('combobox', { name: 'Объединить с' }).fill('дача')
  await dialog.getByRole('button', { name: 'Объединить' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Не удалось загрузить теги.' })).toBeVisible()
  await expect(dialog).not.toContainText('Такой категории нет.')
})

test('after a merge of selected tags with the keys alone the heading has the focus', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Заметка', tags: ['дача', 'дом', 'сад'] })
  await page.goto('/tags')
  for (const name of ['дом', 'сад']) {
    await page.getByRole('checkbox', { name: `Выбрать «${name}»` }).focus()
    await page.keyboard.press('Space')
  }
  await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Объединить' }).focus()
  await page.keyboard.press('Enter')
  const into = page.getByRole('dialog').getByRole('combobox', { name: 'Объединить с' })
  await expect(into).toBeFocused()
  await into.fill('дача')
  await into.press('Enter')
  await expect(page.getByRole('checkbox')).toHaveCount(1)
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('renaming to a name in use offers to merge', async ({ signedIn: page, account, expectedInConsole }) => {
  expectedInConsole.push(/status of 400/)
  const { дом } = await addTags(account, 'дом')
  const { дача } = await addTags(account, 'дача')
  await page.goto(`/tags/${дом}/edit/`)
  await page.getByLabel('Название Тега').fill('ДАЧА')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByRole('button', { name: 'Объединить' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Объединить с' })).toHaveValue('ДАЧА')
  await dialog.getByRole('button', { name: 'Объединить' }).click()
  await expect(page).toHaveURL(`/tags/${дача}`)
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('after a merge from its form Back leads past the tag that is gone, to the list', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  const { дача } = await addTags(account, 'дом', 'дача')
  await page.goto('/tags')
  await page.getByRole('link', { name: 'Открыть категорию «дом»' }).click()
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await page.getByLabel('Название Тега').fill('дача')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByRole('button', { name: 'Объединить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Объединить' }).click()
  await expect(message(page, 'Категории объединены.')).toBeVisible()
  await expect(page).toHaveURL(`/tags/${дача}`)
  await expect(page.getByRole('heading', { name: 'дача', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/tags')
  await expect(page.getByRole('link', { name: 'Открыть категорию «дача»' })).toBeVisible()
})

test('tags are listed by number, and several are deleted or merged at once', async ({
  signedIn: page,
  account,
}) => {
  await addTags(account, 'арбуз', 'яблоко')
  await addTags(account, 'яблоко', 'груша')
  await page.goto('/tags')
  const names = page.getByRole('main').getByRole('link', { name: /^Открыть категорию/ })
  const inOrder = (...expected: string[]) =>
    expect
      .poll(() =>
        names.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.match(/«(.*)»/)?.[1])),
      )
      .toEqual(expected)
  await inOrder('арбуз', 'груша', 'яблоко')
  await page.getByRole('button', { name: 'Порядок' }).click()
  await page.getByRole('menuitemradio', { name: 'По числу записей' }).click()
  await expect(page).toHaveURL('/tags?sort=count')
  await inOrder('яблоко', 'арбуз', 'груша')
  await expect(page.getByRole('menu')).toBeHidden()
  const search = page.getByLabel('Поиск по категориям')
  await search.fill('руш')
  await inOrder('груша')
  await expect(page).toHaveURL('/tags?search=%D1%80%D1%83%D1%88&sort=count')
  await search.fill('')
  await inOrder('яблоко', 'арбуз', 'груша')

  const bar = page.getByRole('region', { name: 'Выбранное' })
  for (const name of ['арбуз', 'груша'])
    await page.getByRole('checkbox', { name: `Выбрать «${name}»` }).check()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Объединить' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Объединить с' }).fill('груша')
  await dialog.getByRole('button', { name: 'Объединить' }).click()
  await expect(message(page, 'Категории объединены.')).toBeVisible()
  await inOrder('груша', 'яблоко')
  await expect(bar).toBeHidden()
  await page.keyboard.press('Control+a')
  await bar.getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByRole('dialog')).toContainText(
    'Удалить выбранные категории: 2? Заметки и ссылки останутся.',
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Пока ни одной категории')).toBeVisible()
  await page
    .getByRole('region', { name: 'Сообщения' })
    .getByRole('button', { name: 'Отменить' })
    .last()
    .click()
  await inOrder('груша', 'яблоко')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('tags are merged and deleted, one and several, and the snackbar undoes it', async ({
    signedIn: page,
    account,
  }) => {
    const { дом } = await addTags(account, 'дом')
    await addTags(account, 'дача', 'сад')
    const undo = page.getByRole('region', { name: 'Сообщения' }).getByRole('button', { name: 'Отменить' })
    await page.goto(`/tags/${дом}`)
    await page.getByRole('button', { name: 'Объединить' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Объединить с' }).fill('дача')
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Объединить' }).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await undo.click()
    await expect(page.getByRole('article')).toHaveCount(1)
    await page.goto('/tags?sort=count')
    for (const name of ['дом', 'сад']) await page.getByRole('checkbox', { name: `Выбрать «${name}»` }).check()
    await expectNoSidewaysScroll(page)
    await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Удалить' }).click()
    // A finger leaves no pointer over a row, which would preload a tag that is gone by then.
    await page.mouse.move(0, 0)
    await dialog.getByRole('button', { name: 'Удалить' }).press('Enter')
    const rows = page.getByRole('main').getByRole('link', { name: /^Открыть категорию/ })
    await expect(rows).toHaveCount(1)
    await undo.click()
    await expect(rows).toHaveCount(3)
  })

  test('notes and links are selected on a tag’s page and among what was found; a name in use merges', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 400/)
    const { tags } = await account.addNote({ title: 'Суп', tags: ['еда'] })
    await account.addLink({ title: 'Рецепт супа', tags: ['еда'] })
    const other = await account.addNote({ title: 'Обед', tags: ['кухня'] })
    const bar = page.getByRole('region', { name: 'Выбранное' })
    const selectBoth = async () => {
      for (const title of ['Суп', 'Рецепт супа'])
        await page.getByRole('checkbox', { name: `Выбрать «${title}»`, exact: true }).check()
      await expect(bar).toContainText('Выбрано: 2')
      await expectNoSidewaysScroll(page)
    }
    await page.goto(`/tags/${tags[0]?.id}`)
    await selectBoth()
    await bar.getByRole('button', { name: 'Закрепить' }).click()
    await expect(page.getByRole('img', { name: 'Закреплено' })).toHaveCount(2)
    await page.goto('/home?search=%D1%81%D1%83%D0%BF')
    await selectBoth()
    await bar.getByRole('button', { name: 'Удалить' }).click()
    await expect(page.getByRole('article')).toHaveCount(0)
    await page.getByRole('region', { name: 'Сообщения' }).getByRole('button', { name: 'Отменить' }).click()
    await expect(page.getByRole('article')).toHaveCount(2)
    await page.goto(`/tags/${tags[0]?.id}/edit/`)
    await page.getByLabel('Название Тега').fill('КУХНЯ')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('button', { name: 'Объединить' }).click()
    await expectNoSidewaysScroll(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Объединить' }).click()
    await expect(page).toHaveURL(`/tags/${other.tags[0]?.id}`)
    await expect(page.getByRole('article')).toHaveCount(3)
  })
})

test('a tag renamed while an item is edited does not come back', async ({
  signedIn: page,
  account,
  context,
}) => {
  const { id, tags } = await account.addNote({ title: 'Правится', tags: ['дом', 'сад'] })
  await page.goto(`/notes/${id}/edit`)
  const field = page.getByRole('combobox', { name: 'Теги' })
  await field.fill('новый')
  await field.press('Enter')
  const other = await context.newPage()
  await other.goto(`/tags/${tags.find(({ name }) => name === 'дом')?.id}/edit/`)
  await other.getByLabel('Название Тега').fill('усадьба')
  await other.getByRole('button', { name: 'Сохранить' }).click()
  await expect(other.getByRole('heading', { name: 'усадьба' })).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')).toHaveText([
    'новый',
    'сад',
    'усадьба',
  ])
})

test('tags renamed, merged and deleted while an item is edited do not come back, with its draft neither', async ({
  signedIn: page,
  account,
  context,
}) => {
  const { id, tags } = await account.addNote({ title: 'Правится', tags: ['дом', 'сад', 'лес', 'луг'] })
  const others = (await account.addNote({ title: 'Другая', tags: ['море', 'река', 'пруд'] })).tags
  const idOf = (name: string) => [...tags, ...others].find((tag) => tag.name === name)?.id
  await page.goto(`/notes/${id}/edit`)
  const field = page.getByRole('combobox', { name: 'Теги' })
  for (const name of ['море', 'река', 'пруд']) {
    await field.fill(name)
    await page.getByRole('option', { name }).click()
  }
  await field.fill('новый')
  await field.press('Enter')
  const other = await context.newPage()
  await other.goto(`/tags/${idOf('дом')}`)
  await other.getByRole('button', { name: 'Удалить' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(other).toHaveURL('/tags')
  await other.goto(`/tags/${idOf('сад')}/edit/`)
  await other.getByLabel('Название Тега').fill('огород')
  await other.getByRole('button', { name: 'Сохранить' }).click()
  await expect(other.getByRole('heading', { name: 'огород' })).toBeVisible()
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const merge = { headers, data: { into: idOf('луг') } }
  expect((await page.request.post(`/api/v1/tags/${idOf('лес')}/merge/`, merge)).status()).toBe(200)
  // Of those that were picked in the form one gets another name, one becomes part of another, and one goes.
  const tagAt = (name: string) => `/api/v1/tags/${idOf(name)}/`
  const renaming = { headers, data: { name: 'океан' } }
  expect((await page.request.put(tagAt('море'), renaming)).status()).toBe(200)
  expect((await page.request.post(`${tagAt('река')}merge/`, merge)).status()).toBe(200)
  expect((await page.request.delete(tagAt('пруд'), { headers })).status()).toBe(204)
  // What the form holds is a draft by now, and is compared with the item as it is.
  await page.reload()
  await expect(page.getByText('новый')).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(message(page, 'Эти теги тем временем удалены, они не добавлены: пруд.')).toBeVisible()
  const named = page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')
  await expect(named).toHaveText(['луг', 'новый', 'огород', 'океан'])
})

test('a tag deleted while an item is edited does not come back', async ({
  signedIn: page,
  account,
  context,
}) => {
  const { id, tags } = await account.addNote({ title: 'Правится', tags: ['дом', 'сад'] })
  await page.goto(`/notes/${id}/edit`)
  const field = page.getByRole('combobox', { name: 'Теги' })
  await field.fill('новый')
  await field.press('Enter')
  const other = await context.newPage()
  await other.goto(`/tags/${tags.find(({ name }) => name === 'дом')?.id}`)
  await other.getByRole('button', { name: 'Удалить' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(other).toHaveURL('/tags')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  const named = page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')
  await expect(named).toHaveText(['новый', 'сад'])
})

test('in a conflict the form’s version shows the tags that it is saved with', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id, tags } = await account.addNote({ title: 'Правится', tags: ['дом', 'сад'] })
  await page.goto(`/notes/${id}/edit`)
  const field = page.getByRole('combobox', { name: 'Теги' })
  await field.fill('новый')
  await field.press('Enter')
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const removed = tags.find(({ name }) => name === 'дом')?.id
  expect((await page.request.delete(`/api/v1/tags/${removed}/`, { headers })).status()).toBe(204)
  const data = { title: 'Чужая правка', content: '<p>Текст</p>', add_tags: ['лес'] }
  expect((await page.request.put(`/api/v1/notes/${id}/`, { headers, data })).status()).toBe(200)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const dialog = page.getByRole('dialog')
  const mine = dialog.getByRole('region', { name: 'Ваш вариант' })
  await expect(mine.getByRole('definition').last()).toHaveText('новый, лес, сад')
  await dialog.getByRole('button', { name: 'Сохранить мой' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  const named = page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')
  await expect(named).toHaveText(['лес', 'новый', 'сад'])
})

test('another tag’s chip brings that tag’s items', async ({ signedIn: page, account }) => {
  const { раз } = await addTags(account, 'раз', 'два')
  const { три } = await addTags(account, 'три', 'два')
  await page.goto(`/tags/${раз}`)
  await page.getByRole('main').getByRole('link', { name: 'два', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'два', level: 1 })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('main').getByRole('link', { name: 'три', exact: true }).click()
  await expect(page).toHaveURL(`/tags/${три}`)
  await expect(page.getByText('Всего заметок: 1, Всего ссылок: 0')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('of more items than a tag’s screen holds it leads to the whole list', async ({
  signedIn: page,
  account,
}) => {
  const { много } = await addTags(account, 'много')
  for (let at = 0; at < TAG_ITEMS_SIZE; at += 1) await account.addNote({ tags: ['много'] })
  await page.goto(`/tags/${много}`)
  await expect(page.getByText('Всего заметок: 101, Всего ссылок: 0')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(TAG_ITEMS_SIZE)
  await page.getByRole('link', { name: 'Все заметки: 101' }).click()
  await expect(page).toHaveURL(`/notes?tag=${много}`)
  await expect(page.getByRole('article')).toHaveCount(15)
})

test('of many tags one is found by a part of its name', async ({ signedIn: page, account }) => {
  for (let at = 0; at < 12; at += 1) {
    await account.addNote({ tags: Array.from({ length: 50 }, (_, tag) => `Тег ${at * 50 + tag}`) })
  }
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Всего' })
  await page.goto('/tags')
  // A page of all of them would have no end: more come when asked for.
  await expect(rows).toHaveCount(60)
  await page.getByRole('button', { name: 'Показать ещё' }).click()
  await expect(rows).toHaveCount(300)
  const search = page.getByLabel('Поиск по категориям')
  await search.fill('ег 59')
  await expect(page).toHaveURL(/\/tags\?search=/)
  await expect(rows).toHaveCount(11)
  await page.reload()
  await expect(search).toHaveValue('ег 59')
  await search.fill('нет такой')
  await expect(page.getByText('Таких категорий не нашлось.')).toBeVisible()
  await page.getByRole('button', { name: 'Очистить поиск' }).click()
  await expect(page).toHaveURL('/tags')
})

test.describe('failures', () => {
  test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/status of (?:404|500)/))

  test('a list that could not be loaded says so, and can be retried', async ({ signedIn: page, account }) => {
    await addTags(account, 'кухня')
    await page.route(/\/api\/v1\/tags\/(?:\?.*)?$/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto('/tags')
    await expect(page.getByRole('alert')).toContainText('Не удалось загрузить теги.')
    await expectAccessible(page)
    await page.unroute(/\/api\/v1\/tags\/(?:\?.*)?$/)
    await page.getByRole('button', { name: 'Повторить' }).click()
    await expect(page.getByRole('main').getByText('кухня')).toBeVisible()
  })

  test('a tag’s items: alert and snackbar; the tag itself: a name that stands in', async ({
    signedIn: page,
    account,
  }) => {
    const { кухня } = await addTags(account, 'кухня')
    await page.route('**/api/v1/tags/*/items/*', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`/tags/${кухня}`)
    await expect(page.getByText('Не удалось загрузить данные тега.')).toHaveCount(2)
    await expect(page.getByRole('heading', { name: 'кухня' })).toBeVisible()
    await expectAccessible(page)

    await page.unroute('**/api/v1/tags/*/items/*')
    await page.route('**/api/v1/tags/*/', (route) => route.fulfill({ status: 500, json: {} }))
    await page.goto(`/tags/${кухня}`)
    await expect(page.getByRole('heading', { name: 'Неизвестный Тег' })).toBeVisible()
    await expect(message(page, 'Не удалось загрузить данные тега.')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(1)
  })

  test('a tag that is not there says so in the server’s words', async ({ signedIn: page }) => {
    await page.goto('/tags/01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
    await expect(page.getByRole('heading', { name: 'Неизвестный Тег' })).toBeVisible()
    await expect(page.getByText('Категория не найдена. Возможно, её уже удалили.')).toHaveCount(2)
    for (const path of ['/tags/01a1fa45-9743-7383-8dfc-4ee65ccd69d0', '/tags/nonsense/edit/']) {
      await page.goto(path)
      const toList = page.getByRole('link', { name: 'К списку категорий' })
      await expect(toList).toBeVisible()
      // It would only say the same once more.
      await expect(page.getByRole('button', { name: 'Повторить' })).toBeHidden()
      await expectAccessible(page)
      await toList.click()
      await expect(page).toHaveURL('/tags')
    }
  })

  test('neither saving nor deleting is believed before it is done', async ({ signedIn: page, account }) => {
    const { кухня } = await addTags(account, 'кухня')
    await page.goto(`/tags/${кухня}/edit/`)
    await page.getByLabel('Название Тега').fill('Новое имя')
    await page.route('**/api/v1/tags/*/', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, json: {} }),
    )
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(message(page, 'Не удалось обновить тег.')).toBeVisible()
    await expect(page.getByLabel('Название Тега')).toHaveValue('Новое имя')

    await page.goto(`/tags/${кухня}`)
    await page.getByRole('button', { name: 'Удалить' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
    await expect(message(page, 'Не удалось удалить тег.')).toBeVisible()
    await expect(page).toHaveURL(`/tags/${кухня}`)
    await expect(page.getByRole('heading', { name: 'кухня' })).toBeVisible()
  })
})

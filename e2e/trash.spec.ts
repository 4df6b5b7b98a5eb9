import type { Locator, Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  nextPaint,
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

/** Has the page read again what it shows, as one does who comes back to it after a while. Needs the clock. */
async function readAgain(page: Page): Promise<void> {
  await page.clock.fastForward(15_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
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
  // With the focus the message stays.
  await undo(page).focus()
  await expectAccessible(page)
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
  // Under the pointer the message stays.
  await undo(page).hover()
  await page.getByLabel('Поиск по ссылкам').press('Control+z')
  await page.getByRole('heading', { level: 1 }).focus()
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('article')).toContainText('Нечаянно')
  // The message offers no more what has been undone.
  await expect(undo(page)).toBeHidden()
})

test('after a reload Ctrl+Z says that this page has nothing to undo, and leads to the history', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Нечаянно' })
  await page.goto(`/notes/${id}`)
  await removeShown(page)
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  const said = message(page, 'Здесь отменять нечего. Сделанное раньше можно отменить в истории действий.')
  for (let presses = 0; presses < 2; presses += 1) {
    await page.getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('Control+z')
    await expect(said).toHaveCount(1)
  }
  await expectAccessible(page)
  await snackbar(page).getByRole('button', { name: 'История действий' }).click()
  await expect(page).toHaveURL('/profile/history')
  await expect(page.getByRole('button', { name: /^Отменить: Удаление/ })).toBeVisible()
})

test('the screen of a deleted note shows it again once the deletion is undone', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const { id } = await account.addNote({ title: 'Нечаянно' })
  await page.goto(`/notes/${id}`)
  await removeShown(page)
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: /не найдена/ })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'К списку заметок' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Корзина' }).click()
  await expect(page.getByRole('button', { name: 'Нечаянно', exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: /не найдена/ })).toBeVisible()
  await undo(page).click()
  await expect(page.getByRole('heading', { name: 'Нечаянно', level: 1 })).toBeVisible()
})

test('Ctrl+Z undoes on a screen with a form as well, while no field of it has the focus', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addLink({ title: 'Нечаянно' })
  await page.goto(`/urllinks/${id}`)
  await removeShown(page)
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await page.getByRole('link', { name: 'Новая ссылка' }).first().click()
  await expect(page.getByLabel('Название')).toBeVisible()
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('Control+z')
  await expect(message(page, 'Отменено.')).toBeVisible()
})

test('what is gone already stops neither a deletion for ever nor one of tags', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const remove = async (path: string) =>
    expect((await page.request.delete(`/api/v1${path}/`, { headers })).status()).toBe(204)
  const bar = page.getByRole('region', { name: 'Выбранное' })
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Удалить/ })
  const notes = []
  for (const title of ['Один', 'Два', 'Три']) notes.push(await account.addNote({ title, tags: [title] }))
  await page.goto('/tags')
  for (const name of ['Два', 'Один', 'Три'])
    await page.getByRole('checkbox', { name: `Выбрать «${name}»` }).check()
  await remove(`/tags/${notes[1]?.tags[0]?.id}`)
  await bar.getByRole('button', { name: 'Удалить' }).click()
  await confirm.click()
  await expect(page.getByText('Пока ни одной категории')).toBeVisible()
  await expect(message(page, 'Удалено категорий: 2.')).toBeVisible()
  for (const { id } of notes) await remove(`/notes/${id}`)
  await page.goto('/trash')
  for (const name of ['Один', 'Два', 'Три'])
    await page.getByRole('checkbox', { name: `Выбрать «${name}»` }).check()
  await remove(`/trash/${notes[1]?.id}`)
  await bar.getByRole('button', { name: 'Удалить навсегда' }).click()
  await confirm.click()
  await expect(page.getByText('В корзине пусто')).toBeVisible()
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

test('the back button closes a deleted item before it leaves the trash', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Щи' })
  await removeNotes(page, account, [id])
  await page.goto('/home')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Корзина' }).click()
  await page.getByRole('button', { name: 'Щи', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Щи' })
  await expect(dialog).toBeVisible()
  // The dialog holds the step back from its first painting on.
  await nextPaint(page)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/trash')
  await page.goBack()
  await expect(page).toHaveURL('/home')
})

test('nothing is done to all that a search finds in the trash before it has been found', async ({
  signedIn: page,
  account,
  hold,
}) => {
  const ids = []
  for (let at = 1; at <= 17; at += 1) ids.push((await account.addNote({ title: `Щи ${at}!` })).id)
  ids.push((await account.addNote({ title: 'Уха' })).id)
  await removeNotes(page, account, ids)
  await page.goto('/trash')
  await expect(page.getByRole('button', { name: 'Восстановить всё' })).toBeEnabled()
  const held = await hold('**/api/v1/trash/?*search*')
  await page.getByLabel('Поиск по корзине').fill('уха')
  await page.getByLabel('Поиск по корзине').press('Enter')
  await held.requested
  const restoreFound = page.getByRole('button', { name: 'Восстановить найденное' })
  await expect(restoreFound).toBeDisabled()
  await expect(page.getByText(/^Найдено: /)).toBeHidden()
  const bar = page.getByRole('region', { name: 'Выбранное' })
  await page.getByRole('checkbox', { name: 'Выбрать «Уха»' }).check()
  await expect(bar.getByRole('button', { name: 'Восстановить' })).toBeVisible()
  await expect(bar.getByRole('button', { name: /^Выбрать все/ })).toBeHidden()
  await held.release()
  await expect(page.getByText('Найдено: 1')).toBeVisible()
  await restoreFound.click()
  await expect(message(page, 'Восстановлено: 1.')).toBeVisible()
})

test('what is left of a selection can be restored where a part of it is gone', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const ids = []
  for (const title of ['Щи', 'Борщ', 'Уха']) ids.push((await account.addNote({ title })).id)
  await removeNotes(page, account, ids)
  await page.goto('/trash')
  for (const title of ['Щи', 'Борщ', 'Уха'])
    await page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  expect((await page.request.delete(`/api/v1/trash/${ids[1]}/`, { headers })).status()).toBe(204)
  const bar = page.getByRole('region', { name: 'Выбранное' })
  await bar.getByRole('button', { name: 'Восстановить' }).click()
  await expect(snackbar(page)).toContainText('В корзине этой записи нет.')
  await expect(bar).toContainText('Выбрано: 2')
  await bar.getByRole('button', { name: 'Восстановить' }).click()
  await expect(message(page, 'Восстановлено: 2.')).toBeVisible()
  await expect(page.getByText('В корзине пусто')).toBeVisible()
})

test('all that a search finds in the trash is restored, or deleted for ever, beyond the page too', async ({
  signedIn: page,
  account,
}) => {
  const ids = []
  for (let at = 1; at <= 17; at += 1) ids.push((await account.addNote({ title: `Щи ${at}!` })).id)
  for (const title of ['Уха', 'Плов']) ids.push((await account.addNote({ title })).id)
  await removeNotes(page, account, ids)
  const bar = page.getByRole('region', { name: 'Выбранное' })
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
  // Past the end: the last page shows.
  await page.goto('/trash?page=9')
  await expect(page).toHaveURL('/trash?page=2')
  await expect(rows).toHaveCount(4)
  const selectFound = async (count: number) => {
    await page.goto('/trash?search=щи')
    await page.getByRole('checkbox', { name: 'Выбрать «Щи 17!»' }).check()
    await bar.getByRole('button', { name: `Выбрать все найденные: ${count}` }).click()
    await expect(bar).toContainText(`Выбраны все найденные: ${count}`)
  }
  await selectFound(17)
  await expect(rows.first().locator('mark')).toHaveText('Щи')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Восстановить' }).click()
  await expect(message(page, 'Восстановлено: 17.')).toBeVisible()
  await undo(page).click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  await selectFound(17)
  // How far it has come is told by what is left in the trash.
  const seen = Promise.withResolvers<void>()
  const counted = page.waitForResponse(/\/api\/v1\/trash\/$/)
  await page.route('**/api/v1/trash/delete/', async (route) => {
    await counted
    const response = await route.fetch()
    await seen.promise
    await route.fulfill({ response })
  })
  await bar.getByRole('button', { name: 'Удалить навсегда' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect(bar.getByText('Сделано: 17 из 17')).toBeVisible()
  seen.resolve()
  await expect(message(page, 'Удалено навсегда: 17.')).toBeVisible()
  await page.goto('/trash')
  await expect(rows).toHaveCount(2)
})

test('what is deleted while the page asks stays when the trash is emptied', async ({
  signedIn: page,
  account,
}) => {
  const add = async (title: string) => (await account.addNote({ title })).id
  const first = [await add('Щи'), await add('Борщ'), await add('Уха')]
  const later = []
  for (let at = 1; at <= 5; at += 1) later.push(await add(`Плов ${at}`))
  await removeNotes(page, account, first)
  await page.clock.install()
  await page.goto('/trash')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Удалить навсегда всё, что в корзине: 3?')
  await removeNotes(page, account, later)
  // The list is read again behind the question, which goes on to mean what it says.
  await readAgain(page)
  await expect(page.getByText('Плов 5')).toBeVisible()
  await expect(question).toContainText('Удалить навсегда всё, что в корзине: 3?')
  await question.getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(message(page, 'Корзина очищена.')).toBeVisible()
  await expect(rows).toHaveCount(5)
  await page.reload()
  await expect(rows).toHaveCount(5)
  await expect(rows.filter({ hasText: 'Плов' })).toHaveCount(5)
  // Asked again, all that the list has by now.
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(question).toContainText('Удалить навсегда всё, что в корзине: 5?')
  await question.getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(page.getByText('В корзине пусто')).toBeVisible()
})

test('what a search would find, but was deleted after it, stays when all that it found is deleted for ever', async ({
  signedIn: page,
  account,
}) => {
  const ids = []
  for (let at = 1; at <= 8; at += 1) ids.push((await account.addNote({ title: `Мусор ${at}` })).id)
  await removeNotes(page, account, ids.slice(0, 3))
  await page.clock.install()
  await page.goto('/trash?search=мусор')
  const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
  const bar = page.getByRole('region', { name: 'Выбранное' })
  await page.getByRole('checkbox', { name: 'Выбрать «Мусор 3»' }).check()
  await bar.getByRole('button', { name: 'Выбрать все найденные: 3' }).click()
  await removeNotes(page, account, ids.slice(3, 6))
  await bar.getByRole('button', { name: 'Удалить навсегда' }).click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Удалить навсегда выбранное: 3?')
  await removeNotes(page, account, ids.slice(6))
  await readAgain(page)
  await expect(page.getByText('Мусор 8')).toBeVisible()
  await expect(question).toContainText('Удалить навсегда выбранное: 3?')
  await question.getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect(message(page, 'Удалено навсегда: 3.')).toBeVisible()
  await expect(rows).toHaveCount(5)
  await page.reload()
  await expect(page.getByText('Найдено: 5')).toBeVisible()
})

for (const { viewport } of [
  { viewport: { width: 1280, height: 800 } },
  { viewport: { width: 390, height: 844 } },
])
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })

    test('what was deleted can be read whole before it is brought back or deleted for ever', async ({
      signedIn: page,
      account,
    }) => {
      const content = `<p>${'Начало, которое показывает и список. '.repeat(10)}</p><ul><li>Конец</li></ul>`
      const { id } = await account.addNote({ title: 'Черновик', content, tags: ['дом'] })
      await removeNotes(page, account, [id])
      const { id: link } = await account.addLink({
        title: 'Рецепты',
        url: 'https://example.org/soup',
        description: '<p>Про супы</p>',
      })
      const headers = { authorization: `Bearer ${account.session.access_token}` }
      expect((await page.request.delete(`/api/v1/urllinks/${link}/`, { headers })).status()).toBe(204)
      await page.goto('/trash')
      await expect(page.getByText('Через 30 дней после удаления они исчезают навсегда.')).toBeVisible()
      const dialogOf = (name: string) => page.getByRole('dialog', { name })
      const open = (title: string) => page.getByRole('button', { name: title, exact: true }).click()
      await open('Рецепты')
      await expect(dialogOf('Рецепты').getByText('Про супы')).toBeVisible()
      const address = dialogOf('Рецепты').getByRole('link')
      await expect(address).toHaveAttribute('href', 'https://example.org/soup')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await dialogOf('Рецепты').getByRole('button', { name: 'Удалить навсегда' }).click()
      const question = dialogOf('Подтверждение удаления')
      await expect(question).toContainText('Удалить «Рецепты» навсегда?')
      await question.getByRole('button', { name: 'Удалить навсегда' }).click()
      await expect(message(page, 'Удалено навсегда: 1.')).toBeVisible()
      await open('Черновик')
      const dialog = dialogOf('Черновик')
      await expect(dialog.getByRole('listitem')).toHaveText('Конец')
      await expect(dialog).toContainText('дом')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(page.getByRole('button', { name: 'Черновик', exact: true })).toBeFocused()
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: 'Восстановить' }).click()
      await expect(message(page, 'Восстановлено: 1.')).toBeVisible()
      await expect(page.getByText('В корзине пусто')).toBeVisible()
      await page.goto('/profile/history')
      await expect(page.getByText('Восстановление из корзины: «Черновик»')).toBeVisible()
      // What was deleted for ever is not named.
      await expect(page.getByText('Удаление', { exact: true })).toBeVisible()
      await expect(page.getByText('Рецепты')).toHaveCount(0)
      await expectNoSidewaysScroll(page)
    })
  })

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('everything in the trash comes back at once', async ({ signedIn: page, account }) => {
    const ids = []
    for (let at = 0; at < 17; at += 1) ids.push((await account.addNote({ title: `Запись ${at}` })).id)
    await removeNotes(page, account, ids)
    await page.goto('/trash')
    const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
    await expect(rows).toHaveCount(15)
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    const sidesOf = async (button: Locator) => {
      const { x, width, height } = (await button.boundingBox()) ?? {}
      return { x, width, height }
    }
    const even = async (place: Page | Locator, first: string, ...others: string[]) => {
      const buttonOf = (name: string) => place.getByRole('button', { name, exact: true })
      for (const name of others)
        expect(await sidesOf(buttonOf(name)), name).toEqual(await sidesOf(buttonOf(first)))
    }
    await even(page, 'Восстановить всё', 'Очистить корзину')
    await page.getByRole('button', { name: 'Запись 16', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Запись 16' })
    await expect(dialog).toBeVisible()
    await even(dialog, 'Восстановить', 'Удалить навсегда', 'Закрыть')
    await dialog.getByRole('button', { name: 'Закрыть' }).click()
    await expect(dialog).toBeHidden()
    await page.getByRole('checkbox', { name: 'Выбрать «Запись 16»' }).check()
    const bar = page.getByRole('region', { name: 'Выбранное' })
    await expect(bar.getByRole('button', { name: 'Удалить навсегда' }).locator('svg')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await bar.getByRole('button', { name: 'Снять выделение' }).click()
    await page.getByRole('button', { name: 'Восстановить всё' }).click()
    await expect(message(page, 'Восстановлено: 17.')).toBeVisible()
    await undo(page).click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(rows).toHaveCount(15)
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
    const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Удалено' })
    await expect(rows).toHaveCount(1)
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
    const restoring = page.getByRole('button', { name: /^Отменить: Восстановление из корзины/ })
    await expect(restoring).toBeVisible()
    await expectNoSidewaysScroll(page)
    await restoring.click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    // The deletion of what is gone for ever, the first one.
    await page
      .getByRole('button', { name: /^Отменить: Удаление/ })
      .last()
      .click()
    await expect(snackbar(page)).toContainText('Отменить нечего: всё удалено навсегда.')
    await page.goto('/trash')
    await expect(rows).toHaveCount(2)
  })
})

test('in the trash the focus goes to the row at the place of the one that is gone, else to the heading', async ({
  signedIn: page,
  account,
}) => {
  const ids = []
  for (const title of ['Щи', 'Борщ', 'Уха', 'Плов', 'Каша']) ids.push((await account.addNote({ title })).id)
  await removeNotes(page, account, ids)
  await page.goto('/trash')
  const titled = (title: string) => page.getByRole('button', { name: title, exact: true })
  const heading = page.getByRole('heading', { level: 1 })
  // With the keyboard: the last deleted stands first.
  await page.getByRole('button', { name: 'Восстановить «Плов»' }).press('Enter')
  await expect(titled('Плов')).toBeHidden()
  await expect(titled('Уха')).toBeFocused()
  await page.getByRole('button', { name: 'Удалить навсегда «Уха»' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' }).press('Enter')
  await expect(titled('Уха')).toBeHidden()
  await expect(titled('Борщ')).toBeFocused()
  await titled('Щи').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Восстановить' }).press('Enter')
  await expect(titled('Щи')).toBeHidden()
  await expect(titled('Борщ')).toBeFocused()
  await page.keyboard.press('k')
  await expect(titled('Каша')).toBeFocused()
  await page.getByRole('button', { name: 'Восстановить всё' }).press('Enter')
  await expect(page.getByText('В корзине пусто')).toBeVisible()
  await expect(heading).toBeFocused()
  await page.keyboard.press('Control+z')
  await page.getByRole('button', { name: 'Очистить корзину' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Очистить корзину' }).press('Enter')
  await expect(page.getByText('В корзине пусто')).toBeVisible()
  await expect(heading).toBeFocused()
})

test('the back button closes a deleted item first, also where another document comes before', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Щи' })
  await removeNotes(page, account, [id])
  await page.goto('/robots.txt')
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Щи', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Щи' })
  await expect(dialog).toBeVisible()
  // The entry for it comes a moment after the dialog.
  await expect.poll(() => page.evaluate(() => history.state?.selecting)).toBe(true)
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/trash')
  await expect(page.getByRole('button', { name: 'Щи', exact: true })).toBeVisible()
})

import type { Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  nextPaint,
  signIn,
  test,
} from './fixtures.ts'

const boxOf = (page: Page, title: string) =>
  page.getByRole('checkbox', { name: `Выбрать «${title}»`, exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Выбранное' })
const rowOf = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title })
const undo = (page: Page) =>
  page.getByRole('region', { name: 'Сообщения' }).getByRole('button', { name: 'Отменить' })

/** Notes «1», «2», …: the last one stands first in lists. */
async function addNotes(account: Account, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) await account.addNote({ title: `Запись ${at}!` })
}

test('with the mouse: a checkbox under the pointer, a range with Shift, deletion and its undo', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 5)
  await page.goto('/notes')
  const third = boxOf(page, 'Запись 3!')
  await expect(third).toHaveCSS('opacity', '0')
  await rowOf(page, 'Запись 3!').hover()
  await expect(third).toHaveCSS('opacity', '1')
  await third.click()
  // Once something is selected every checkbox shows.
  await expect(boxOf(page, 'Запись 5!')).toHaveCSS('opacity', '1')
  await expect(bar(page)).toContainText('Выбрано: 1')
  await boxOf(page, 'Запись 1!').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('Выбрано: 3')
  await boxOf(page, 'Запись 2!').click()
  await expect(bar(page)).toContainText('Выбрано: 2')
  await expectAccessible(page)
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Удалено: 2.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(bar(page)).toBeHidden()
  await undo(page).click()
  await expect(message(page, 'Отменено.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(5)
})

for (const [layout, x] of [
  ['English', 'x'],
  ['Russian', 'ч'],
] as const) {
  test(`with the keyboard: X, Ctrl+A, Esc, Delete and Ctrl+Z, ${layout} layout`, async ({
    signedIn: page,
    account,
  }) => {
    await addNotes(account, 3)
    const press = (key: string, code: string) =>
      page.evaluate(
        ([key, code]) =>
          (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }),
          ),
        [key, code] as const,
      )
    await page.goto('/notes')
    await expect(page.getByRole('article')).toHaveCount(3)
    await page.keyboard.press('j')
    await press(x, 'KeyX')
    await expect(boxOf(page, 'Запись 3!')).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(bar(page)).toBeHidden()
    await page.keyboard.press('Control+a')
    await expect(bar(page)).toContainText('Выбрано: 3')
    await expect(bar(page).getByRole('button', { name: 'Удалить' })).toBeVisible()
    await page.keyboard.press('Delete')
    await expect(message(page, 'Удалено: 3.')).toBeVisible()
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    await page.keyboard.press('Control+z')
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(3)
  })
}

test('the first key of a page selects, however late what knows the keys arrives', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await addNotes(account, 3)
  const held = await hold(/gestures/)
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(3)
  await page.keyboard.press('Control+a')
  await held.requested
  // Nor does the browser select the text of the page meanwhile.
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe('')
  await held.release()
  await expect(bar(page)).toContainText('Выбрано: 3')
  // In a field the key is the field's.
  await page.getByRole('button', { name: 'Снять выделение' }).click()
  const search = page.getByLabel('Поиск по заметкам')
  await search.fill('запись')
  await search.press('Enter')
  await expect(page).toHaveURL(/search=/)
  await page.reload()
  await expect(search).toHaveValue('запись')
  await search.press('Control+a')
  await search.press('Delete')
  await expect(search).toHaveValue('')
})

test('what knows the keys and the fingers of a selection comes by itself where rows show', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 1)
  const gestures = page.waitForResponse(/gestures/)
  await page.goto('/notes')
  await gestures
})

test('the back button leaves the selection first, then the screen', async ({ signedIn: page, account }) => {
  await addNotes(account, 1)
  await page.goto('/home')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Заметки' }).click()
  // The address changes before the page does, and home has a box of that name as well.
  await expect(page.getByRole('heading', { name: 'Заметки', level: 1 })).toBeVisible()
  await expect(page).toHaveURL('/notes')
  await boxOf(page, 'Запись 1!').check()
  await expect(bar(page)).toBeVisible()
  // The bar holds the step back from its first painting on.
  await nextPaint(page)
  await page.goBack()
  await expect(bar(page)).toBeHidden()
  await expect(page).toHaveURL('/notes')
  await page.goBack()
  await expect(page).toHaveURL('/home')
})

test('the back button leaves the selection first, also where another document comes before', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 1)
  await page.goto('/robots.txt')
  await page.goto('/notes')
  await boxOf(page, 'Запись 1!').check()
  await expect(bar(page)).toBeVisible()
  // The entry for it comes a moment after the bar.
  await expect.poll(() => page.evaluate(() => history.state?.selecting)).toBe(true)
  await page.goBack()
  await expect(bar(page)).toBeHidden()
  await expect(page).toHaveURL('/notes')
  await expect(rowOf(page, 'Запись 1!')).toBeVisible()
})

test('tags are added to and taken from all that a search finds, on every page of it', async ({
  signedIn: page,
  account,
}) => {
  for (let at = 0; at < 17; at += 1) await account.addNote({ title: `Суп ${at}`, tags: ['еда'] })
  await account.addNote({ title: 'Гвозди', tags: ['еда'] })
  await page.goto('/notes?search=%D1%81%D1%83%D0%BF')
  await expect(page.getByRole('article')).toHaveCount(15)
  await page.getByRole('checkbox').first().check()
  await bar(page).getByRole('button', { name: 'Выбрать все найденные: 17' }).click()
  const unticked = page.getByRole('article').getByRole('checkbox', { checked: false })
  await expect(unticked).toHaveCount(0)
  await expect(bar(page)).toContainText('Выбраны все найденные: 17')
  await bar(page).getByRole('button', { name: 'Теги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
  await expect(dialog).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('combobox', { name: 'Добавить теги' }).fill('первое')
  await dialog.getByRole('combobox', { name: 'Добавить теги' }).press('Enter')
  await dialog.getByRole('combobox', { name: 'Убрать теги' }).fill('еда')
  await dialog.getByRole('combobox', { name: 'Убрать теги' }).press('Enter')
  await dialog.getByRole('button', { name: 'Применить' }).click()
  await expect(message(page, 'Изменено: 17.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await page.goto('/tags')
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  await expect(row('первое')).toContainText('Всего заметок: 17')
  await expect(row('еда')).toContainText('Всего заметок: 1,')
})

for (const { width, height, lines } of [
  { width: 1280, height: 800, lines: 1 },
  { width: 390, height: 844, lines: 1 },
  { width: 320, height: 700, lines: 2 },
])
  test(`Tab leaves the list where it is within the bar, and rows clear of the bar, ${width} wide`, async ({
    signedIn: page,
    account,
  }) => {
    await page.setViewportSize({ width, height })
    for (let at = 0; at < 15; at += 1) await account.addNote({ title: `Запись ${at}!`, pinned: at % 2 === 0 })
    await page.goto('/notes')
    await page.getByRole('checkbox').first().check()
    await page.keyboard.press('Control+a')
    await bar(page).getByRole('button', { name: 'Снять выделение' }).focus()
    const scrolled = () => page.evaluate(() => window.scrollY)
    const before = await scrolled()
    const buttons = await bar(page).getByRole('button').count()
    for (let at = 1; at < buttons; at += 1) await page.keyboard.press('Tab')
    const last = bar(page).getByRole('button', { name: 'Удалить' })
    await expect(last).toBeFocused()
    const isCut = (element: HTMLElement) =>
      [...element.querySelectorAll('*')].some((part) => part.scrollWidth > part.clientWidth)
    expect(await bar(page).evaluate(isCut)).toBe(false)
    const names = ['Теги', 'Закрепить', 'Открепить', 'Экспорт', 'Удалить']
    const boxes = names.map((name) => bar(page).getByRole('button', { name }).boundingBox())
    expect(new Set((await Promise.all(boxes)).map((box) => box?.y)).size).toBe(lines)
    expect(await scrolled()).toBe(before)
    await page.getByRole('checkbox').first().focus()
    for (let at = 0; at < 30; at += 1) {
      await page.keyboard.press('Tab')
      const bottom = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom)
      expect(bottom).toBeLessThanOrEqual((await bar(page).boundingBox())?.y ?? 0)
    }
    expect(await scrolled()).toBeGreaterThan(before)
  })

test('a tag that is typed and not entered is one where «Применить» is pressed', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Суп' })
  await page.goto('/notes')
  await boxOf(page, 'Суп').check()
  await bar(page).getByRole('button', { name: 'Теги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
  const apply = dialog.getByRole('button', { name: 'Применить' })
  await expect(apply).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Добавить теги' }).fill('первое')
  await apply.click()
  await expect(message(page, 'Изменено: 1.')).toBeVisible()
  await expect(rowOf(page, 'Суп').getByRole('link', { name: 'первое' })).toBeVisible()
})

/** Calls the API, as another program of the user would. */
const send = (page: Page, { session }: Account, method: string, path: string, data?: object) =>
  page.request.fetch(`/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${session.access_token}` },
    ...(data && { data }),
  })

for (const path of ['/notes', '/home'])
  test(`all that was found is what the screen showed, not what is closest once that is gone: ${path}`, async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Суп из тыквы' })
    const found = [
      await account.addNote({ title: 'Суп из клюквы' }),
      await account.addNote({ title: 'Клюквенный суп из клюквы' }),
    ]
    await page.goto(`${path}?search=${encodeURIComponent('суп клюквы')}`)
    await expect(page.getByRole('article')).toHaveCount(2)
    await boxOf(page, 'Суп из клюквы').check()
    await bar(page).getByRole('button', { name: 'Выбрать все найденные: 2' }).click()
    for (const { id } of found)
      expect((await send(page, account, 'DELETE', `/notes/${id}/`)).status()).toBe(204)
    await bar(page).getByRole('button', { name: 'Удалить' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
    await expect(message(page, 'Удалено: 0.')).toBeVisible()
    await page.goto('/notes')
    await expect(page.getByRole('article')).toContainText('Суп из тыквы')
  })

test('of what has only some of the words nothing is selected beyond the screen', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 2)
  for (const path of ['/notes', '/home']) {
    await page.goto(`${path}?search=${encodeURIComponent('запись крыжовник смородина')}`)
    await expect(page.getByRole('article')).toHaveCount(2)
    await boxOf(page, 'Запись 1!').check()
    await expect(bar(page)).toContainText('Выбрано: 1')
    await expect(bar(page).getByRole('button', { name: /Выбрать все найденные/ })).toHaveCount(0)
  }
})

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
])
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport })

    test('suggestions cover none of the buttons, and a press beside the dialog drops nothing', async ({
      signedIn: page,
      account,
    }) => {
      const tags = Array.from({ length: 12 }, (_, at) => `тег ${at + 10}`)
      await account.addNote({ title: 'С тегами', tags })
      await page.goto('/notes')
      await boxOf(page, 'С тегами').check()
      await bar(page).getByRole('button', { name: 'Теги' }).click()
      const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
      const add = dialog.getByRole('combobox', { name: 'Добавить теги' })
      const remove = dialog.getByRole('combobox', { name: 'Убрать теги' })
      const list = dialog.getByRole('listbox')
      await expect(add).toBeFocused()
      // The tags have come: what would show them does not for all that.
      await expect(add).toHaveAttribute('aria-expanded', 'false')
      await expect(add.and(page.locator('[aria-busy="true"]'))).toHaveCount(0)
      await nextPaint(page)
      await expect(list).toBeHidden()
      await page.keyboard.type('новый')
      await page.keyboard.press('Enter')
      await expect(list).toBeHidden()
      for (const name of ['тег 12', 'тег 13']) {
        await remove.click()
        await expect(list.getByRole('option', { name: 'тег 10' })).toBeVisible()
        await expectNoSidewaysScroll(page)
        // Nothing lies over them: a trial click looks for that.
        for (const button of ['Отмена', 'Применить'])
          await dialog.getByRole('button', { name: button }).click({ trial: true })
        await list.getByRole('option', { name }).click()
        await expect(list).toBeHidden()
      }
      await page.mouse.click(5, 5)
      await nextPaint(page)
      await expect(dialog).toBeVisible()
      await dialog.getByRole('button', { name: 'Применить' }).click()
      await expect(message(page, 'Изменено: 1.')).toBeVisible()
      await expect(rowOf(page, 'С тегами')).toContainText('новый')
      await expect(rowOf(page, 'С тегами')).not.toContainText('тег 13')

      // With nothing chosen a press beside it closes it.
      await boxOf(page, 'С тегами').check()
      await bar(page).getByRole('button', { name: 'Теги' }).click()
      await expect(add).toBeFocused()
      await page.mouse.click(5, 5)
      await expect(dialog).toBeHidden()
    })
  })

test('a tag too many for an item: the field’s sentence says so', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await account.addNote({ title: 'Полная', tags: Array.from({ length: 50 }, (_, at) => `тег ${at}`) })
  await page.goto('/notes')
  await boxOf(page, 'Полная').check()
  await bar(page).getByRole('button', { name: 'Теги' }).click()
  const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
  await dialog.getByRole('combobox', { name: 'Добавить теги' }).fill('лишний')
  await dialog.getByRole('combobox', { name: 'Добавить теги' }).press('Enter')
  await dialog.getByRole('button', { name: 'Применить' }).click()
  await expect(message(page, 'Не больше 50 тегов')).toBeVisible()
})

test('what another program has deleted leaves the selection once a change has failed for it', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  for (let at = 0; at < 16; at += 1) await account.addNote({ title: `Запись ${at}!` })
  const { id } = await account.addNote({ title: 'Призрак' })
  await page.goto('/notes')
  for (const title of ['Призрак', 'Запись 15!']) await boxOf(page, title).check()
  await page.getByRole('navigation', { name: 'Страницы' }).getByRole('link', { name: '2' }).click()
  await boxOf(page, 'Запись 0!').check()
  await expect(bar(page)).toContainText('Выбрано: 3')
  expect((await send(page, account, 'DELETE', `/notes/${id}/`)).status()).toBe(204)
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await expect(bar(page)).toContainText('Выбрано: 2')
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await expect(message(page, 'Изменено: 2.')).toBeVisible()
})

test('what is selected on another page, and all that is found, can be pinned and let go', async ({
  signedIn: page,
  account,
}) => {
  for (let at = 0; at < 16; at += 1) await account.addNote({ title: `Запись ${at}!` })
  await page.goto('/notes')
  await boxOf(page, 'Запись 15!').check()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await expect(bar(page).getByRole('button', { name: 'Открепить' })).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Страницы' }).getByRole('link', { name: '2' }).click()
  await expect(boxOf(page, 'Запись 0!')).toBeVisible()
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await expect(message(page, 'Изменено: 1.')).toBeVisible()
  await boxOf(page, 'Запись 0!').check()
  await bar(page).getByRole('button', { name: 'Выбрать все найденные: 16' }).click()
  const iconOf = (name: string) => bar(page).getByRole('button', { name }).locator('svg').innerHTML()
  expect(await iconOf('Открепить')).not.toBe(await iconOf('Закрепить'))
  await bar(page).getByRole('button', { name: 'Открепить' }).click()
  await expect(message(page, 'Изменено: 1.')).toHaveCount(2)
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(15)
  await expect(page.getByRole('img', { name: 'Закреплено' })).toHaveCount(0)
})

test('on a tag’s page and among what home has found, notes and links are selected together', async ({
  signedIn: page,
  account,
}) => {
  const { tags } = await account.addNote({ title: 'Суп', tags: ['еда'] })
  await account.addLink({ title: 'Рецепт супа', tags: ['еда'] })
  await page.goto(`/tags/${tags[0]?.id}`)
  for (const title of ['Суп', 'Рецепт супа']) await boxOf(page, title).check()
  await expect(bar(page)).toContainText('Выбрано: 2')
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await expect(message(page, 'Изменено: 2.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Закреплено' })).toHaveCount(2)
  await page.goto('/home?search=%D1%81%D1%83%D0%BF')
  for (const title of ['Суп', 'Рецепт супа']) await boxOf(page, title).check()
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Удалено: 2.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(0)
  await undo(page).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})

/** Imports links, which is faster than to save one after the other. */
async function importLinks(page: Page, { session }: Account, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${session.access_token}` }
  const lines = Array.from({ length: count }, (_, at) => `https://example.org/${at}`)
  const sent = await page.request.post('/api/v1/imports/', {
    headers: {
      ...headers,
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="links.txt"',
    },
    data: Buffer.from(lines.join('\n')),
  })
  const { id } = await sent.json()
  const isIn = async (state: string) =>
    expect
      .poll(
        async () => (await (await page.request.get(`/api/v1/imports/${id}/`, { headers })).json()).state,
        {
          timeout: 30_000,
        },
      )
      .toBe(state)
  await isIn('ready')
  await page.request.post(`/api/v1/imports/${id}/run/`, {
    headers,
    data: { duplicates: 'skip', folders: 'ignore' },
  })
  await isIn('done')
}

test('how far a change of many items has come is shown, and all of it is undone', async ({
  signedIn: page,
  account,
}) => {
  test.slow()
  await importLinks(page, account, 2_000)
  await page.goto('/url-links')
  await page.getByRole('checkbox').first().check()
  await bar(page).getByRole('button', { name: 'Выбрать все найденные: 2 000' }).click()
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  // The response is held back: all may be done before the first look at how far it has come.
  const seen = Promise.withResolvers<void>()
  await page.route('**/api/v1/items/bulk/', async (route) => {
    const response = await route.fetch()
    await seen.promise
    await route.fulfill({ response })
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(bar(page).getByText(/^Сделано: \d[\d\s]* из 2\s000$/)).toBeVisible()
  // Not each number is heard.
  await expect(bar(page).getByRole('status').filter({ hasText: /./ })).toHaveText('Изменяем…')
  await expect(bar(page).getByRole('progressbar')).toBeVisible()
  seen.resolve()
  await expect(message(page, 'Удалено: 2 000.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  await undo(page).click()
  await expect(message(page, 'Отменено.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('article')).toHaveCount(15)
  await expect(page.getByRole('navigation', { name: 'Страницы' })).toBeVisible()
})

test('pinned items stand first, in the list and on the home page, and can be let go again', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  await addNotes(account, 3)
  await page.goto('/notes')
  await boxOf(page, 'Запись 1!').check()
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await expect(message(page, 'Изменено: 1.')).toBeVisible()
  const first = page.getByRole('article').first()
  await expect(first).toContainText('Запись 1!')
  await expect(first.getByRole('img', { name: 'Закреплено' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/home')
  await expect(first).toContainText('Запись 1!')
  await first.getByRole('link', { name: 'Открыть заметку' }).click()
  const letGo = async () => {
    await page.getByRole('button', { name: 'Ещё' }).click()
    await page.getByRole('menuitem', { name: 'Открепить' }).click()
  }
  await page.route('**/api/v1/items/bulk/', (route) => route.fulfill({ status: 500 }), { times: 1 })
  await letGo()
  await expect(message(page, 'Не удалось открепить.')).toBeVisible()
  await letGo()
  await expect(message(page, 'Откреплено.')).toBeVisible()
  await page.goto('/notes')
  await expect(first).toContainText('Запись 3!')
})

test('a failed change stays said and selected; back closes the dialog before the selection; the heading gets the focus', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/Failed to load resource/)
  await addNotes(account, 3)
  await page.goto('/notes')
  await boxOf(page, 'Запись 1!').check()
  await boxOf(page, 'Запись 2!').check()
  await page.route('**/items/bulk/', (route) => route.abort(), { times: 1 })
  const list = page.waitForResponse(/api\/v1\/notes\//)
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  const failed = message(page, 'Не удалось изменить выбранное. Нет ответа от сервера. Проверьте соединение.')
  await expect(failed).toBeVisible()
  // The list is loaded again, and that response says nothing of the change.
  await list
  await nextPaint(page)
  await expect(failed).toBeVisible()
  await expect(bar(page)).toContainText('Выбрано: 2')

  await bar(page).getByRole('button', { name: 'Теги' }).click()
  const dialog = page.getByRole('dialog')
  const enter = async (label: string, name: string) => {
    await dialog.getByRole('combobox', { name: label }).fill(name)
    await page.keyboard.press('Enter')
  }
  await enter('Добавить теги', 'Дом')
  await enter('Убрать теги', 'дом')
  await expect(dialog.getByText('Категорию «Дом» нельзя и добавить, и убрать.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Применить' })).toBeDisabled()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(bar(page)).toContainText('Выбрано: 2')
  await expect(page).toHaveURL('/notes')

  await bar(page).getByRole('button', { name: 'Закрепить' }).press('Enter')
  await expect(message(page, 'Изменено: 2.')).toBeVisible()
  await expect(bar(page)).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  /** Puts a finger on a row; returns the function that lifts it. */
  async function touch(page: Page, title: string): Promise<() => Promise<void>> {
    const session = await page.context().newCDPSession(page)
    const at = await rowOf(page, title).boundingBox()
    if (!at) throw new Error('the row is not there')
    const point = { x: Math.round(at.x + 40), y: Math.round(at.y + at.height - 12) }
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
    return async () => {
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
  }

  async function longPress(page: Page, title: string): Promise<void> {
    let release = async () => {}
    await expect(async () => {
      // A message moves the rows when it shows.
      release = await touch(page, title)
      await expect(bar(page)).toContainText('Выбрано: 1', { timeout: 2_000 })
    }).toPass()
    await release()
  }

  test('the first touch of a page selects, however late what knows long presses arrives', async ({
    page,
    account,
    hold,
  }) => {
    await addNotes(account, 2)
    await signIn(page, account.session)
    const held = await hold(/gestures/)
    await page.goto('/notes')
    await expect(rowOf(page, 'Запись 1!')).toBeVisible()
    const release = await touch(page, 'Запись 1!')
    await held.requested
    await held.release()
    await expect(bar(page)).toContainText('Выбрано: 1')
    await release()
    await expect(boxOf(page, 'Запись 1!')).toBeChecked()
    await expect(page).toHaveURL('/notes')
  })

  test('a first touch that is over before what knows long presses has arrived opens the note only', async ({
    page,
    account,
    hold,
  }) => {
    await addNotes(account, 1)
    await signIn(page, account.session)
    const held = await hold(/gestures/)
    await page.goto('/notes')
    await rowOf(page, 'Запись 1!').getByRole('link', { name: 'Запись 1!', exact: true }).tap()
    await expect(page.getByRole('heading', { name: 'Запись 1!' })).toBeVisible()
    await held.requested
    await held.release()
    await page.goBack()
    await expect(rowOf(page, 'Запись 1!')).toBeVisible()
    await expect(bar(page)).toBeHidden()
  })

  test('a long press selects, taps select more, the bar fits', async ({ page, account }) => {
    await addNotes(account, 3)
    await signIn(page, account.session)
    await page.goto('/notes')
    await longPress(page, 'Запись 2!')
    await expect(boxOf(page, 'Запись 2!')).toBeChecked()
    await expect(page).toHaveURL('/notes')
    await rowOf(page, 'Запись 3!').getByRole('link', { name: 'Запись 3!', exact: true }).tap()
    await expect(bar(page)).toContainText('Выбрано: 2')
    await expect(page).toHaveURL('/notes')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await bar(page).getByRole('button', { name: 'Снять выделение' }).tap()
    await expect(bar(page)).toBeHidden()
    await rowOf(page, 'Запись 3!').getByRole('link', { name: 'Запись 3!', exact: true }).tap()
    await expect(page.getByRole('heading', { name: 'Запись 3!' })).toBeVisible()
  })

  test('a tag in a row is a part of the row: for a long press, a tap that selects more, and X', async ({
    page,
    account,
  }) => {
    for (const title of ['Первая', 'Вторая']) await account.addNote({ title, tags: ['общий'] })
    await signIn(page, account.session)
    await page.goto('/notes')
    const chip = (title: string) => rowOf(page, title).getByRole('link', { name: 'общий' })
    const { x, y, width, height } = (await chip('Первая').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    }
    const session = await page.context().newCDPSession(page)
    const touchPoints = [{ x: Math.round(x + width / 2), y: Math.round(y + height / 2) }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await expect(boxOf(page, 'Первая')).toBeChecked()
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await chip('Вторая').tap()
    await expect(bar(page)).toContainText('Выбрано: 2')
    await expect(page).toHaveURL('/notes')
    await chip('Вторая').focus()
    await page.keyboard.press('x')
    await expect(bar(page)).toContainText('Выбрано: 1')
    await expect(boxOf(page, 'Вторая')).not.toBeChecked()
  })

  test('all that is found gets a tag and a pin, in the order of the list, and that is undone', async ({
    page,
    account,
  }) => {
    for (const title of ['Яблоко', 'Ёж', 'Арбуз']) await account.addNote({ title })
    await account.addNote({ title: 'С тегом', tags: ['еда'] })
    await signIn(page, account.session)
    await page.goto('/notes')
    await page.getByRole('button', { name: 'Порядок' }).tap()
    await page.getByRole('menuitemcheckbox', { name: 'Только без тегов' }).tap()
    await expect(page.getByRole('menu')).toBeHidden()
    await page.getByRole('button', { name: 'Порядок' }).tap()
    await expectNoSidewaysScroll(page)
    await page.getByRole('menuitemradio', { name: 'По алфавиту' }).tap()
    await expect(page.getByRole('menu')).toBeHidden()
    const rows = page.getByRole('article')
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText('Арбуз')
    await longPress(page, 'Ёж')
    await bar(page).getByRole('button', { name: 'Закрепить' }).tap()
    await expect(rows.first()).toContainText('Ёж')
    // What was selected is let go after that.
    await expect(message(page, 'Изменено: 1.')).toBeVisible()
    await expect(bar(page)).toBeHidden()
    await nextPaint(page)
    await longPress(page, 'Ёж')
    await bar(page).getByRole('button', { name: 'Выбрать все найденные: 3' }).tap()
    await bar(page).getByRole('button', { name: 'Теги' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
    await dialog.getByRole('combobox', { name: 'Добавить теги' }).fill('лес')
    await dialog.getByRole('combobox', { name: 'Добавить теги' }).press('Enter')
    await expectNoSidewaysScroll(page)
    await dialog.getByRole('button', { name: 'Применить' }).tap()
    await expect(message(page, 'Изменено: 3.')).toBeVisible()
    await expect(rows).toHaveCount(0)
    await undo(page).last().tap()
    await expect(rows).toHaveCount(3)
  })
})

for (const way of ['J and X', 'Space'])
  test(`the focus goes on to the row that follows a deleted one, else to the one before: ${way}`, async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    // A row that gets the focus preloads its item, and may be deleted before that request is on its way.
    expectedInConsole.push(/status of 404/)
    await addNotes(account, 3)
    await page.goto('/notes')
    await expect(page.getByRole('article')).toHaveCount(3)
    const selectRow = async (title: string) => {
      if (way === 'Space') await boxOf(page, title).focus()
      await page.keyboard.press(way === 'Space' ? 'Space' : 'x')
      await expect(boxOf(page, title)).toBeChecked()
      await expect(bar(page).getByRole('button', { name: 'Удалить' })).toBeVisible()
    }
    const linkTo = (title: string) => rowOf(page, title).getByRole('link', { name: title, exact: true })
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('j')
    await selectRow('Запись 2!')
    await page.keyboard.press('Delete')
    await expect(linkTo('Запись 1!')).toBeFocused()
    await expect(bar(page)).toBeHidden()
    await selectRow('Запись 1!')
    await page.keyboard.press('Delete')
    await expect(linkTo('Запись 3!')).toBeFocused()
    await expect(bar(page)).toBeHidden()
    await selectRow('Запись 3!')
    await page.keyboard.press('Delete')
    await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  })

test('without motion Esc closes the window or the menu over a selection, and leaves the selection', async ({
  signedIn: page,
  account,
}) => {
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await account.addNote({ title: 'Запись', tags: ['лес'] })
  await page.goto('/notes')
  await boxOf(page, 'Запись').check()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await page.getByRole('button', { name: 'Порядок' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await page.getByRole('button', { name: 'Сочетания клавиш' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await page.keyboard.press('Escape')
  await expect(bar(page)).toBeHidden()

  // The question of this screen is mounted before what knows the keys has loaded.
  const { results } = await (await page.request.get('/api/v1/notes/', { headers })).json()
  await page.request.delete(`/api/v1/notes/${results[0].id}/`, { headers })
  await page.goto('/trash')
  await boxOf(page, 'Запись').check()
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(bar(page)).toContainText('Выбрано: 1')
})

test('what is pressed in the bar keeps the focus where the change fails, and passes it on where it goes itself', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  await addNotes(account, 17)
  await page.goto('/notes')
  await boxOf(page, 'Запись 17!').check()
  const all = bar(page).getByRole('button', { name: 'Выбрать все найденные: 17' })
  await all.press('Enter')
  await expect(all).toBeHidden()
  await expect(bar(page).getByRole('button', { name: 'Теги' })).toBeFocused()
  await page.keyboard.press('Escape')
  await boxOf(page, 'Запись 17!').check()
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const { results } = await (await page.request.get('/api/v1/notes/', { headers })).json()
  await page.request.delete(`/api/v1/notes/${results[0].id}/`, { headers })
  await boxOf(page, 'Запись 16!').check()
  const pin = bar(page).getByRole('button', { name: 'Закрепить' })
  await pin.press('Enter')
  await expect(
    message(page, 'Одной из записей нет. Возможно, её уже удалили. Ничего не изменено.'),
  ).toBeVisible()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await expect(pin).toBeFocused()
})

test('after «Отменить», reached where nothing had the focus, the heading has it', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 2)
  await page.goto('/notes')
  await boxOf(page, 'Запись 2!').check()
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Удалено: 1.')).toBeVisible()
  // What had the focus is gone with the selection: nothing on the page has it, as where one comes from the address bar.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  await undo(page).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('what was focused while rows were deleted keeps the focus', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await addNotes(account, 2)
  const held = await hold('**/api/v1/items/bulk/')
  await page.goto('/notes')
  await boxOf(page, 'Запись 2!').check()
  await expect(bar(page).getByRole('button', { name: 'Удалить' })).toBeVisible()
  await page.keyboard.press('Delete')
  await held.requested
  const search = page.getByLabel('Поиск по заметкам')
  await search.focus()
  await held.release()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(bar(page)).toBeHidden()
  await nextPaint(page)
  await expect(search).toBeFocused()
})

test('a change that ends clears only what it has changed, on its screen and on the next', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await addNotes(account, 4)
  for (const title of ['Ссылка 1', 'Ссылка 2']) await account.addLink({ title })
  await page.goto('/notes')
  await boxOf(page, 'Запись 4!').check()
  const pinning = await hold('**/api/v1/items/bulk/')
  await bar(page).getByRole('button', { name: 'Закрепить' }).click()
  await pinning.requested
  for (const title of ['Запись 1!', 'Запись 2!']) await boxOf(page, title).check()
  await expect(bar(page)).toContainText('Выбрано: 3')
  await pinning.release()
  await expect(message(page, 'Изменено: 1.')).toBeVisible()
  await expect(bar(page)).toContainText('Выбрано: 2')
  for (const title of ['Запись 1!', 'Запись 2!']) await expect(boxOf(page, title)).toBeChecked()

  await page.unroute('**/api/v1/items/bulk/')
  const removing = await hold('**/api/v1/items/bulk/')
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await removing.requested
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Ссылки' }).click()
  for (const title of ['Ссылка 1', 'Ссылка 2']) await boxOf(page, title).check()
  await removing.release()
  await expect(message(page, 'Удалено: 2.')).toBeVisible()
  await nextPaint(page)
  await expect(bar(page)).toContainText('Выбрано: 2')
})

test('a range with Shift begins in the selection that there is, not in one that has ended', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 5)
  await page.goto('/notes')
  await boxOf(page, 'Запись 5!').click()
  await expect(bar(page)).toContainText('Выбрано: 1')
  await page.keyboard.press('Escape')
  await expect(boxOf(page, 'Запись 5!')).not.toBeChecked()
  await boxOf(page, 'Запись 2!').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('Выбрано: 1')
  await page.getByRole('button', { name: 'Открыть меню' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Главная' }).click()
  await expect(page).toHaveURL('/home')
  await expect(bar(page)).toBeHidden()
  await boxOf(page, 'Запись 4!').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('Выбрано: 1')
})

test('a selection of all that was found ends once nothing is found any more', async ({
  signedIn: page,
  account,
}) => {
  await addNotes(account, 2)
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.keyboard.press('Control+a')
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  const go = async (name: string) => {
    await page.getByRole('button', { name: 'Открыть меню' }).click()
    await page.getByRole('dialog').getByRole('link', { name }).click()
  }
  const selectAll = async () => {
    await boxOf(page, 'Запись 1!').check()
    await bar(page).getByRole('button', { name: 'Выбрать все найденные: 2' }).click()
    await expect(bar(page)).toContainText('Выбраны все найденные: 2')
  }
  await go('Корзина')
  await page.getByRole('button', { name: 'Восстановить всё' }).click()
  await expect(page.getByText('В корзине пусто')).toBeVisible()
  await go('Заметки')
  await selectAll()
  // What was restored goes back.
  await page.keyboard.press('Control+z')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await expect(bar(page)).toBeHidden()
  await go('Корзина')
  await selectAll()
  await page.keyboard.press('Control+z')
  await expect(page.getByText('В корзине пусто')).toBeVisible()
  await expect(bar(page)).toBeHidden()
})

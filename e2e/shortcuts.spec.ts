import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessible, message, nextPaint, test } from './fixtures.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Что открыть или найти' })

test('lead to the search, a new note, a new link and the help, on a Russian keyboard too', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/notes')
  const search = page.getByLabel('Поиск по заметкам')
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  // In a field they are letters.
  await page.keyboard.type('nl?/')
  await expect(search).toHaveValue('nl?/')
  await search.blur()

  for (const [code, key, url] of [
    ['KeyN', 'т', '/notes/add'],
    ['KeyL', 'д', '/urllinks/add'],
  ] as const) {
    // On a screen with a form they rest.
    await page.goto('/notes')
    await expect(search).toBeVisible()
    await page.evaluate(
      ([code, key]) =>
        document.body.dispatchEvent(new KeyboardEvent('keydown', { code, key, bubbles: true })),
      [code, key] as const,
    )
    await expect(page).toHaveURL(url)
  }
  const { id } = await account.addNote({ title: 'Без поиска' })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: 'Без поиска' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page).toHaveURL('/home')
  await expect(page.getByLabel('Поиск', { exact: true })).toBeFocused()
})

test('are listed in the help, which can switch those without Ctrl off', async ({ signedIn: page }) => {
  await page.goto('/home')
  await expect(page.getByRole('heading', { name: 'Главная' })).toBeAttached()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Сочетания клавиш' })
  for (const key of ['Ctrl', 'K', '/', 'N', 'L', 'J', 'E', 'S', 'Enter', 'X', 'A', 'Delete', 'Esc', '?'])
    await expect(help.getByText(key, { exact: true }).first()).toBeVisible()
  await expectAccessible(page)
  // While a window is open the keys rest.
  await page.keyboard.press('n')
  await help.getByLabel('Клавиши без Ctrl').click()
  await help.getByRole('button', { name: 'Закрыть' }).click()
  await expect(help).toBeHidden()
  await page.keyboard.press('n')
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(page).toHaveURL('/home')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Сочетания клавиш' }).click()
  await help.getByLabel('Клавиши без Ctrl').click()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(page.getByRole('button', { name: 'Сочетания клавиш' })).toBeFocused()
  await page.keyboard.press('n')
  await expect(page).toHaveURL('/notes/add')
})

test('from home to a saved note without the mouse', async ({ signedIn: page }) => {
  await page.goto('/home')
  await expect(page.getByText('Пока ни одной заметки')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Название')).toBeFocused()
  await page.keyboard.type('Без мыши')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toBeFocused()
  await page.keyboard.type('Текст')
  await page.keyboard.press('Control+Enter')
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Текст')
})

test('Ctrl+S saves on a Russian keyboard, from the editor, with the last letters of a large text', async ({
  largeNote: page,
}) => {
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Начало: ')
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', {
        key: 'ы',
        code: 'KeyS',
        ctrlKey: true,
        bubbles: true,
        cancelable: true,
      }),
    ),
  )
  await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Начало: много слов')
})

for (const keys of ['Control+Enter', 'Control+s'])
  test(`${keys} saves a tag that was typed and is no chip yet`, async ({ signedIn: page }) => {
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('С тегом')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    await page.getByRole('combobox', { name: 'Теги' }).fill('дом')
    await page.keyboard.press(keys)
    await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
    await expect(page.getByRole('article').getByRole('link', { name: 'дом', exact: true })).toBeVisible()
  })

test('Ctrl+S is the browser’s on a form that saves nothing', async ({ signedIn: page }) => {
  await page.goto('/profile/data')
  await expect(page.getByRole('radio').first()).toBeVisible()
  for (const focus of [false, true]) {
    if (focus) await page.getByRole('radio').first().focus()
    const isPrevented = await page.evaluate(() => {
      const press = { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true }
      return !(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', press))
    })
    expect(isPrevented).toBe(false)
  }
})

test('J and K move through tags and through the trash', async ({ signedIn: page, account }) => {
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  for (const title of ['Борщ', 'Щи']) {
    const { id } = await account.addNote({ title })
    expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
  }
  const { tags } = await account.addNote({ title: 'Обед', tags: ['вторые', 'первые'] })
  for (const [path, role, first, second] of [
    ['/tags', 'link', 'Открыть категорию «вторые»', 'Открыть категорию «первые»'],
    ['/trash', 'button', 'Щи', 'Борщ'],
  ] as const) {
    await page.goto(path)
    const named = (name: string) => page.getByRole(role, { name, exact: true })
    await expect(named(second)).toBeVisible()
    await page.keyboard.press('j')
    await expect(named(first)).toBeFocused()
    await page.keyboard.press('j')
    await expect(named(second)).toBeFocused()
    await page.keyboard.press('k')
    await expect(named(first)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Щи' })).toBeVisible()
  await page.goto('/tags')
  await expect(page.getByLabel('Открыть категорию «первые»')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/tags/${tags.find(({ name }) => name === 'вторые')?.id}`)
})

test('keys without Ctrl rest on a screen with a form', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Правится' })
  await page.goto(`/notes/${id}/edit`)
  await page.getByRole('heading', { level: 1 }).focus()
  for (const key of ['n', 'l', '/']) await page.keyboard.press(key)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Сочетания клавиш' })).toBeVisible()
  await expect(page).toHaveURL(`/notes/${id}/edit`)
})

test('keys without Ctrl rest while a form is still loading', async ({ signedIn: page, account, hold }) => {
  const { id } = await account.addNote({ title: 'Правится' })
  for (const [from, key, to] of [
    ['/home', 'n', '/notes/add'],
    [`/notes/${id}`, 'e', `/notes/${id}/edit`],
  ] as const) {
    await page.goto(from)
    await expect(page.getByText('Правится').first()).toBeVisible()
    const held = await hold('**/assets/**')
    await page.keyboard.press(key)
    await expect(page).toHaveURL(to)
    await page.keyboard.press('l')
    await held.release()
    await expect(page.getByLabel('Название')).toBeVisible()
    await expect(page).toHaveURL(to)
  }
})

test.describe('on a Mac', () => {
  test('Ctrl+K in a field is the field’s, ⌘K opens the palette', async ({ signedIn: page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Текст')
    await page.getByLabel('Название').press('Control+k')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByLabel('Название').press('Meta+k')
    await expect(page.getByRole('dialog', { name: 'Быстрый переход' })).toBeVisible()
  })
})

test('E edits the item or tag shown, whatever its text links to; J finds no row there', async ({
  signedIn: page,
  account,
}) => {
  const { id, tags } = await account.addNote({
    title: 'Про чужой документ',
    content: '<p><a href="https://docs.example.org/document/d/x/edit">Документ</a></p>',
    tags: ['тег'],
  })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('link', { name: 'Документ' })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('article').locator('a:focus')).toHaveCount(0)
  await page.keyboard.press('e')
  await expect(page).toHaveURL(`/notes/${id}/edit`)
  expect(page.context().pages()).toHaveLength(1)
  await page.goto(`/tags/${tags[0]?.id}`)
  await expect(page.getByRole('article')).toBeVisible()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(`/tags/${tags[0]?.id}/edit`)
})

test('Delete asks whether the item or tag shown is to be deleted', async ({ signedIn: page, account }) => {
  const { id, tags } = await account.addNote({ title: 'Лишняя', tags: ['тег'] })
  const dialog = page.getByRole('dialog', { name: 'Подтверждение удаления' })
  for (const path of [`/notes/${id}`, `/tags/${tags[0]?.id}`]) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Удалить' })).toBeVisible()
    // What takes the key loads on the first input.
    await expect(async () => {
      await page.keyboard.press('Delete')
      await expect(dialog).toBeVisible({ timeout: 200 })
    }).toPass()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})

test('without single keys X selects nothing', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Строка' })
  await page.goto('/notes')
  const box = page.getByRole('checkbox', { name: 'Выбрать «Строка»' })
  await box.focus()
  await expect(async () => {
    await page.keyboard.press('x')
    await expect(box).toBeChecked({ timeout: 200 })
  }).toPass()
  await page.keyboard.press('x')
  await expect(box).not.toBeChecked()
  await page.getByRole('button', { name: 'Сочетания клавиш' }).click()
  await page.getByRole('dialog').getByLabel('Клавиши без Ctrl').click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await box.focus()
  await page.keyboard.press('x')
  await nextPaint(page)
  await expect(box).not.toBeChecked()
  await page.keyboard.press('Control+a')
  await expect(box).toBeChecked()
})

for (const [layout, next, previous, edit] of [
  ['English', 'j', 'k', 'e'],
  ['Russian', 'о', 'л', 'у'],
] as const) {
  test(`J, K and Enter move through lists and open, E edits: ${layout} keyboard`, async ({
    signedIn: page,
    account,
  }) => {
    const { tags } = await account.addNote({ title: 'Нижняя', tags: ['тег'] })
    const { id } = await account.addNote({ title: 'Верхняя', tags: ['тег'] })
    const link = await account.addLink({ title: 'Ссылка', tags: ['тег'] })
    const press = (key: string, code: string) =>
      page.evaluate(
        ([key, code]) =>
          (document.activeElement ?? document.body).dispatchEvent(
            new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }),
          ),
        [key, code] as const,
      )
    const row = (title: string) => page.getByRole('article').filter({ hasText: title }).locator(':focus')
    for (const path of ['/home', '/notes', `/tags/${tags[0]?.id}`]) {
      await page.goto(path)
      await expect(page.getByRole('article').filter({ hasText: 'Нижняя' })).toBeVisible()
      await press(next, 'KeyJ')
      await expect(row('Верхняя')).toHaveCount(1)
      await press(next, 'KeyJ')
      await expect(row('Нижняя')).toHaveCount(1)
      await press(previous, 'KeyK')
      await expect(row('Верхняя')).toHaveCount(1)
    }
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/notes/${id}`)
    await expect(page.getByRole('heading', { name: 'Верхняя' })).toBeVisible()
    await press(edit, 'KeyE')
    await expect(page).toHaveURL(`/notes/${id}/edit`)
    // The title of a link leads to the web: the key opens what is kept here.
    await page.goto('/url-links')
    await expect(page.getByRole('article')).toBeVisible()
    await press(next, 'KeyJ')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/urllinks/${link.id}`)
  })
}

test('what gets the focus scrolls clear of the bars at the edges', async ({ signedIn: page, account }) => {
  for (let at = 1; at <= 15; at += 1) await account.addNote({ title: `Заметка ${at}!` })
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto('/notes')
  const row = (at: number) => page.getByRole('article').filter({ hasText: `Заметка ${at}!` })
  const box = (at: number) => page.getByRole('checkbox', { name: `Выбрать «Заметка ${at}!»` })
  const sidesOf = (target: Locator) =>
    target.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  /** Puts it at the upper edge of the window, or the lower one. */
  const scrollTo = (target: Locator, edge: 'top' | 'bottom') =>
    target.evaluate((element, edge) => {
      const { top, bottom } = element.getBoundingClientRect()
      window.scrollBy(0, edge === 'top' ? top : bottom - window.innerHeight)
    }, edge)
  const topBar = page.getByRole('banner')

  await row(7).getByRole('link').first().focus()
  await scrollTo(row(8), 'top')
  await page.keyboard.press('k')
  await expect(row(8).getByRole('link').first()).toBeFocused()
  expect((await sidesOf(row(8))).top).toBeGreaterThanOrEqual((await sidesOf(topBar)).bottom)

  await row(7).getByRole('link').first().focus()
  await scrollTo(box(8), 'top')
  await page.keyboard.press('Shift+Tab')
  await expect(box(8)).toBeFocused()
  expect((await sidesOf(box(8))).top).toBeGreaterThanOrEqual((await sidesOf(topBar)).bottom)

  await box(8).check()
  const selection = page.getByRole('region', { name: 'Выбранное' })
  await expect(selection).toBeVisible()
  await row(8).getByRole('link').first().focus()
  await scrollTo(row(7), 'bottom')
  await page.keyboard.press('j')
  await expect(row(7).getByRole('link').first()).toBeFocused()
  expect((await sidesOf(row(7))).bottom).toBeLessThanOrEqual((await sidesOf(selection)).top)
})

import type { Page, Route } from '@playwright/test'
import { expect, expectAccessible, message, signIn, snackbar, test } from './fixtures.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Выбранное' })
const undo = (page: Page) => snackbar(page).getByRole('button', { name: 'Отменить' })

test('what one tab has done another tab undoes, and neither does it twice', async ({
  signedIn: page,
  account,
  context,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 409/)
  await account.addNote({ title: 'Первая' })
  await account.addNote({ title: 'Вторая' })
  await page.goto('/notes')
  for (const title of ['Первая', 'Вторая'])
    await page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Удалено: 2.')).toBeVisible()
  // With the focus it stays, however long the other tab takes.
  await undo(page).focus()
  const other = await context.newPage()
  await signIn(other, account.session)
  // Past the end: the last page shows.
  await other.goto('/profile/history?page=9')
  await other.getByRole('button', { name: /^Отменить: Удаление/ }).click()
  await expect(other.getByText(/ · Отменено \d/)).toBeVisible()
  await undo(page).click()
  await expect(message(page, 'Это действие уже отменили.')).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('an offer to undo stays ten seconds, longer under the pointer and the focus, and is reached with the keyboard', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Нечаянно' })
  await page.clock.install()
  await page.goto('/notes')
  await page.getByRole('checkbox', { name: 'Выбрать «Нечаянно»' }).check()
  const pressed = await page.evaluate(() => Date.now())
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  const offer = message(page, 'Удалено: 1.')
  await expect(offer).toBeVisible()
  // Announced by screen readers without taking the focus.
  await expect(snackbar(page).getByRole('status')).toContainText('Удалено: 1.')
  // Then the clock stands still: the next steps may take longer than the message stays.
  await page.clock.pauseAt(pressed + 10_000)
  await expect(offer).toBeVisible()
  await offer.hover()
  // Its timer stops a moment after the pointer has come.
  await page.clock.runFor(500)
  await page.clock.fastForward(60_000)
  await expect(offer).toBeVisible()
  await undo(page).focus()
  await page.mouse.move(5, 400)
  await page.clock.fastForward(60_000)
  await expect(offer).toBeVisible()
  await page.clock.resume()
  await page.keyboard.press('Shift+Tab')
  await expect(undo(page)).not.toBeFocused()
  await page.keyboard.press('Tab')
  await expect(undo(page)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toContainText('Нечаянно')
})

for (const [failure, fail, text] of [
  [
    'the database is away',
    (route: Route) => route.fulfill({ status: 503, json: { detail: 'База данных сейчас недоступна.' } }),
    'База данных сейчас недоступна.',
  ],
  [
    'no response comes',
    (route: Route) => route.abort(),
    'Не удалось отменить. Нет ответа от сервера. Проверьте соединение.',
  ],
] as const)
  test(`an undo that fails offers itself again: ${failure}`, async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/Failed to load resource/)
    await account.addNote({ title: 'Заметка' })
    await page.goto('/notes')
    await page.getByRole('checkbox', { name: 'Выбрать «Заметка»' }).check()
    await bar(page).getByRole('button', { name: 'Удалить' }).click()
    await expect(message(page, 'Удалено: 1.')).toBeVisible()
    await page.route('**/undo/', fail)
    await undo(page).click()
    await expect(message(page, text)).toBeVisible()
    await page.unroute('**/undo/')
    // What succeeds meanwhile does not take it away.
    await page.getByRole('button', { name: 'Открыть меню' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Ссылки' }).click()
    await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
    await undo(page).click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(message(page, text)).toBeHidden()
    await page.goto('/notes')
    await expect(page.getByRole('article')).toHaveCount(1)
  })

test('a change of one item is named as such, one of several by their number', async ({
  signedIn: page,
  account,
}) => {
  for (const title of ['Первая', 'Вторая']) await account.addNote({ title })
  for (const titles of [['Первая'], ['Первая', 'Вторая']]) {
    await page.goto('/notes')
    for (const title of titles) await page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
    await bar(page).getByRole('button', { name: 'Теги' }).click()
    const dialog = page.getByRole('dialog', { name: 'Теги выбранного' })
    await dialog.getByRole('combobox', { name: 'Добавить теги' }).fill(`тег ${titles.length}`)
    await dialog.getByRole('combobox', { name: 'Добавить теги' }).press('Enter')
    await dialog.getByRole('button', { name: 'Применить' }).click()
    await expect(message(page, `Изменено: ${titles.length}.`)).toBeVisible()
  }
  await page.goto('/profile/history')
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: /^Изменение/ })
  await expect(rows.first()).toContainText('Изменение нескольких записей')
  await expect(rows.first()).toContainText('Записей: 2')
  await expect(rows.last()).toContainText('Изменение записи: «Первая»')
})

test('the history follows what is under way to its end', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Удалённая' })
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
  let isUnderWay = true
  await page.route('**/api/v1/operations/*', async (route) => {
    const response = await route.fetch()
    const { count, results } = await response.json()
    const progress = isUnderWay ? { progress: { done: 1_250, total: 5_000 } } : {}
    await route.fulfill({ response, json: { count, results: [{ ...results[0], ...progress }] } })
  })
  await page.goto('/profile/history')
  await expect(page.getByText(/^Сделано: 1\s250 из 5\s000$/)).toBeVisible()
  isUnderWay = false
  await expect(page.getByRole('button', { name: /^Отменить: Удаление/ })).toBeVisible()
})

test('undos that take long say that they are under way, until the last of them ends', async ({
  signedIn: page,
  account,
}) => {
  for (const title of ['Первая', 'Вторая']) await account.addNote({ title })
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waiting = held.values()
  await page.route('**/api/v1/operations/', async (route) => {
    const response = await route.fetch()
    const { count, results } = await response.json()
    const progress = { done: 1_250, total: 5_000 }
    await route.fulfill({
      response,
      json: { count, results: results.map((one: object) => ({ ...one, progress })) },
    })
  })
  await page.route('**/undo/', async (route) => {
    const { value } = waiting.next()
    const response = await route.fetch()
    await value?.promise
    await route.fulfill({ response })
  })
  await page.goto('/notes')
  for (const title of ['Первая', 'Вторая']) {
    await page.getByRole('checkbox', { name: `Выбрать «${title}»` }).check()
    await bar(page).getByRole('button', { name: 'Удалить' }).click()
    await expect(page.getByRole('article').filter({ hasText: title })).toHaveCount(0)
  }
  await expect(undo(page)).toHaveCount(2)
  for (const left of [1, 0]) {
    await undo(page).first().click()
    await expect(undo(page)).toHaveCount(left)
  }
  const busy = message(page, 'Отменяю…')
  await expect(busy).toBeVisible()
  await expect(
    snackbar(page)
      .getByText(/^ ?Сделано: 1\s250 из 5\s000$/)
      .first(),
  ).toBeVisible()
  held[0]?.resolve()
  await expect(message(page, 'Отменено.')).toBeVisible()
  await expect(busy).toBeVisible()
  held[1]?.resolve()
  await expect(busy).toBeHidden()
  await expect(page.getByRole('article')).toHaveCount(2)
})

const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Выбрать «${name}»` }).check()

/** Deletes a note from the list by its checkbox. */
const remove = async (page: Page, title: string) => {
  await select(page, title)
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
}

/** Presses Ctrl+Z outside fields. */
const pressUndo = async (page: Page) => {
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('Control+z')
}

/** The ids of the operations that the page asks to undo, in this order. */
const undosOf = (page: Page): string[] => {
  const ids: string[] = []
  page.on('request', (request) => {
    const [, id] = /operations\/([\w-]+)\/undo/.exec(request.url()) ?? []
    if (id !== undefined) ids.push(id)
  })
  return ids
}

for (const presses of [1, 2])
  test(`Ctrl+Z pressed before a deletion is done undoes that one first; presses: ${presses}`, async ({
    signedIn: page,
    account,
    hold,
  }) => {
    for (const title of ['Первая', 'Вторая', 'Третья']) await account.addNote({ title })
    const operations: (string | undefined)[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/bulk/')) operations.push(response.headers().operation)
    })
    const undone = undosOf(page)
    await page.goto('/notes')
    await remove(page, 'Первая')
    await expect(message(page, 'Удалено: 1.')).toBeVisible()
    const held = await hold('**/api/v1/items/bulk/')
    await remove(page, 'Вторая')
    await held.requested
    for (let at = 0; at < presses; at += 1) await pressUndo(page)
    await expect(message(page, 'Отменяю…')).toBeVisible()
    expect(undone).toEqual([])
    await held.release()
    await expect(page.getByRole('article')).toHaveCount(presses + 1)
    await expect(page.getByRole('article').filter({ hasText: 'Вторая' })).toBeVisible()
    await expect(message(page, 'Отменяю…')).toBeHidden()
    expect(undone).toEqual(operations.toReversed().slice(0, presses))
    // What is left can be undone as before.
    await expect(undo(page)).toHaveCount(2 - presses)
  })

test('Ctrl+Z pressed before a deletion fails undoes nothing, and what failed stays said', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  for (const title of ['Первая', 'Вторая']) await account.addNote({ title })
  const undone = undosOf(page)
  await page.goto('/notes')
  await remove(page, 'Первая')
  await expect(message(page, 'Удалено: 1.')).toBeVisible()
  const released = Promise.withResolvers<void>()
  await page.route('**/api/v1/items/bulk/', async (route) => {
    await released.promise
    await route.fulfill({ status: 500 })
  })
  const requested = page.waitForRequest('**/api/v1/items/bulk/')
  await remove(page, 'Вторая')
  await requested
  await pressUndo(page)
  await expect(message(page, 'Отменяю…')).toBeVisible()
  released.resolve()
  await expect(message(page, 'Отменяю…')).toBeHidden()
  await expect(snackbar(page).getByText(/^Не удалось/)).toBeVisible()
  expect(undone).toEqual([])
  await pressUndo(page)
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('Ctrl+Z pressed while several tags are deleted, with nothing before, undoes all of that', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await account.addNote({ tags: ['дом', 'дача', 'сад'] })
  await page.goto('/tags')
  for (const name of ['дом', 'дача', 'сад']) await select(page, name)
  await bar(page).getByRole('button', { name: 'Удалить' }).click()
  const held = await hold('**/api/v1/tags/*/', { method: 'DELETE' })
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await held.requested
  await expect(page.getByRole('dialog')).toBeHidden()
  await pressUndo(page)
  await expect(message(page, 'Отменяю…')).toBeVisible()
  await expect(snackbar(page).getByText(/отменять нечего/)).toHaveCount(0)
  await held.release()
  await expect(message(page, 'Отменено.')).toBeVisible()
  for (const name of ['дом', 'дача', 'сад'])
    await expect(page.getByRole('checkbox', { name: `Выбрать «${name}»` })).toBeVisible()
})

test('the focus stays at the row whose action was undone', async ({ signedIn: page, account }) => {
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  for (const title of ['Первая', 'Вторая']) {
    const { id } = await account.addNote({ title })
    expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
  }
  await page.goto('/profile/history')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Первая' })
  await row.getByRole('button', { name: /^Отменить/ }).press('Enter')
  await expect(row).toContainText(/ · Отменено \d/)
  await expect(row).toBeFocused()
  await expectAccessible(page)
})

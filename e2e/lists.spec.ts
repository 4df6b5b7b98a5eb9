import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, signIn, test } from './fixtures.ts'

const way = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test.describe('the pager', () => {
  test.beforeEach(async ({ page, account }) => {
    for (let at = 0; at < 106; at += 1) await account.addNote({})
    await signIn(page, account.session)
  })

  for (const [width, layout] of [
    [1280, 'with every page in sight'],
    [320, 'with the position alone'],
  ] as const) {
    test(`${layout} a step to either end keeps the focus, where it goes no further`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto('/notes?page=7')
      await expect(page.getByRole('article')).toHaveCount(15)
      const next = way(page, 'Следующая страница')
      await next.press('Enter')
      await expect(page).toHaveURL('/notes?page=8')
      await expect(page.getByRole('article')).toHaveCount(1)
      await expect(next).toBeFocused()
      await expect(next).toBeDisabled()
      await expectAccessible(page)
      await page.keyboard.press('Enter')
      await way(page, 'Первая страница').press('Enter')
      await expect(page).toHaveURL('/notes')
      await expect(way(page, 'Первая страница')).toBeFocused()
      await expect(way(page, 'Предыдущая страница')).toBeDisabled()
      await page.keyboard.press('Tab')
      await expect(page.locator(':focus')).not.toBeDisabled()
    })
  }

  test('the focus stays on the page that was chosen, wherever its number has moved', async ({ page }) => {
    await page.goto('/notes')
    await expect(page.getByRole('article')).toHaveCount(15)
    for (const target of [5, 4, 8, 1]) {
      const chosen = way(page, `Страница ${target}`)
      await chosen.press('Enter')
      await expect(chosen).toHaveAttribute('aria-current', 'page')
      await expect(chosen).toBeFocused()
    }
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('back from an item the list is where it was, at once and without another request', async ({
    signedIn: page,
    account,
  }) => {
    for (let at = 1; at <= 15; at += 1) await account.addNote({ title: `Заметка ${at}` })
    await page.goto('/notes')
    await expect(page.getByRole('article')).toHaveCount(15)
    const last = page.getByRole('link', { name: 'Открыть заметку «Заметка 1»' })
    await last.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => window.scrollY)
    expect(before).toBeGreaterThan(500)
    await last.click()
    await expect(page.getByRole('heading', { name: 'Заметка 1' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    // Whatever the network does meanwhile.
    await page.route('**/api/**', () => {})
    await page.goBack()
    await expect(page.getByRole('article')).toHaveCount(15)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before)
    await page.goForward()
    await expect(page.getByRole('heading', { name: 'Заметка 1' })).toBeVisible()
  })
})

for (const [how, reach] of [
  ['pointing at', 'hover'],
  ['focusing', 'focus'],
] as const) {
  test(`${how} a link to an item loads it, so that it opens without the server`, async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ title: 'Щи', content: '<p>Капуста</p>' })
    await page.goto('/notes')
    const open = page.getByRole('link', { name: 'Открыть заметку «Щи»' })
    const loading = page.waitForResponse(`**/api/v1/notes/${id}/`)
    await open[reach]()
    await (await loading).finished()
    await page.route('**/api/**', () => {})
    await open.click()
    await expect(page.getByText('Капуста')).toBeVisible()
  })
}

test('pointing at a tag or at a screen of the profile loads what it shows', async ({
  signedIn: page,
  account,
}) => {
  const { tags } = await account.addNote({ title: 'Щи', tags: ['супы'] })
  const [tag] = tags
  for (const [from, name, call, shown] of [
    ['/tags', 'Открыть категорию «супы»', `**/api/v1/tags/${tag?.id}/items/**`, 'Щи'],
    ['/profile', 'История действий', '**/api/v1/operations/**', 'Пока ни одного действия'],
  ] as const) {
    await page.goto(from)
    const loading = page.waitForResponse(call)
    await page.getByRole('link', { name }).hover()
    await (await loading).finished()
    await page.route('**/api/**', () => {})
    await page.getByRole('link', { name }).click()
    await expect(page.getByText(shown).first()).toBeVisible()
    await page.unrouteAll()
  }
})

test('a list by a tag that is gone says so and leads to the whole list', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  await account.addNote({ title: 'Без тега' })
  await page.goto('/notes?tag=01a1fa45-9743-7383-8dfc-4ee65ccd69d0')
  await expect(page.getByText('Такой категории больше нет.')).toBeVisible()
  await expect(page.getByText('…', { exact: true })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Повторить' })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).click()
  await expect(page).toHaveURL('/notes')
  await expect(page.getByRole('article')).toContainText('Без тега')
})

test('a tag whose name does not load stays off the list, the way to the whole list does not', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 500/)
  const { tags } = await account.addNote({ title: 'С тегом', tags: ['дача'] })
  await account.addNote({ title: 'Без тега' })
  const tag = tags[0]?.id
  await page.route(`**/api/v1/tags/${tag}/`, (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/notes?tag=${tag}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('of many tags in a row the rest are one link away', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({
    title: 'Со всем',
    tags: Array.from({ length: 12 }, (_, at) => `тег ${at}`),
  })
  await page.goto('/notes')
  await page.getByRole('link', { name: 'Ещё 2. Открыть заметку «Со всем»' }).click()
  await expect(page).toHaveURL(`/notes/${id}`)
  await expect(page.getByRole('link', { name: 'тег 11' })).toBeVisible()
})

test('of many tags in a row those are shown and marked that a search has found', async ({
  signedIn: page,
  account,
}) => {
  const others = Array.from({ length: 11 }, (_, at) => `арбуз ${at}`)
  await account.addNote({ title: 'Со всем', tags: [...others, 'яблоко'] })
  await page.goto('/notes?search=яблоко')
  const tags = page.getByRole('article').getByRole('list', { name: 'Теги' })
  await expect(tags.getByRole('link', { name: 'яблоко', exact: true }).locator('mark')).toHaveText('яблоко')
  await expect(tags.getByRole('listitem')).toHaveCount(11)
})

test('a tag narrows a list and its search down, and is chosen beside the search', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Борщ со сметаной', tags: ['кухня'] })
  await account.addNote({ title: 'Борщ в столовой', tags: ['город'] })
  await account.addNote({ title: 'Щи', tags: ['кухня'] })
  await page.goto('/notes?search=борщ')
  await expect(page.getByRole('article')).toHaveCount(2)
  const tag = page.getByRole('combobox', { name: 'Тег' })
  await tag.fill('кух')
  await expect(page.locator('datalist option')).toHaveCount(1)
  await expectAccessible(page)
  await tag.press('Enter')
  await expect(page).toHaveURL(/search=.*&tag=/)
  // The field is gone: who works with the keyboard goes on at the top of the list.
  const heading = page.getByRole('heading', { name: 'Заметки', level: 1 })
  await expect(heading).toBeFocused()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Борщ со сметаной')
  await page.getByRole('button', { name: 'Очистить поиск' }).click()
  await expect(page.getByRole('article')).toHaveCount(2)
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).press('Enter')
  await expect(page.getByRole('article')).toHaveCount(3)
  await expect(heading).toBeFocused()
})

test('Enter chooses a tag by what is typed, not by the names that are still on offer; without a text none', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await account.addNote({ title: 'Мотор', tags: ['авто'] })
  await account.addNote({ title: 'Борщ', tags: ['кухня'] })
  const held = await hold(`**/api/v1/tags/?search=${encodeURIComponent('кух')}*`)
  await page.goto('/notes')
  const tag = page.getByRole('combobox', { name: 'Тег' })
  await tag.focus()
  await expect(page.locator('datalist option')).toHaveCount(2)
  await tag.press('Enter')
  await tag.fill('кух')
  await tag.press('Enter')
  await held.requested
  await expect(page).toHaveURL('/notes')
  await held.release()
  await expect(page).toHaveURL(/tag=/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('article')).toContainText('Борщ')
})

test('Enter on a tag that does not exist says so', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Борщ', tags: ['кухня'] })
  await page.goto('/notes')
  const tag = page.getByRole('combobox', { name: 'Тег' })
  await tag.fill('гараж')
  await tag.press('Enter')
  await expect(message(page, 'Такой категории нет.')).toBeVisible()
  await expect(page).toHaveURL('/notes')
  await expect(tag).toHaveValue('гараж')
  await tag.fill('кухня')
  await tag.press('Enter')
  await expect(page).toHaveURL(/tag=/)
})

test('the excerpt leads to the item as well', async ({ signedIn: page, account }) => {
  const link = await account.addLink({ title: 'Вокзал', description: '<p>Расписание поездов</p>' })
  await page.goto('/url-links')
  await page.getByText('Расписание поездов').click()
  await expect(page).toHaveURL(`/urllinks/${link.id}`)
})

test('a search without results offers a note of that title, and quotes for a tag of two words', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Полить цветы', tags: ['домашние дела'] })
  for (const path of ['/notes', '/home']) {
    await page.goto(`${path}?search=${encodeURIComponent('tag:домашние дела')}`)
    await page.getByRole('link', { name: 'Искать tag:"домашние дела"' }).click()
    await expect(page.getByRole('article')).toContainText('Полить цветы')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.goto(`${path}?search=вчерашнее`)
    const create = page.getByRole('link', { name: 'Новая заметка «вчерашнее»' })
    await expect(create).toBeVisible()
    await expectAccessible(page)
    await create.click()
    await expect(page.getByLabel('Название')).toHaveValue('вчерашнее')
  }
})

test('old rows are busy while a new search is under way', async ({ signedIn: page, account, hold }) => {
  await account.addNote({ title: 'Старая' })
  await page.goto('/notes')
  await expect(page.getByRole('article')).toContainText('Старая')
  const held = await hold('**/api/v1/notes/?*search*')
  const search = page.getByLabel('Поиск по заметкам')
  await search.fill('новая')
  await expect(page.getByText('Уточнить: tag:имя · site:адрес · "фраза" · -слово')).toBeVisible()
  await search.press('Enter')
  const busy = page.locator('[aria-busy="true"]')
  await expect(busy.getByRole('article')).toContainText('Старая')
  await held.release()
  await expect(page.getByText('Таких заметок не нашлось.')).toBeVisible()
  await expect(busy).toHaveCount(0)
})

for (const { path, calls, old } of [
  { path: '/home', calls: '**/api/v1/search/**', old: 'article' },
  { path: '/tags', calls: '**/api/v1/tags/?**', old: 'listitem' },
] as const) {
  test(`old results are busy while a new search is under way: ${path}`, async ({
    signedIn: page,
    account,
    hold,
  }) => {
    await account.addNote({ title: 'Старая', tags: ['старая'] })
    await page.goto(`${path}?search=старая`)
    await expect(page.getByRole(old).filter({ hasText: 'старая' }).first()).toBeVisible()
    const held = await hold(calls)
    const search = page.getByRole('main').getByRole('search').getByRole('textbox')
    await search.fill('новая')
    await search.press('Enter')
    const busy = page.locator('[aria-busy="true"]')
    await expect(busy.getByRole(old).filter({ hasText: 'старая' }).first()).toBeVisible()
    await held.release()
    await expect(page.getByText(/не нашлось/).first()).toBeVisible()
    await expect(busy).toHaveCount(0)
  })
}

test('order and «Только без тегов» live in the address of the list', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Яблоко', tags: ['еда'] })
  await account.addNote({ title: 'Ёж' })
  await account.addNote({ title: 'Арбуз', tags: ['еда'] })
  await account.addNote({ title: 'Жук' })
  const titles = page.getByRole('article').getByRole('link', { name: /^(?:Яблоко|Ёж|Арбуз|Жук)$/ })
  await page.goto('/notes')
  await expect(titles).toHaveText(['Жук', 'Арбуз', 'Ёж', 'Яблоко'])
  await page.getByRole('button', { name: 'Порядок' }).click()
  await page.getByRole('menuitemradio', { name: 'По алфавиту' }).hover()
  await expectAccessible(page)
  await page.getByRole('menuitemradio', { name: 'По алфавиту' }).click()
  await expect(page).toHaveURL('/notes?sort=title')
  await expect(titles).toHaveText(['Арбуз', 'Ёж', 'Жук', 'Яблоко'])
  await expect(page.getByRole('menu')).toBeHidden()
  await page.getByRole('button', { name: 'Порядок' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Только без тегов' }).click()
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(page).toHaveURL(/untagged=1/)
  await expect(titles).toHaveText(['Ёж', 'Жук'])
  await page.reload()
  await expect(titles).toHaveText(['Ёж', 'Жук'])
  await page.getByRole('link', { name: 'Показать с любыми тегами' }).click()
  await expect(page).toHaveURL('/notes?sort=title')
  await expect(titles).toHaveCount(4)
  await page.goBack()
  await expect(titles).toHaveText(['Ёж', 'Жук'])
})

test('a pinned note stands first and says so', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Важная', pinned: true })
  await account.addNote({ title: 'Новая' })
  for (const path of ['/notes', '/home']) {
    await page.goto(path)
    const first = page.getByRole('article').first()
    await expect(first).toContainText('Важная')
    await expect(first.getByRole('img', { name: 'Закреплено' })).toBeVisible()
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: 'Открыть заметку «Важная»' }).click()
  const item = page.getByRole('article')
  await expect(item.getByText('Закреплено', { exact: true })).toBeVisible()
  await item.getByRole('button', { name: 'Ещё' }).click()
  await page.getByRole('menuitem', { name: 'Открепить' }).click()
  await expect(item.getByText('Закреплено', { exact: true })).toBeHidden()
})

test('«Изменено» shows where it differs from «Создано»', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Прежняя' })
  await account.addNote({ title: 'Правленая' })
  // A day later as the browser sees it.
  await page.route('**/api/v1/notes/?**', async (route) => {
    const response = await route.fetch()
    const { count, results } = await response.json()
    const [first, ...rest] = results
    const updated_at = new Date(Date.parse(first.created_at) + 24 * 60 * 60 * 1000).toISOString()
    await route.fulfill({ response, json: { count, results: [{ ...first, updated_at }, ...rest] } })
  })
  await page.goto('/notes')
  const changed = page.getByRole('article').filter({ hasText: 'Правленая' })
  await expect(changed).toContainText('Изменено')
  const sizes = await changed
    .locator('time')
    .evaluateAll((times) => times.map((time) => getComputedStyle(time).fontSize))
  expect(sizes).toEqual(['12px', '12px'])
  await expect(page.getByRole('article').filter({ hasText: 'Прежняя' })).not.toContainText('Изменено')
})

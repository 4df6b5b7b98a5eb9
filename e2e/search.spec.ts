import type { Page } from '@playwright/test'
import { expect, expectAccessible, nextPaint, test } from './fixtures.ts'

const searchFor = async (page: Page, label: string, text: string): Promise<void> => {
  const field = page.getByLabel(label, { exact: true })
  await field.fill(text)
  await field.press('Enter')
}

test('what was found is marked, in any form, and read as one text', async ({ signedIn: page, account }) => {
  const long = 'Начало без единого совпадения. '.repeat(10)
  await account.addNote({
    title: 'О книгах <b>и</b> людях',
    content: `<p>${long}Эту книгу дала Ёлкина.</p>`,
    tags: ['дом', 'Книги и люди'],
  })
  await account.addLink({ title: 'Чужое', description: '<p>Ни слова</p>' })
  await page.goto('/home')
  await searchFor(page, 'Поиск', 'книга елкина')
  const row = page.getByRole('article')
  await expect(row).toHaveCount(1)
  await expect(row.locator('mark')).toHaveText(['книгах', 'книгу', 'Ёлкина', 'Книги'])
  await expect(row.getByRole('link', { name: 'О книгах <b>и</b> людях', exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)

  await page.goto('/notes?search=книга')
  await expect(row.locator('mark')).toHaveText(['книгах', 'книгу', 'Книги'])
  await page.getByRole('button', { name: 'Очистить поиск' }).click()
  await expect(page).toHaveURL('/notes')
  await expect(row.locator('mark')).toHaveCount(0)
})

test('signs alone find the titles that have them, or say that nothing was found', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Что дальше???', content: '<p>Пока неясно!!!</p>' })
  await account.addNote({ title: 'Ясно', content: '<p>Совсем ???</p>' })
  await page.goto('/notes')
  const row = page.getByRole('article')
  await expect(row).toHaveCount(2)
  await searchFor(page, 'Поиск по заметкам', '???')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Что дальше')
  await searchFor(page, 'Поиск по заметкам', '!!!')
  await expect(row).toHaveCount(0)
  await expect(page.getByText('Таких заметок не нашлось.')).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`found words in the title of a link are readable, ${colorScheme}`, async ({
    signedIn: page,
    account,
  }) => {
    await account.addLink({ title: 'Книга о море' })
    await page.emulateMedia({ colorScheme })
    await page.goto('/url-links?search=книга')
    await expect(page.getByRole('article').locator('mark')).toHaveText(['Книга'])
    await expectAccessible(page)
  })
}

for (const [path, label] of [
  ['/home', 'Поиск'],
  ['/notes', 'Поиск по заметкам'],
] as const) {
  test(`${path}: typed in the other keyboard layout it is found, said so, and searched literally where asked`, async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Привет из Самары' })
    await page.goto(path)
    await searchFor(page, label, 'ghbdtn')
    await expect(page.getByRole('article')).toHaveCount(1)
    await expect(page.getByText('Показано по запросу «привет».')).toBeVisible()
    await expect(page.getByRole('article').locator('mark')).toHaveText(['Привет'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue('ghbdtn')
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Искать точно так: «ghbdtn»' }).click()
    await expect(page).toHaveURL(`${path}?search=ghbdtn&exact=1`)
    await expect(page.getByRole('article')).toHaveCount(0)
    // The link is gone: who works with the keyboard goes on at the top.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(page.getByText('Показано по запросу')).toBeHidden()

    await searchFor(page, label, 'самарп')
    await expect(page).toHaveURL(`${path}?search=${encodeURIComponent('самарп')}`)
    await expect(page.getByText('Показано по запросу «самары».')).toBeVisible()
  })
}

test('from home the whole list of a corrected search is the same', async ({ signedIn: page, account }) => {
  await account.addNote({ title: 'Привет из Самары' })
  await page.goto('/home?search=ghbdtn')
  await page.getByRole('link', { name: 'Найдено заметок: 1' }).click()
  await expect(page).toHaveURL(`/notes?search=${encodeURIComponent('привет')}`)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a pasted page is searched by its beginning, in the address as well', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Война и мир' })
  await page.goto('/home')
  await searchFor(page, 'Поиск', 'война и мир '.repeat(300))
  // Before the search the screen shows one as well.
  await expect(page).toHaveURL(/[?&]search=/)
  await expect(page.getByRole('article')).toHaveCount(1)
  await page.reload()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('how many were found is said of the search in the field alone', async ({
  signedIn: page,
  account,
  hold,
}) => {
  await account.addNote({ title: 'Первое' })
  await account.addNote({ title: 'Второе' })
  await page.goto(`/home?search=${encodeURIComponent('первое')}`)
  await expect(page.getByText('Найдено заметок: 1')).toBeVisible()
  const held = await hold(new RegExp(`/api/v1/.*search=${encodeURIComponent('второе')}`))
  await searchFor(page, 'Поиск', 'второе')
  await held.requested
  await expect(page.getByText('Найдено заметок: 1')).toBeHidden()
  await held.release()
  await expect(page.getByText('Найдено заметок: 1')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Второе')
})

test('the lists of a tag are searched by themselves, and mark what was found', async ({
  signedIn: page,
  account,
}) => {
  const { tags } = await account.addNote({ title: 'О книгах', tags: ['дом'] })
  await account.addLink({ title: 'Полки', description: '<p>Куда поставить книгу</p>', tags: ['дом'] })
  await account.addNote({ title: 'Книга без тега' })
  await account.addLink({ title: 'Ещё одна книга' })
  for (const [list, label, marks] of [
    ['/notes', 'Поиск по заметкам', ['книгах']],
    ['/url-links', 'Поиск по ссылкам', ['книгу']],
  ] as const) {
    await page.goto(`${list}?tag=${tags[0]?.id}`)
    await searchFor(page, label, 'книга')
    await expect(page).toHaveURL(`${list}?search=${encodeURIComponent('книга')}&tag=${tags[0]?.id}`)
    await expect(page.getByText(/^Найдено .*: 1$/)).toBeVisible()
    await expect(page.getByRole('article').locator('mark')).toHaveText([...marks])
  }
})

for (const [path, label] of [
  ['/home', 'Поиск'],
  ['/notes', 'Поиск по заметкам'],
  ['/url-links', 'Поиск по ссылкам'],
] as const) {
  test(`${path}: a response that comes late does not replace a newer one`, async ({
    signedIn: page,
    account,
    hold,
  }) => {
    for (const title of ['Первое', 'Второе']) {
      await (path === '/url-links' ? account.addLink({ title }) : account.addNote({ title }))
    }
    const held = await hold(new RegExp(`/api/v1/.*search=${encodeURIComponent('первое')}`))
    await page.goto(path)
    await expect(page.getByRole('article')).toHaveCount(2)
    await searchFor(page, label, 'первое')
    await held.requested
    await searchFor(page, label, 'второе')
    await expect(page.getByRole('article')).toHaveCount(1)
    await held.release()
    await nextPaint(page)
    await expect(page.getByRole('article')).toContainText('Второе')
  })
}

for (const [path, label] of [
  ['/home', 'Поиск'],
  ['/notes', 'Поиск по заметкам'],
  ['/url-links', 'Поиск по ссылкам'],
] as const) {
  test(`${path}: a question of which not all words occur shows the closest items, says so, and is searched literally where asked`, async ({
    signedIn: page,
    account,
  }) => {
    if (path === '/url-links')
      await account.addLink({ title: 'Башня на площади', description: '<p>Её проектировал Вайс.</p>' })
    else await account.addNote({ title: 'Башня на площади', content: '<p>Её проектировал Вайс.</p>' })
    await account.addNote({ title: 'Рынок', content: '<p>Мёд и сыр.</p>' })
    await page.goto(path)
    const asked = 'кто проектировал ту башню в Загорье'
    await searchFor(page, label, asked)
    const row = page.getByRole('article')
    await expect(row).toHaveCount(1)
    const said = page.getByText('Всех слов нет ни в одной записи. Показаны самые близкие.')
    await expect(said).toBeVisible()
    await expect(row.locator('mark')).toHaveText(['Башня', 'проектировал'])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(asked)
    await expectAccessible(page)
    await page.getByRole('link', { name: `Искать точно так: «${asked}»` }).click()
    await expect(page).toHaveURL(/[?&]exact=1$/)
    await expect(row).toHaveCount(0)
    await expect(said).toBeHidden()
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the palette shows the closest items, what of them matched and the way to the literal query, ${colorScheme}`, async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Башня на площади', content: '<p>Её проектировал Вайс.</p>' })
    await page.emulateMedia({ colorScheme })
    await page.goto('/notes')
    await expect(page.getByRole('article')).toBeVisible()
    await page.keyboard.press('Control+k')
    const asked = 'кто проектировал ту башню в Загорье'
    const dialog = page.getByRole('dialog')
    const field = page.getByRole('combobox', { name: 'Что открыть или найти' })
    await field.fill(asked)
    const option = page.getByRole('option', { name: /^Башня на площади/ })
    await expect(option.locator('mark')).toHaveText(['Башня', 'проектировал'])
    await expect(dialog.getByText('Показаны самые близкие.')).toBeVisible()
    await expectAccessible(page)
    await field.fill(',fiyz')
    await expect(dialog.getByText('Показано по запросу «башня».')).toBeVisible()
    await expectAccessible(page)
    await field.fill('rnj ghjtrnbhjdfk ,fiy. d pfujhmt')
    await expect(dialog.getByRole('status').filter({ hasText: 'Показано' })).toHaveText(
      'Показано по запросу «кто проектировал башню в загорье». Всех слов нет ни в одной записи. Показаны самые близкие.',
    )
    await field.fill(asked)
    await page.getByRole('option', { name: `Искать точно так: «${asked}»`, exact: true }).click()
    await expect(page).toHaveURL(`/home?${new URLSearchParams({ search: asked, exact: '1' })}`)
    await expect(page.getByText('Таких заметок не нашлось.')).toBeVisible()
  })
}

test('under an item stand the items that are like it', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Закваска для хлеба', content: '<p>Ржаная мука</p>' })
  await account.addLink({ title: 'Хлеб на закваске', description: '<p>Мука</p>' })
  await account.addNote({ title: 'Велосипед' })
  await page.goto(`/notes/${id}`)
  const similar = page.getByRole('region', { name: 'Похожее' })
  await expect(similar.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await similar.getByRole('link', { name: 'Хлеб на закваске' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Хлеб на закваске')
  await expect(similar.getByRole('link')).toHaveText('Закваска для хлеба')
  await page.goto('/notes')
  const asked = page.waitForResponse(/\/similar\/$/)
  await page.getByRole('link', { name: 'Велосипед', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Велосипед')
  await asked
  await nextPaint(page)
  await expect(similar).toBeHidden()
})

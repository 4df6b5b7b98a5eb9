import type { Locator } from '@playwright/test'
import { expect, expectAccessible, message, test } from './fixtures.ts'

/** The two kinds side by side, each with its own sentences: Russian inflects. */
const kinds = [
  {
    kind: 'notes',
    list: '/notes',
    item: /\/notes\/[\w-]{36}$/,
    menu: 'Новая заметка',
    heading: 'Заметки',
    body: 'Содержание',
    added: 'Заметка успешно добавлена!',
    saved: 'Заметка успешно обновлена.',
    removed: 'Заметка успешно удалена.',
    question: 'Вы уверены, что хотите удалить эту заметку?',
    conflict: 'Пока вы редактировали, заметка изменилась',
    missing: 'Заметка не найдена',
    search: 'Поиск по заметкам',
    empty: 'Пока ни одной заметки',
  },
  {
    kind: 'links',
    list: '/url-links',
    item: /\/urllinks\/[\w-]{36}$/,
    menu: 'Новая ссылка',
    heading: 'Ссылки',
    body: 'Описание',
    added: 'Ссылка успешно добавлена!',
    saved: 'Ссылка успешно обновлена!',
    removed: 'Ссылка успешно удалена.',
    question: 'Вы уверены, что хотите удалить эту ссылку?',
    conflict: 'Пока вы редактировали, ссылка изменилась',
    missing: 'Ссылка не найдена',
    search: 'Поиск по ссылкам',
    empty: 'Пока ни одной ссылки',
  },
] as const

for (const words of kinds) {
  const isLink = words.kind === 'links'
  const itemPath = (id: string) => (isLink ? `/urllinks/${id}` : `/notes/${id}`)

  test.describe(words.heading, () => {
    test('the main job: add, find in the list, open, change, delete', async ({ signedIn: page }) => {
      await page.goto(words.list)
      await expect(page.getByRole('heading', { name: words.heading, level: 1 })).toBeVisible()
      await expect(page.getByText(words.empty)).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('button', { name: 'Добавить или выйти' }).click()
      await page.getByRole('menuitem', { name: words.menu }).click()
      const save = page.getByRole('button', { name: 'Сохранить' })
      await expect(save).toBeDisabled()
      await page.getByLabel('Название').fill('Борщ')
      if (isLink) await page.getByLabel('URL').fill('https://example.org/борщ')
      const editor = page.getByRole('textbox', { name: words.body })
      await editor.click()
      await page.keyboard.type('Свёкла и ')
      await page.getByRole('button', { name: 'Полужирный' }).click()
      await page.keyboard.type('капуста')
      const tags = page.getByRole('combobox', { name: 'Теги' })
      await tags.fill('кухня')
      await tags.press('Enter')
      await tags.fill('суп')
      await tags.press('Enter')
      await expectAccessible(page)
      await save.click()

      await expect(message(page, words.added)).toBeVisible()
      await expect(page).toHaveURL(words.list)
      const row = page.getByRole('article').filter({ hasText: 'Борщ' })
      await expect(row).toContainText('Свёкла и капуста')
      await expect(row).toContainText(/\d\d\.\d\d\.\d{4} \d\d:\d\d/)
      for (const tag of ['кухня', 'суп']) await expect(row.getByRole('link', { name: tag })).toBeVisible()
      if (isLink) {
        const title = row.getByRole('link', { name: /^Борщ/ })
        await expect(title).toHaveAttribute('href', 'https://example.org/борщ')
        await expect(title).toHaveAttribute('target', '_blank')
        await expect(title).toHaveAttribute('rel', /noopener/)
      }

      await row
        .getByRole('link', { name: isLink ? 'Открыть ссылку «Борщ»' : 'Открыть заметку «Борщ»' })
        .click()
      await expect(page).toHaveURL(words.item)
      await expect(page.getByRole('heading', { name: 'Борщ', level: 1 })).toBeVisible()
      await expect(page.getByText('Создано')).toBeVisible()
      await expect(page.locator('strong', { hasText: 'капуста' })).toBeVisible()
      await expectAccessible(page)

      await page.getByRole('link', { name: 'Редактировать' }).click()
      await expect(page.getByLabel('Название')).toHaveValue('Борщ')
      await page.getByLabel('Название').fill('Борщ с грибами')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(message(page, words.saved)).toBeVisible()
      await expect(page).toHaveURL(words.item)
      await expect(page.getByRole('heading', { name: 'Борщ с грибами', level: 1 })).toBeVisible()
      await expect(page.locator('strong', { hasText: 'капуста' })).toBeVisible()

      const remove = page.getByRole('button', { name: 'Удалить' })
      await remove.click()
      const dialog = page.getByRole('dialog', { name: 'Подтверждение удаления' })
      await expect(dialog.getByText(words.question)).toBeVisible()
      await expectAccessible(page)
      expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(500)
      await dialog.getByRole('button', { name: 'Отмена' }).click()
      await expect(dialog).toBeHidden()
      await expect(remove).toBeFocused()
      await remove.click()
      await dialog.getByRole('button', { name: 'Удалить' }).click()
      await expect(message(page, words.removed)).toBeVisible()
      await expect(page).toHaveURL(words.list)
      await expect(page.getByText(words.empty)).toBeVisible()
    })

    test('fields say what is missing once they are left', async ({ signedIn: page }) => {
      await page.goto(isLink ? '/urllinks/add' : '/notes/add')
      await page.getByLabel('Название').focus()
      await page.keyboard.press('Tab')
      await expect(page.getByText('Обязательное поле').first()).toBeVisible()
      if (isLink) {
        await page.getByLabel('URL').fill('javascript:alert(1)')
        await page.getByLabel('Название').click()
        await expect(page.getByText('Неверный формат URL')).toBeVisible()
      }
      await expect(page.getByRole('button', { name: 'Сохранить' })).toBeDisabled()
    })

    test('tags are suggested, compared without letter case, and taken off again', async ({
      signedIn: page,
      account,
    }) => {
      await (isLink ? account.addLink : account.addNote)({ tags: ['Работа', 'Дача'] })
      await page.goto(isLink ? '/urllinks/add' : '/notes/add')
      const tags = page.getByRole('combobox', { name: 'Теги' })
      await tags.click()
      await expect(page.getByRole('option', { name: 'Работа' })).toBeVisible()
      await tags.fill('дач')
      await expect(page.getByRole('option', { name: 'Работа' })).toBeHidden()
      await page.getByRole('option', { name: 'Дача' }).click()
      await tags.fill('РАБОТА')
      await tags.press('Enter')
      await tags.fill('работа,')
      await expect(page.getByRole('button', { name: /Убрать тег/ })).toHaveCount(2)
      await page.getByRole('button', { name: 'Убрать тег Дача' }).click()
      await expect(page.getByRole('button', { name: /Убрать тег/ })).toHaveCount(1)
    })

    test('a list is paged by 15; page and search live in the address', async ({
      signedIn: page,
      account,
    }) => {
      for (let at = 1; at <= 31; at += 1) {
        await (isLink ? account.addLink : account.addNote)({
          title: `Запись ${at}${at % 2 ? ' нечётная' : ''}`,
        })
      }
      await page.goto(words.list)
      await expect(page.getByRole('article')).toHaveCount(15)
      await page.getByRole('link', { name: 'Страница 3' }).click()
      await expect(page).toHaveURL(`${words.list}?page=3`)
      await expect(page.getByRole('article')).toHaveCount(1)
      await page.reload()
      await expect(page.getByRole('article')).toHaveCount(1)

      const search = page.getByLabel(words.search)
      await search.fill('нечетная')
      await search.press('Enter')
      await expect(page).toHaveURL(/search=/)
      expect(new URL(page.url()).searchParams.get('page')).toBeNull()
      await expect(page.getByRole('article')).toHaveCount(15)
      await page.goBack()
      await expect(page).toHaveURL(`${words.list}?page=3`)
      await expect(search).toHaveValue('')
      await page.goForward()
      await expect(search).toHaveValue('нечетная')
      await page.getByRole('button', { name: 'Очистить поиск' }).click()
      await expect(page).toHaveURL(words.list)
      await expectAccessible(page)

      await page.goto(`${words.list}?page=99`)
      await expect(page).toHaveURL(`${words.list}?page=3`)
      await page.goto(`${words.list}?page=nonsense`)
      await expect(page.getByRole('article')).toHaveCount(15)
    })

    test('of two tabs neither overwrites the other: both texts are shown, one is chosen', async ({
      signedIn: page,
      account,
      context,
      expectedInConsole,
    }) => {
      expectedInConsole.push(/status of 412/)
      const { id } = await (isLink ? account.addLink : account.addNote)({ title: 'Общее' })
      await page.goto(`${itemPath(id)}/edit`)
      await expect(page.getByLabel('Название')).toHaveValue('Общее')
      const other = await context.newPage()
      await other.goto(`${itemPath(id)}/edit`)
      await other.getByLabel('Название').fill('Чужая правка')
      await other.getByRole('button', { name: 'Сохранить' }).click()
      await expect(other).toHaveURL(words.item)

      await page.getByLabel('Название').fill('Моя правка')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      const dialog = page.getByRole('dialog', { name: words.conflict })
      await expect(dialog.getByText('Чужая правка')).toBeVisible()
      await expect(dialog.getByText('Моя правка')).toBeVisible()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Вернуться к правке' }).click()
      await expect(page.getByLabel('Название')).toHaveValue('Моя правка')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await dialog.getByRole('button', { name: 'Сохранить мой' }).click()
      await expect(page).toHaveURL(words.item)
      await expect(page.getByRole('heading', { name: 'Моя правка' })).toBeVisible()
    })

    test('an item that is not there says so and leads back', async ({
      signedIn: page,
      expectedInConsole,
    }) => {
      expectedInConsole.push(/status of 404/)
      for (const path of [
        '01a1fa45-9743-7383-8dfc-4ee65ccd69d0',
        'nonsense',
        '01a1fa45-9743-7383-8dfc-4ee65ccd69d0/edit',
      ]) {
        await page.goto(itemPath(path))
        await expect(page.getByRole('heading', { name: words.missing })).toBeVisible()
      }
      await expectAccessible(page)
    })

    test('a save that fails keeps everything typed', async ({ signedIn: page, expectedInConsole }) => {
      expectedInConsole.push(/ERR_/, /status of 500/)
      await page.goto(isLink ? '/urllinks/add' : '/notes/add')
      await page.getByLabel('Название').fill('Не потеряйся')
      if (isLink) await page.getByLabel('URL').fill('https://example.org/')
      await page.getByRole('textbox', { name: words.body }).click()
      await page.keyboard.type('Текст')
      await page.route('**/api/v1/**', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      )
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(page.getByText('Нет ответа от сервера. Проверьте соединение.').first()).toBeVisible()
      await expect(page.getByLabel('Название')).toHaveValue('Не потеряйся')
      await expect(page.getByRole('textbox', { name: words.body })).toContainText('Текст')
      await page.unroute('**/api/v1/**')
      await page.getByRole('button', { name: 'Сохранить' }).click()
      await expect(message(page, words.added)).toBeVisible()
    })
  })
}

test('what is dangerous in a text never runs, what is safe in it is shown', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    title: '<img src=x onerror=alert(1)>',
    content:
      '<h2>Заголовок</h2><script>document.title="взлом"</script><a href="https://example.org/x">адрес</a>',
  })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Заголовок' })).toBeVisible()
  const link = page.getByRole('link', { name: 'адрес' })
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  await expect(page).not.toHaveTitle('взлом')
})

test('an address is shown as people read it and leads where it was saved', async ({
  signedIn: page,
  account,
}) => {
  const url = 'https://xn--80a1acny.xn--p1ai/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0'
  const { id } = await account.addLink({ title: 'Почта', url })
  await page.goto('/url-links')
  await expect(page.getByRole('article')).toContainText('почта.рф')
  await page.goto(`/urllinks/${id}`)
  const link = page.getByRole('main').getByRole('link', { name: 'https://почта.рф/wiki/Москва' })
  await expect(link).toHaveAttribute('href', url)
  await page.goto(`/urllinks/${id}/edit`)
  await expect(page.getByLabel('URL')).toHaveValue(url)
})

const directionOf = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).direction)

test('a text in Hebrew runs from right to left in a Russian interface, wherever it stands', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    title: 'מתכון למרק',
    content: '<p>סלק, כרוב ומלח.</p>',
    tags: ['מטבח'],
  })
  await page.goto('/notes')
  const row = page.getByRole('article')
  for (const text of ['מתכון למרק', 'סלק, כרוב ומלח.', 'מטבח'])
    expect(await directionOf(row.getByText(text, { exact: true }))).toBe('rtl')

  await page.goto(`/notes/${id}`)
  for (const text of ['מתכון למרק', 'סלק, כרוב ומלח.', 'מטבח'])
    expect(await directionOf(page.getByRole('article').getByText(text, { exact: true }))).toBe('rtl')
  expect(await directionOf(page.getByText('Создано'))).toBe('ltr')

  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('מתכון למרק')
  expect(await directionOf(page.getByLabel('Название'))).toBe('rtl')
  const editor = page.getByRole('textbox', { name: 'Содержание' })
  await expect(editor).toContainText('סלק')
  expect(await directionOf(editor)).toBe('rtl')
})

test('the document is called by the item or the tag it shows', async ({ signedIn: page, account }) => {
  const { id, tags } = await account.addNote({ title: 'Щи', tags: ['кухня'] })
  await account.addNote({ title: 'Уха' })
  await account.addLink({ title: 'Рецепты' })
  await page.goto('/notes')
  await expect(page).toHaveTitle('Заметки — Копилка')
  await page.getByRole('link', { name: 'Открыть заметку «Щи»' }).click()
  await expect(page).toHaveTitle('Щи — Копилка')
  await page.goBack()
  await expect(page).toHaveTitle('Заметки — Копилка')
  await page.getByRole('link', { name: 'Открыть заметку «Уха»' }).click()
  await expect(page).toHaveTitle('Уха — Копилка')
  // From the cache this time: the item is there before its screen is.
  await page.goBack()
  await page.getByRole('link', { name: 'Открыть заметку «Щи»' }).click()
  await expect(page).toHaveTitle('Щи — Копилка')
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(page).toHaveTitle('Редактирование заметки «Щи» — Копилка')
  await page.goto('/url-links')
  await page.getByRole('link', { name: 'Открыть ссылку «Рецепты»' }).click()
  await expect(page).toHaveTitle('Рецепты — Копилка')

  await page.goto(`/tags/${tags[0]?.id}`)
  await expect(page).toHaveTitle('кухня — Копилка')
  await page.getByRole('link', { name: 'Редактировать' }).click()
  await expect(page).toHaveTitle('Редактирование категории «кухня» — Копилка')
  await page.goto(`/notes/${id}`)
  await expect(page).toHaveTitle('Щи — Копилка')
  await page.reload()
  await expect(page).toHaveTitle('Щи — Копилка')
})

test('an address without an id says that it is missing and leads to the list', async ({ signedIn: page }) => {
  for (const [path, sentence, toList, list] of [
    ['/notes//edit', 'Нет идентификатора заметки.', 'К списку заметок', '/notes'],
    ['/urllinks//edit', 'Нет идентификатора ссылки.', 'К списку ссылок', '/url-links'],
    ['/tags//edit/', 'Нет идентификатора тега.', 'К списку категорий', '/tags'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(sentence)).toBeVisible()
    await expectAccessible(page)
    await page.goto('/home')
    await expect(page.getByRole('heading', { name: 'Главная' })).toBeVisible()
    await page.evaluate((path) => window.history.pushState(null, '', path), path)
    await expect(page.getByText(sentence)).toBeVisible()
    await page.getByRole('link', { name: toList }).click()
    await expect(page).toHaveURL(list)
  }
})

test('text and address of an item are copied, and it is printed; of a long one the actions are at the top as well', async ({
  signedIn: page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const note = await account.addNote({ title: 'Длинная', content: '<p>Строка</p>'.repeat(120) })
  const link = await account.addLink({ url: 'https://one.example/a', description: '<p>Раз</p><p>два</p>' })
  await page.goto(`/notes/${note.id}`)
  await expect(page.getByRole('link', { name: 'Редактировать' })).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Редактировать' }).first()).toBeInViewport()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Скопировать ссылку' }).first().click()
  await expect(message(page, 'Ссылка скопирована.')).toBeVisible()
  expect(await clipboard()).toBe(page.url())

  await page.goto(`/urllinks/${link.id}`)
  await expect(page.getByRole('link', { name: 'Редактировать' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Скопировать текст' }).click()
  await expect(message(page, 'Текст скопирован.')).toBeVisible()
  expect(await clipboard()).toBe('Раз\n\nдва')
  await page.getByRole('button', { name: 'Скопировать ссылку' }).click()
  await expect.poll(clipboard).toBe('https://one.example/a')
  const printed = page.evaluate(
    () => new Promise((done) => window.addEventListener('beforeprint', done, { once: true })),
  )
  await page.getByRole('button', { name: 'Ещё' }).click()
  await page.getByRole('menuitem', { name: 'Печать' }).click()
  await printed
})

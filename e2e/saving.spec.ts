import type { Page } from '@playwright/test'
import { type Account, expect, message, signIn, test } from './fixtures.ts'

test('while a save is under way nothing can be typed that it would leave out', async ({
  signedIn: page,
  hold,
}) => {
  await page.goto('/notes/add')
  const title = page.getByLabel('Название')
  await title.fill('Начало')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
  const held = await hold('**/api/v1/notes/', { method: 'POST' })
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(title.locator('xpath=ancestor::*[@inert]')).toHaveCount(1)
  // Neither a click nor the keyboard reaches a field now.
  await title.evaluate((field) => field.focus())
  await page.keyboard.type(' конец')
  await expect(title).toHaveValue('Начало')
  await held.release()
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Начало')
})

test('of two quick clicks on delete one counts', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({ title: 'Лишняя' })
  let removals = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') removals += 1
  })
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: 'Удалить' })
    .evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
  await expect(message(page, 'Заметка успешно удалена.')).toBeVisible()
  expect(removals).toBe(1)
})

test('of a large text the last letters are saved as well, however soon', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    title: 'Большая',
    content: `<p>${'Длинный текст. '.repeat(5_000)}</p>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('Начало: ')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
  await expect(page.getByRole('article')).toContainText('Начало: Длинный текст.')
})

test('the list shows at once that an item is deleted, and what moves up behind it', async ({
  signedIn: page,
  account,
  hold,
}) => {
  for (let at = 1; at <= 16; at += 1) await account.addNote({ title: `Заметка ${at}` })
  await page.goto('/notes')
  await expect(page.getByRole('article')).toHaveCount(15)
  await page.getByRole('link', { name: 'Открыть заметку «Заметка 16»' }).click()
  const held = await hold('**/api/v1/notes/?**')
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(page.getByRole('article')).toHaveCount(14)
  await expect(page.getByText('Заметка 16')).toBeHidden()
  await held.release()
  await expect(page.getByRole('article')).toHaveCount(15)
})

test('taking the saved version leaves an unchanged form of it', async ({
  signedIn: page,
  account,
  context,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 412/)
  const { id } = await account.addNote({ title: 'Общая' })
  await page.goto(`/notes/${id}/edit`)
  await expect(page.getByLabel('Название')).toHaveValue('Общая')
  const other = await context.newPage()
  await other.goto(`/notes/${id}/edit`)
  await other.getByLabel('Название').fill('Чужая правка')
  await other.getByRole('button', { name: 'Сохранить' }).click()
  await expect(other).toHaveURL(`/notes/${id}`)
  await page.getByLabel('Название').fill('Моя правка')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Взять сохранённый' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Чужая правка')
  const way = page.getByRole('navigation', { name: 'Навигационная цепочка' })
  await expect(way.getByRole('link', { name: 'Чужая правка' })).toBeVisible()
  await expect(page).toHaveTitle('Редактирование заметки «Чужая правка» — Копилка')
  await page.getByRole('link', { name: 'Копилка' }).click()
  await expect(page).toHaveURL('/home')
})

test('a note over the quota stays in its form, with the reason, and is saved once there is room', async ({
  page,
  serve,
  register,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 403/)
  const { address } = await serve({ ITEMS_PER_USER: '1' })
  const account = await register(address)
  await account.addNote({ title: 'Первая' })
  await signIn(page, account.session)
  await page.goto(`${address}/notes/add`)
  await page.getByLabel('Название').fill('Вторая')
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Не потерять')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(
    message(
      page,
      'Записей уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные и попробуйте снова.',
    ),
  ).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Вторая')
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toHaveText('Не потерять')

  const room = await page.context().newPage()
  await signIn(room, account.session)
  await room.goto(`${address}/notes`)
  await room.getByRole('link', { name: 'Открыть заметку «Первая»' }).click()
  await room.getByRole('button', { name: 'Удалить' }).click()
  await room.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(message(room, 'Заметка успешно удалена.')).toBeVisible()
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
})

test.describe('a response that is lost', () => {
  const NO_ANSWER = 'Нет ответа от сервера. Проверьте соединение.'

  test.beforeEach(({ expectedInConsole }) => void expectedInConsole.push(/ERR_FAILED/))

  /** The server gets what is saved, its response is lost on the way. */
  async function loseResponses(page: Page, calls: string, method = 'POST'): Promise<void> {
    await page.route(calls, async (route) => {
      if (route.request().method() !== method) return route.continue()
      await route.fetch()
      await route.abort()
    })
  }

  async function renameElsewhere(page: Page, { session }: Account, tag: string | undefined, name: string) {
    const headers = { authorization: `Bearer ${session.access_token}` }
    const renaming = await page.request.put(`/api/v1/tags/${tag}/`, { headers, data: { name } })
    expect(renaming.status()).toBe(200)
  }

  const save = (page: Page) => page.getByRole('button', { name: 'Сохранить' })

  for (const [kind, form, calls, field, failed, added] of [
    [
      'note',
      '/notes/add',
      '**/api/v1/notes/',
      'Содержание',
      'Произошла ошибка при добавлении заметки.',
      'Заметка успешно добавлена!',
    ],
    [
      'link',
      '/urllinks/add',
      '**/api/v1/urllinks/',
      'Описание',
      'Произошла ошибка при добавлении ссылки.',
      'Ссылка успешно добавлена!',
    ],
  ] as const) {
    test(`a ${kind} whose response was lost is one ${kind} after a second try`, async ({
      signedIn: page,
    }) => {
      await loseResponses(page, calls)
      await page.goto(form)
      await page.getByLabel('Название').fill('Один раз')
      if (kind === 'link') await page.getByLabel('URL').fill('https://example.org/')
      await page.getByRole('textbox', { name: field }).click()
      await page.keyboard.type('Текст')
      await save(page).click()
      await expect(message(page, `${failed} ${NO_ANSWER}`)).toBeVisible()
      await page.unroute(calls)
      await save(page).click()
      await expect(message(page, added)).toBeVisible()
      await expect(page.getByRole('article')).toHaveCount(1)
    })
  }

  test('the message of a failed save can be read although another call gets through at once', async ({
    signedIn: page,
    account,
  }) => {
    await account.addLink({ title: 'Старая', url: 'https://example.org/old' })
    await loseResponses(page, '**/api/v1/urllinks/')
    await page.goto('/urllinks/add')
    await page.getByLabel('Название').fill('Новая')
    await page.getByLabel('URL').fill('https://example.org/new')
    await page.getByRole('textbox', { name: 'Описание' }).click()
    await page.keyboard.type('Текст')
    await save(page).click()
    const lost = message(page, `Произошла ошибка при добавлении ссылки. ${NO_ANSWER}`)
    await expect(lost).toBeVisible()
    await page.getByLabel('URL').fill('https://example.org/old')
    await expect(page.getByText('Уже сохранено')).toBeVisible()
    expect(await lost.isVisible()).toBe(true)
    await expect(lost).toBeHidden()
  })

  test('an edit whose response was lost is no conflict with itself when it is sent again', async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ title: 'Была', tags: ['дом'] })
    await loseResponses(page, `**/api/v1/notes/${id}/`, 'PUT')
    await page.goto(`/notes/${id}/edit`)
    await page.getByLabel('Название').fill('Стала')
    await save(page).click()
    await expect(message(page, `Не удалось сохранить заметку. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute(`**/api/v1/notes/${id}/`)
    await save(page).click()
    await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Стала', level: 1 })).toBeVisible()
  })

  test('an edit that goes on after its response was lost is no conflict with itself', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 412/)
    const { id } = await account.addNote({ title: 'Была', tags: ['дом'] })
    await loseResponses(page, `**/api/v1/notes/${id}/`, 'PUT')
    await page.goto(`/notes/${id}/edit`)
    await page.getByLabel('Название').fill('Стала')
    // Pressed first: just after it shows the editor may be put up again.
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.getByRole('textbox', { name: 'Содержание' }).fill('Другой текст')
    const tags = page.getByRole('combobox', { name: 'Теги' })
    await tags.fill('сад')
    await tags.press('Enter')
    await save(page).click()
    await expect(message(page, `Не удалось сохранить заметку. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute(`**/api/v1/notes/${id}/`)
    await page.getByLabel('Название').fill('Стала ещё раз')
    await page.getByRole('button', { name: 'Убрать тег сад' }).click()
    await save(page).click()
    await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Стала ещё раз', level: 1 })).toBeVisible()
    await expect(page.getByRole('article')).toContainText('Другой текст')
    await expect(page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')).toHaveText([
      'дом',
    ])
  })

  test('an edit whose response was lost is a conflict with what somebody has saved since', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 412/)
    const { id } = await account.addNote({ title: 'Была' })
    await loseResponses(page, `**/api/v1/notes/${id}/`, 'PUT')
    await page.goto(`/notes/${id}/edit`)
    await page.getByLabel('Название').fill('Стала')
    await save(page).click()
    await expect(message(page, `Не удалось сохранить заметку. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute(`**/api/v1/notes/${id}/`)
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    const theirs = { headers, data: { title: 'Чужая', content: '<p>Чужой текст</p>' } }
    expect((await page.request.put(`/api/v1/notes/${id}/`, theirs)).status()).toBe(200)
    await page.getByLabel('Название').fill('Стала ещё раз')
    await save(page).click()
    await expect(page.getByRole('dialog')).toContainText('Чужой текст')
  })

  test('a note whose tag was renamed after its response was lost is one note after a second try', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 422/)
    const { tags } = await account.addNote({ title: 'Другая', tags: ['дом'] })
    await loseResponses(page, '**/api/v1/notes/')
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Один раз')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    await page.getByRole('combobox', { name: 'Теги' }).fill('дом')
    await page.getByRole('option', { name: 'дом' }).click()
    await save(page).click()
    await expect(message(page, `Произошла ошибка при добавлении заметки. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute('**/api/v1/notes/')
    await renameElsewhere(page, account, tags[0]?.id, 'жильё')
    await save(page).click()
    await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
    await expect(page.getByRole('article')).toHaveText([/Один раз/, /Другая/])
    const named = page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')
    await expect(named).toHaveText(['жильё', 'жильё'])
  })

  test('a note whose key the server knows of another request is saved under a new one', async ({
    signedIn: page,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 422/)
    await page.route('**/api/v1/notes/', async (route) => {
      await route.fetch({ postData: { title: 'По дороге', content: '<p>Изменена</p>' } })
      await route.abort()
    })
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Своя')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    await save(page).click()
    await expect(message(page, `Произошла ошибка при добавлении заметки. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute('**/api/v1/notes/')
    await save(page).click()
    await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
    await expect(page.getByRole('article')).toHaveText([/Своя/, /По дороге/])
  })

  test('an edit that goes on after its response was lost and its tag was renamed is no conflict with itself', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 412/)
    const { id } = await account.addNote({ title: 'Была' })
    const { tags } = await account.addNote({ title: 'Другая', tags: ['дом'] })
    await loseResponses(page, `**/api/v1/notes/${id}/`, 'PUT')
    await page.goto(`/notes/${id}/edit`)
    await page.getByLabel('Название').fill('Стала')
    await page.getByRole('combobox', { name: 'Теги' }).fill('дом')
    await page.getByRole('option', { name: 'дом' }).click()
    await save(page).click()
    await expect(message(page, `Не удалось сохранить заметку. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute(`**/api/v1/notes/${id}/`)
    await renameElsewhere(page, account, tags[0]?.id, 'жильё')
    await page.getByLabel('Название').fill('Стала ещё раз')
    await save(page).click()
    await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Стала ещё раз', level: 1 })).toBeVisible()
    await expect(page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')).toHaveText([
      'жильё',
    ])
  })

  test('a text that was changed after its response was lost is saved as it is now', async ({
    signedIn: page,
  }) => {
    await loseResponses(page, '**/api/v1/notes/')
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Сначала')
    await page.getByRole('textbox', { name: 'Содержание' }).click()
    await page.keyboard.type('Текст')
    await save(page).click()
    await expect(message(page, `Произошла ошибка при добавлении заметки. ${NO_ANSWER}`)).toBeVisible()
    await page.unroute('**/api/v1/notes/')
    await page.getByLabel('Название').fill('Потом')
    await save(page).click()
    await expect(page).toHaveURL('/notes')
    await expect(page.getByRole('article').filter({ hasText: 'Потом' })).toHaveCount(1)
  })
})

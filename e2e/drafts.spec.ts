import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, message, storedDrafts, test } from './fixtures.ts'

const BACK = 'Мы вернули текст, который вы не успели сохранить.'

const OFFERED = 'В этом браузере остался несохранённый текст: '
const restore = (page: Page) => page.getByRole('button', { name: 'Вернуть его' })

/** Types a title and waits until the browser has kept it. */
async function type(page: Page, title: string): Promise<void> {
  await page.getByLabel('Название').fill(title)
  await expect.poll(() => storedDrafts(page)).toContain(JSON.stringify(title))
}

async function fillRest(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Содержание' }).click()
  await page.keyboard.type('Текст')
}

test('unsaved text survives a reload and a sign-out, and is gone once saved', async ({
  signedIn: page,
  account,
  logIn,
  logOut,
}) => {
  await page.goto('/notes/add')
  await type(page, 'Недописанное')
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  await logOut()
  await logIn(account)
  await expect(page).toHaveURL('/home')
  await page.goto('/notes/add')
  await expect(page.getByLabel('Название')).toBeFocused()
  await expect(page.getByLabel('Название')).toHaveValue('')
  await expect(page.getByText(`${OFFERED}«Недописанное».`)).toBeVisible()
  await expectAccessible(page)
  await restore(page).click()
  await expect(page.getByLabel('Название')).toHaveValue('Недописанное')

  await fillRest(page)
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(page, 'Заметка успешно добавлена!')).toBeVisible()
  await page.goto('/notes/add')
  await expect(page.getByLabel('Название')).toHaveValue('')
  await expect(page.getByText(BACK)).toBeHidden()
})

test('the last letters of a large text survive a reload that comes at once', async ({ largeNote: page }) => {
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('Конец')
  page.once('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Содержание' })).toContainText('Конец')
})

test('a draft is kept once the browser is idle, not before', async ({ signedIn: page }) => {
  await page.addInitScript(() => {
    const held: IdleRequestCallback[] = []
    window.requestIdleCallback = (work) => held.push(work)
    window.cancelIdleCallback = (handle) => void delete held[handle - 1]
    Object.assign(window, { held })
  })
  /** The work that waited for the browser to be idle, with holes for what was cancelled. */
  const held = () =>
    page.evaluateHandle(() => (globalThis as unknown as { held: IdleRequestCallback[] }).held)
  await page.goto('/notes/add')
  const before = await (await held()).evaluate((works) => works.length)
  await page.getByLabel('Название').fill('Не сразу')
  await expect.poll(async () => (await held()).evaluate((works) => works.length)).toBeGreaterThan(before)
  expect(await storedDrafts(page)).not.toContain('Не сразу')
  // Other work may wait as well, and what keeps the draft may come after it.
  const beIdle = async () =>
    (await held()).evaluate((works) => {
      for (const work of works) work?.({ didTimeout: false, timeRemaining: () => 50 })
    })
  await expect
    .poll(async () => {
      await beIdle()
      return storedDrafts(page)
    })
    .toContain('Не сразу')
})

test('two tabs that add keep a text each', async ({ signedIn: page, context }) => {
  await page.goto('/notes/add')
  await type(page, 'Первая вкладка')
  const second = await context.newPage()
  await second.goto('/notes/add')
  await expect(second.getByLabel('Название')).toHaveValue('')
  await type(second, 'Вторая вкладка')
  await fillRest(second)
  await second.getByRole('button', { name: 'Сохранить' }).click()
  await expect(message(second, 'Заметка успешно добавлена!')).toBeVisible()

  await page.reload()
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Первая вкладка')
})

test('two tabs that edit one note keep a text each', async ({ signedIn: page, account, context }) => {
  const { id } = await account.addNote({ title: 'Общая' })
  await page.goto(`/notes/${id}/edit`)
  await type(page, 'Первая правка')
  const second = await context.newPage()
  await second.goto(`/notes/${id}/edit`)
  await expect(second.getByLabel('Название')).toHaveValue('Общая')
  await type(second, 'Вторая правка')
  await second.getByRole('button', { name: 'Отмена' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Уйти' }).click()
  await expect(second).toHaveURL(`/notes/${id}`)

  await page.reload()
  await expect(page.getByLabel('Название')).toHaveValue('Первая правка')
})

test('what closed tabs have left is offered, the newest first, to one form each', async ({
  signedIn: page,
  context,
}) => {
  await page.goto('/home')
  for (const title of ['Старый набросок', 'Новый набросок']) {
    const tab = await context.newPage()
    await tab.goto('/notes/add')
    await expect(tab.getByLabel('Название')).toHaveValue('')
    // Both forms are open at once: the second must not take the first one's text.
    await type(tab, title)
  }
  for (const tab of context.pages().slice(1)) await tab.close()

  await page.goto('/notes/add')
  await expect(page.getByText(`${OFFERED}«Новый набросок».`)).toBeVisible()
  await page.getByLabel('Название').pressSequentially('Совсем другое')
  await expect(page.getByLabel('Название')).toHaveValue('Совсем другое')
  await page.getByLabel('Название').fill('')
  await restore(page).click()
  await expect(page.getByLabel('Название')).toHaveValue('Новый набросок')
  const second = await context.newPage()
  await second.goto('/notes/add')
  await expect(second.getByText(`${OFFERED}«Старый набросок».`)).toBeVisible()
  await second.getByRole('button', { name: 'Убрать его' }).click()
  await expect(second.getByText(OFFERED)).toBeHidden()
  await expect(second.getByRole('heading', { level: 1 })).toBeFocused()
  await expect.poll(() => storedDrafts(second)).not.toContain('Старый')
  await second.reload()
  await expect(second.getByLabel('Название')).toBeFocused()
  await expect(second.getByText(OFFERED)).toBeHidden()
})

test('discarding an unsaved text takes the server’s complaints about it along', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  const { id } = await account.addNote({ title: 'Сохранено' })
  await page.goto(`/notes/${id}/edit`)
  await type(page, 'Не понравится')
  await page.reload()
  await page.route(`**/api/v1/notes/${id}/`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 400, json: { detail: 'Нет.', title: ['Не годится'] } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Не годится')).toBeVisible()
  await page.getByRole('button', { name: 'Убрать его' }).click()
  await expect(page.getByLabel('Название')).toHaveValue('Сохранено')
  await expect(page.getByText('Не годится')).toBeHidden()
})

test('text that is brought back changes places with what was typed in its stead', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await type(page, 'Первое')
  await page.goto('/home')
  await page.goto('/notes/add')
  await type(page, 'Второе')
  await restore(page).click()
  await expect(page.getByLabel('Название')).toHaveValue('Первое')
  await expect.poll(() => storedDrafts(page)).toContain('Второе')
  await page.goto('/home')
  await page.goto('/notes/add')
  await expect(page.getByText(OFFERED)).toBeVisible()
  await expect.poll(() => storedDrafts(page)).toContain('Первое')
})

test('a draft that an earlier version has left in local storage is still there', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ title: 'Сохранено' })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('heading', { name: 'Сохранено' })).toBeVisible()
  await page.evaluate(async (id) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('access_token')}` }
    const me = await (await fetch('/api/v1/users/me/', { headers })).json()
    const draft = { values: { title: 'Из прежней версии' }, kept_at: Date.now() }
    localStorage.setItem(`draft:${me.id}:notes:${id}:1700000000000`, JSON.stringify(draft))
  }, id)
  await page.goto(`/notes/${id}/edit`)
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Из прежней версии')
  await expect.poll(() => storedDrafts(page)).toContain('Из прежней версии')
  // It is removed there once it is in the database.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).join())).not.toContain('draft:')
})

/** What is in the trash may come back: whether a draft goes is asked about it. */
const askedInTrash = (page: Page, id: string) =>
  page.waitForResponse((response) => response.url().endsWith(`/api/v1/trash/${id}/`))

test('an item whose deletion is undone has its draft again', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const { id } = await account.addNote({ title: 'Нечаянно' })
  await page.goto(`/notes/${id}/edit`)
  await type(page, 'Недописанная правка')
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Удалить' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click()
  await expect(message(page, 'Заметка успешно удалена.')).toBeVisible()
  // A form that opens looks for drafts of items that are gone.
  const asked = askedInTrash(page, id)
  await page.getByRole('link', { name: 'Новая заметка' }).first().click()
  await asked
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('Control+z')
  await expect(message(page, 'Отменено.')).toBeVisible()
  await page.goto(`/notes/${id}/edit`)
  await expect(page.getByText(BACK)).toBeVisible()
  await expect(page.getByLabel('Название')).toHaveValue('Недописанная правка')
})

test('with items that are deleted for ever their drafts are deleted', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  for (const title of ['Первая', 'Вторая']) {
    const { id } = await account.addNote({ title })
    await page.goto(`/notes/${id}/edit`)
    await type(page, `Правка: ${title}`)
    expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
  }
  await page.goto('/trash')
  await page.getByRole('button', { name: 'Удалить навсегда «Первая»' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить навсегда' }).click()
  await expect.poll(() => storedDrafts(page)).not.toContain('Правка: Первая')
  expect(await storedDrafts(page)).toContain('Правка: Вторая')
  await page.getByRole('button', { name: 'Очистить корзину' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Очистить корзину' }).click()
  await expect.poll(() => storedDrafts(page)).not.toContain('Правка: Вторая')
})

test('a form that opens drops the drafts of items that were deleted for ever elsewhere, and no others', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const gone = await account.addNote({ title: 'Лишняя' })
  const trashed = await account.addNote({ title: 'Удалённая' })
  const there = await account.addLink({ title: 'Нужная' })
  // Drafts are looked at in the order of their kinds and ids: once this one is gone, each of them has been.
  const last = await account.addLink({ title: 'Последняя' })
  for (const [path, title] of [
    [`/notes/${gone.id}`, 'Правка лишней'],
    [`/notes/${trashed.id}`, 'Правка удалённой'],
    [`/urllinks/${there.id}`, 'Правка нужной'],
    [`/urllinks/${last.id}`, 'Правка последней'],
  ] as const) {
    await page.goto(`${path}/edit`)
    await type(page, title)
  }
  expect(await storedDrafts(page)).toContain('Правка лишней')
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  const deleted = [`notes/${gone.id}`, `notes/${trashed.id}`, `urllinks/${last.id}`]
  for (const path of [...deleted, `trash/${gone.id}`, `trash/${last.id}`])
    expect((await page.request.delete(`/api/v1/${path}/`, { headers })).status()).toBe(204)
  await page.goto('/notes/add')
  await expect.poll(() => storedDrafts(page)).not.toContain('Правка последней')
  expect(await storedDrafts(page)).not.toContain('Правка лишней')
  expect(await storedDrafts(page)).toContain('Правка удалённой')
  expect(await storedDrafts(page)).toContain('Правка нужной')
})

/** Has the draft of an item be that of one which this browser has given an id, as after the browser forgot that it waits. */
const moveDraftTo = (page: Page, item: string, id: string): Promise<void> =>
  page.evaluate(
    async ([item, id]) => {
      const opening = indexedDB.open('kopilka-drafts')
      await new Promise((resolve) => opening.addEventListener('success', resolve))
      const transaction = opening.result.transaction('drafts', 'readwrite')
      const drafts = transaction.objectStore('drafts')
      const reading = drafts.openCursor()
      reading.onsuccess = () => {
        const { result } = reading
        if (result && !String(result.key).includes(item)) return result.continue()
        if (!result) return
        drafts.put(result.value, String(result.key).replace(item, id))
        drafts.delete(result.key)
      }
      await new Promise((resolve) => transaction.addEventListener('complete', resolve))
      opening.result.close()
    },
    [item, id] as const,
  )

test('the draft of an item that the server does not know yet is not dropped with those of deleted ones', async ({
  signedIn: page,
  account,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 404/)
  const waiting = await account.addNote({ title: 'Ждёт' })
  // Drafts are looked at in the order of their kinds and ids: once this one is gone, the other one has been.
  const last = await account.addLink({ title: 'Последняя' })
  for (const [path, title] of [
    [`/notes/${waiting.id}`, 'Правка ждущей'],
    [`/urllinks/${last.id}`, 'Правка последней'],
  ] as const) {
    await page.goto(`${path}/edit`)
    await type(page, title)
  }
  await page.goto('/home')
  await expect.poll(() => storedDrafts(page)).toContain('Правка последней')
  await moveDraftTo(page, waiting.id, randomUUID())
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  for (const path of [`urllinks/${last.id}`, `trash/${last.id}`])
    expect((await page.request.delete(`/api/v1/${path}/`, { headers })).status()).toBe(204)
  await page.goto('/notes/add')
  await expect.poll(() => storedDrafts(page)).not.toContain('Правка последней')
  expect(await storedDrafts(page)).toContain('Правка ждущей')
})

test.describe('leaving a form', () => {
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
    // The next question is another one.
    await expect(question(page)).toBeHidden()

    await page.goBack()
    await question(page).getByRole('button', { name: 'Остаться' }).click()
    await expect(title(page)).toHaveValue('Стала')
    await expect(question(page)).toBeHidden()
    await page.getByRole('button', { name: 'Отмена' }).click()
    await question(page).getByRole('button', { name: 'Уйти' }).click()
    await expect(page).toHaveURL(`/notes/${id}`)
    await page.getByRole('link', { name: 'Редактировать' }).click()
    await expect(title(page)).toHaveValue('Стала')
  })

  test('the question also offers to discard the draft', async ({ signedIn: page }) => {
    await page.goto('/notes/add')
    await type(page, 'Не нужно')
    await page.getByRole('link', { name: 'Копилка' }).click()
    await question(page).getByRole('button', { name: 'Удалить черновик' }).click()
    await expect(page).toHaveURL('/home')
    await expect.poll(() => storedDrafts(page)).not.toContain('Не нужно')
    await page.goto('/notes/add')
    await expect(title(page)).toBeFocused()
    await expect(page.getByText(OFFERED)).toBeHidden()
  })

  test('the draft is said to stay only where it does', async ({ signedIn: page }) => {
    await page.goto('/notes/add')
    await title(page).fill('Некуда')
    await page.evaluate(() => {
      const full = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
      Object.defineProperty(IDBObjectStore.prototype, 'put', { value: full })
      Object.defineProperty(Storage.prototype, 'setItem', { value: full })
    })
    await page.getByRole('link', { name: 'Копилка' }).click()
    await expect(question(page).getByText('Изменения не сохранены и пропадут.')).toBeVisible()
    await expect(question(page).getByRole('button', { name: 'Удалить черновик' })).toBeHidden()
  })

  test('a database that does not respond holds nobody up, and the draft stays', async ({
    signedIn: page,
  }) => {
    await page.goto('/notes/add')
    await expect(title(page)).toBeFocused()
    await page.evaluate(() => {
      const never = { put: () => ({}), delete: () => ({}), transaction: {} }
      Object.defineProperty(IDBDatabase.prototype, 'transaction', {
        value: () => ({ objectStore: () => never }),
      })
    })
    await title(page).fill('Не потеряется')
    await page.getByRole('link', { name: 'Копилка' }).click()
    await expect(question(page).getByText('Черновик останется в этом браузере')).toBeVisible()
    await question(page).getByRole('button', { name: 'Уйти' }).click()
    await expect(page).toHaveURL('/home')
    await page.goto('/notes/add')
    await expect(page.getByText(`${OFFERED}«Не потеряется».`)).toBeVisible()
  })

  test('an unchanged form and a saved one are left without a question', async ({
    signedIn: page,
    account,
  }) => {
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
    logOut,
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
    await logOut()
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
      await expect(page.getByRole('heading', { name: /не найдена/ })).toBeVisible()
      await expect(page.getByText(gone)).toBeHidden()
    })
  }

  test('of two versions both can be kept', async ({
    signedIn: page,
    account,
    context,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 412/)
    const { id } = await account.addNote({
      title: 'Общая',
      content: '<ul data-type="taskList"><li data-checked="false"><p>хлеб</p></li></ul><p>Текст</p>',
    })
    await page.goto(`/notes/${id}/edit`)
    await expect(title(page)).toHaveValue('Общая')
    const other = await context.newPage()
    await other.goto(`/notes/${id}/edit`)
    await title(other).fill('Чужая правка')
    await other.getByRole('button', { name: 'Сохранить' }).click()
    await expect(other).toHaveURL(`/notes/${id}`)
    await title(page).fill('Моя правка')
    await page.getByRole('button', { name: 'Сохранить' }).click()
    const dialog = page.getByRole('dialog')
    // Within a `<dl>` browsers give lists no margins.
    await expect(dialog.locator('ul').first()).toHaveCSS('margin-bottom', '16px')
    await dialog.getByRole('button', { name: 'Оставить оба' }).click()
    await expect(page).toHaveURL('/notes')
    await expect(page.getByRole('article')).toHaveCount(2)
    await expect(page.getByRole('article').first()).toContainText('Моя правка')
    await expect(page.getByRole('article').last()).toContainText('Чужая правка')
  })

  test('of both versions neither brings back a tag that was deleted or renamed meanwhile', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 412/)
    const { id, tags } = await account.addNote({ title: 'Общая', tags: ['дом', 'сад', 'лес'] })
    const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    await page.goto(`/notes/${id}/edit`)
    const field = page.getByRole('combobox', { name: 'Теги' })
    await field.fill('новый')
    await field.press('Enter')
    await title(page).fill('Моя правка')
    const sent = { headers, data: { title: 'Чужая', content: 'x', add_tags: ['их'] } }
    expect((await page.request.put(`/api/v1/notes/${id}/`, sent)).status()).toBe(200)
    expect((await page.request.delete(`/api/v1/tags/${idOf('дом')}/`, { headers })).status()).toBe(204)
    const named = { headers, data: { name: 'огород' } }
    expect((await page.request.put(`/api/v1/tags/${idOf('сад')}/`, named)).status()).toBe(200)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Оставить оба' }).click()
    await expect(page).toHaveURL('/notes')
    const mine = page.getByRole('article').filter({ hasText: 'Моя правка' })
    await expect(mine.getByRole('list', { name: 'Теги' }).getByRole('link')).toHaveText([
      'их',
      'лес',
      'новый',
      'огород',
    ])
  })

  test('a tag that the form takes off goes although it was renamed meanwhile; one that came by a merge is named', async ({
    signedIn: page,
    account,
  }) => {
    const { id, tags } = await account.addNote({ title: 'Общая', tags: ['дом', 'сад', 'лес'] })
    const other = await account.addNote({ title: 'Другая', tags: ['дача'] })
    const idOf = (name: string) => tags.find((tag) => tag.name === name)?.id
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    await page.goto(`/notes/${id}/edit`)
    for (const name of ['дом', 'сад']) await page.getByRole('button', { name: `Убрать тег ${name}` }).click()
    const renamed = { headers, data: { name: 'огород' } }
    expect((await page.request.put(`/api/v1/tags/${idOf('сад')}/`, renamed)).status()).toBe(200)
    const into = { headers, data: { into: other.tags[0]?.id } }
    expect((await page.request.post(`/api/v1/tags/${idOf('дом')}/merge/`, into)).status()).toBe(200)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await expect(message(page, 'Заметка успешно обновлена.')).toBeVisible()
    await expect(
      message(page, 'Пока вы редактировали, у записи появились теги, они остались: дача.'),
    ).toBeVisible()
    const shown = page.getByRole('article').getByRole('list', { name: 'Теги' }).getByRole('link')
    await expect(shown).toHaveText(['дача', 'лес'])
  })

  test('the text of a deleted item, saved as a new one, brings no deleted tag back', async ({
    signedIn: page,
    account,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/status of 404/)
    const { id, tags } = await account.addNote({ title: 'Была', tags: ['дом', 'лес'] })
    await account.addNote({ title: 'Другая', tags: ['лес'] })
    const headers = { authorization: `Bearer ${account.session.access_token}` }
    await page.goto(`/notes/${id}/edit`)
    const field = page.getByRole('combobox', { name: 'Теги' })
    await field.fill('новый')
    await field.press('Enter')
    const house = tags.find(({ name }) => name === 'дом')?.id
    for (const path of [`notes/${id}`, `tags/${house}`])
      expect((await page.request.delete(`/api/v1/${path}/`, { headers })).status()).toBe(204)
    await page.getByRole('button', { name: 'Сохранить' }).click()
    await page.getByRole('button', { name: 'Сохранить как новую' }).click()
    await expect(page).toHaveURL('/notes')
    const mine = page.getByRole('article').filter({ hasText: 'Была' })
    await expect(mine.getByRole('list', { name: 'Теги' }).getByRole('link')).toHaveText(['лес', 'новый'])
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
})

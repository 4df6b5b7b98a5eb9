import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import {
  type Account,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  message,
  signIn,
  snackbar,
  test,
} from './fixtures.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Presses a button that downloads something; returns its name and its text. */
async function download(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const started = page.waitForEvent('download')
  await press()
  const file = await started
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

/** Deletes a note without the screens. */
async function removeNote(page: Page, account: Account, id: string): Promise<void> {
  const headers = { authorization: `Bearer ${account.session.access_token}` }
  expect((await page.request.delete(`/api/v1/notes/${id}/`, { headers })).status()).toBe(204)
}

/** How many drafts the browser keeps. */
const draftsIn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const result = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const databases = await indexedDB.databases()
    if (!databases.some(({ name }) => name === 'kopilka-drafts')) return 0
    const opened = await result(indexedDB.open('kopilka-drafts'))
    const count = await result(opened.transaction('drafts').objectStore('drafts').count())
    opened.close()
    return count
  })

/** Bookmarks as browsers write them: two that are new, one in a folder, and one that no tool may keep. */
const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
  <DT><A HREF="https://kept.example/" ADD_DATE="1700000000">Уже есть</A>
  <DT><H3>Кулинария</H3>
  <DL><p>
    <DT><A HREF="https://soup.example/" ADD_DATE="1700000001">Щи</A>
  </DL><p>
  <DT><A HREF="https://fish.example/" ADD_DATE="1700000002">Уха</A>
  <DT><A HREF="javascript:alert(1)">Программа</A>
</DL><p>
`

/** Puts a file into the clipboard or under the pointer, and lets the page know. */
async function give(page: Page, types: readonly string[], name: string, text: string): Promise<void> {
  await page.evaluate(
    ([types, name, text]) => {
      const data = new DataTransfer()
      data.items.add(new File([text], name))
      for (const type of types) {
        const options = { bubbles: true, cancelable: true }
        const event =
          type === 'paste'
            ? new ClipboardEvent(type, { ...options, clipboardData: data })
            : new DragEvent(type, { ...options, dataTransfer: data })
        document.body.dispatchEvent(event)
      }
    },
    [types, name, text] as const,
  )
}

test.describe('import', () => {
  test('a file dropped on the page is looked at, imported as chosen, and taken back', async ({
    signedIn: page,
    account,
  }) => {
    await account.addLink({ title: 'Моя', url: 'https://kept.example/' })
    await page.goto('/profile/data')
    await expect(page.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    await give(page, ['dragover'], 'мои закладки (1).html', BOOKMARKS)
    await expect(page.getByText('Отпустите файл, чтобы посмотреть, что в нём')).toBeVisible()
    await give(page, ['drop'], 'мои закладки (1).html', BOOKMARKS)
    const part = section(page, 'Импорт')
    await expect(part).toContainText(/0 заметок, 3 ссылки, \d категор.*Формат: закладки \(HTML\)\./)
    await expect(part).toContainText('мои закладки (1).html')
    const tab = (name: string) => part.getByRole('tab', { name })
    await expect(tab('Новые: 2')).toHaveAttribute('aria-selected', 'true')
    const row = (text: string) => part.getByRole('row').filter({ hasText: text })
    await expect(row('https://soup.example/')).toContainText('Щи')
    await expectAccessible(page)
    await tab('Новые: 2').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab('Уже есть: 1')).toBeFocused()
    await expect(row('https://kept.example/')).toBeVisible()
    await page.keyboard.press('ArrowRight')
    await expect(tab('С ошибками: 1')).toBeFocused()
    await expect(row('такие закладки небезопасны')).toBeVisible()
    await part.getByRole('radio', { name: 'Добавить ещё раз' }).check()
    await expect(part.getByRole('button', { name: 'Перенести 3 записи' })).toBeVisible()
    await part.getByRole('radio', { name: 'Пропустить' }).check()
    await part.getByRole('combobox', { name: 'Добавить ко всему теги' }).fill('перенос')
    await page.keyboard.press('Enter')
    await part.getByRole('button', { name: 'Перенести 2 записи' }).click()
    await expect(part).toContainText('Импорт завершён')
    // First of all: it goes by itself.
    const offer = snackbar(page).getByRole('status').filter({ hasText: 'Импорт завершён' })
    await expect(offer.getByRole('button', { name: 'Отменить' })).toBeVisible()
    await expect(tab('С ошибками: 1')).toHaveAttribute('aria-selected', 'true')
    await expect(row('такие закладки небезопасны')).toBeVisible()
    await expect(part).toContainText(
      'Добавлены 2 записи. Пропущена 1 запись: она уже есть или повторяется в файле.',
    )
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Главная' }).click()
    await expect(page.getByRole('article')).toHaveCount(3)
    const soup = page.getByRole('article').filter({ hasText: 'Щи' })
    for (const tag of ['Кулинария', 'перенос'])
      await expect(soup.getByRole('link', { name: tag })).toBeVisible()
    // The undo goes on where the page that began it was closed: another page follows it to its end.
    let isUnderWay = true
    await page.route(/\/api\/v1\/operations\/(?:\?|$)/, async (route) => {
      const response = await route.fetch()
      const { count, results } = await response.json()
      const progress = isUnderWay ? { progress: { done: 1_250, total: 5_000 } } : {}
      await route.fulfill({ response, json: { count, results: [{ ...results[0], ...progress }] } })
    })
    await page.goto('/profile/data')
    await expect(part).toContainText('Отменяем импорт')
    await expect(part).toContainText(/Сделано: 1\s250 из 5\s000/)
    await expect(part.getByRole('button', { name: 'Отменить импорт' })).toBeHidden()
    await expectAccessible(page)
    isUnderWay = false
    await part.getByRole('button', { name: 'Отменить импорт' }).press('Enter')
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(part.getByRole('alert').filter({ hasText: 'Импорт отменён' })).toBeFocused()
    await page.goto('/url-links')
    await expect(page.getByRole('article')).toHaveCount(1)
  })

  test('an import that was watched to its end is undone by Ctrl+Z, once', async ({
    signedIn: page,
    account,
  }) => {
    await account.addNote({ title: 'Прежняя' })
    await page.goto('/notes')
    await page.getByRole('checkbox', { name: 'Выбрать «Прежняя»' }).check()
    await page.getByRole('region', { name: 'Выбранное' }).getByRole('button', { name: 'Удалить' }).click()
    await expect(message(page, 'Удалено: 1.')).toBeVisible()
    const part = section(page, 'Импорт')
    const run = async () => {
      await part.getByRole('button', { name: /^Перенести/ }).click()
      await expect(part).toContainText('Импорт завершён')
      await expect(message(page, 'Импорт завершён').last()).toBeVisible()
    }
    await expect(async () => {
      await give(page, ['drop'], 'links.html', BOOKMARKS)
      await expect(page).toHaveURL('/profile/data', { timeout: 500 })
    }).toPass()
    await run()
    await page.keyboard.press('Control+z')
    await expect(part).toContainText('Импорт отменён')
    // Undone on the screen, it is no longer what Ctrl+Z undoes: that is the deletion before it.
    await give(page, ['drop'], 'links.html', BOOKMARKS)
    await run()
    await part.getByRole('button', { name: 'Отменить импорт' }).click()
    await expect(part).toContainText('Импорт отменён')
    await page.keyboard.press('Control+z')
    await page.getByRole('link', { name: 'Главная' }).click()
    await expect(page.getByRole('article')).toContainText('Прежняя')
    await expect(page.getByRole('article')).toHaveCount(1)
  })

  test('bookmarks that a browser has exported', async ({ signedIn: page }) => {
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    await part
      .locator('input[type=file]')
      .setInputFiles(fileURLToPath(new URL('imports/chromium_nested.htm', import.meta.url)))
    await expect(part).toContainText('0 заметок, 18 ссылок, 7 категорий. Формат: закладки (HTML).')
    await part.getByRole('button', { name: 'Перенести 18 записей' }).click()
    await expect(part).toContainText('Добавлено 18 записей.')
    await expect(part.getByText('Добавлено 18 записей.')).toBeInViewport()
    await expect(part.getByRole('heading', { name: 'Импорт', exact: true })).toBeInViewport()
    await page.goto('/url-links?search=owncloud')
    const found = page.getByRole('article').filter({ hasText: 'ownCloud.org' })
    await expect(found.getByRole('link', { name: 'Self-hosting' })).toBeVisible()
  })

  test('notes of which something is not imported, which a list of their own names before and after', async ({
    signedIn: page,
  }) => {
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    const note = (title: string, more = '') =>
      `<note><title>${title}</title><content><![CDATA[<en-note>Текст</en-note>]]></content>${more}</note>`
    const resource = '<resource><data encoding="base64">AA==</data><mime>application/pdf</mime></resource>'
    const notes = Array.from({ length: 20 }, (_, at) => note(`Заметка ${at + 1}`)).join('')
    await part.locator('input[type=file]').setInputFiles({
      name: 'Заметки.enex',
      mimeType: 'application/xml',
      buffer: Buffer.from(
        `<?xml version="1.0"?><en-export>${notes}${note('С вложением', resource)}</en-export>`,
      ),
    })
    const tab = part.getByRole('tab', { name: 'С замечаниями: 1' })
    await tab.click()
    const rows = part.getByRole('row')
    await expect(rows).toHaveCount(2)
    await expect(rows.last()).toContainText('С вложением')
    await expect(rows.last()).toContainText('Вложения не перенесены: 1.')
    await expectAccessible(page)
    await part.getByRole('button', { name: 'Перенести 21 запись' }).click()
    await expect(part).toContainText('Добавлена 21 запись.')
    await expect(tab).toBeVisible()
    await expect(rows.last()).toContainText('запись 21')
    await expect(rows.last()).toContainText('Вложения не перенесены: 1.')
  })

  test('an archive of categories alone', async ({ signedIn: page }) => {
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    const lines = [
      { type: 'kopilka', version: 1 },
      { type: 'tag', name: 'Одинокая' },
    ]
    await give(page, ['drop'], 'архив.json', lines.map((line) => JSON.stringify(line)).join('\n'))
    await part.getByRole('button', { name: 'Перенести категории' }).click()
    await expect(part).toContainText('Импорт завершён')
    await page.goto('/tags')
    await expect(page.getByRole('link', { name: 'Одинокая' })).toBeVisible()
  })

  test('one that is stopped says so once what it had added is gone', async ({ signedIn: page, hold }) => {
    test.slow()
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    // Long enough to be stopped while it runs, even where the browser is slow: a stop takes back only what was added by then.
    const lines = Array.from({ length: 20_000 }, (_, at) => `https://example.org/${at} слово${at}`)
    await give(page, ['drop'], 'много.txt', lines.join('\n'))
    await part.getByRole('button', { name: /Перенести 20.?000 записей/ }).click({ timeout: 30_000 })
    await expect(part).toContainText(/[1-9][\d\s]* из 20\s?000/)
    const history = await hold(/\/api\/v1\/operations\//)
    await part.getByRole('button', { name: 'Остановить' }).click()
    await expect(message(page, 'Импорт остановлен. Убираем то, что уже перенесено.')).toBeVisible()
    await history.requested
    const cancelled = message(page, 'Импорт отменён: из этого файла ничего не перенесено.')
    await expect(cancelled).toBeHidden()
    await history.release()
    await expect(cancelled).toBeVisible({ timeout: 60_000 })
    await page.goto('/url-links')
    await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  })

  test('one that ends half way says what it has added, and takes it back', async ({
    page,
    serve,
    register,
  }) => {
    const server = await serve({ TAGS_PER_USER: '3' })
    await signIn(page, (await register(server.address)).session)
    await page.goto(`${server.address}/profile/data`)
    const part = section(page, 'Импорт')
    await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    const lines = Array.from(
      { length: 400 },
      (_, at) => `<DT><A HREF="https://example.org/${at}" TAGS="${at < 250 ? 'а' : at}">x</A>`,
    )
    await give(page, ['drop'], 'теги.html', `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${lines.join('\n')}`)
    await part.getByRole('button', { name: 'Перенести 400 записей' }).click()
    const result = part.getByRole('alert')
    await expect(result).toContainText('Файл перенесён не весь')
    await expect(result).toContainText('Категорий уже столько')
    await expect(result).toContainText('Добавлено 200 записей.')
    await expect(result.getByRole('button', { name: 'Отменить импорт' })).toBeVisible()
    await expectAccessible(page)
    const offer = snackbar(page).getByRole('alert').filter({ hasText: 'Файл перенесён не весь' })
    await offer.getByRole('button', { name: 'Отменить' }).click()
    await expect(message(page, 'Отменено.')).toBeVisible()
    await expect(result).toContainText('Импорт отменён')
    await page.goto(`${server.address}/url-links`)
    await expect(page.getByText('Пока ни одной ссылки')).toBeVisible()
  })

  test('one that another tab has run shows what it has added', async ({
    signedIn: page,
    expectedInConsole,
  }) => {
    expectedInConsole.push(/409/)
    await page.goto('/profile/data')
    await expect(section(page, 'Импорт').getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    await give(page, ['drop'], 'закладки.html', BOOKMARKS)
    const run = { name: 'Перенести 3 записи' }
    await expect(section(page, 'Импорт').getByRole('button', run)).toBeVisible()
    const other = await page.context().newPage()
    await other.goto('/profile/data')
    await section(other, 'Импорт').getByRole('button', run).click()
    await expect(section(other, 'Импорт')).toContainText('Добавлены 3 записи.')
    await section(page, 'Импорт').getByRole('button', run).click()
    await expect(section(page, 'Импорт')).toContainText('Добавлены 3 записи.')
  })

  test('a file that is not sent stays to be sent again', async ({ signedIn: page, expectedInConsole }) => {
    expectedInConsole.push(/ERR_FAILED/)
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    await page.route('**/api/v1/imports/', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await give(page, ['drop'], 'закладки.html', BOOKMARKS)
    await expect(part).toContainText('Файл «закладки.html» не отправлен. Нет ответа от сервера.')
    await page.unrouteAll()
    await part.getByRole('button', { name: 'Повторить' }).click()
    await expect(part.getByRole('tab', { name: 'Новые: 3' })).toBeVisible()
  })

  test('a file over the limit is refused with the limit', async ({ signedIn: page, expectedInConsole }) => {
    expectedInConsole.push(/status of 413/)
    await page.goto('/profile/data')
    const part = section(page, 'Импорт')
    await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
    await page.evaluate(() => {
      const data = new DataTransfer()
      const piece = new Uint8Array(1_000_000)
      data.items.add(
        new File(
          Array.from({ length: 220 }, () => piece),
          'большой.zip',
        ),
      )
      document.body.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      )
    })
    await expect(part).toContainText('Файл «большой.zip» не отправлен.')
    await expect(part).toContainText('Не больше 200 МБ.')
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('a pasted file outlives a reload and another screen', async ({ signedIn: page }) => {
      await page.goto('/profile/data')
      const part = section(page, 'Импорт')
      await expect(part.getByRole('button', { name: 'Выбрать файл' })).toBeVisible()
      await give(page, ['paste'], 'закладки.html', BOOKMARKS)
      await expect(part.getByRole('tab', { name: 'Новые: 3' })).toBeVisible()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.reload()
      await expect(part.getByRole('tab', { name: 'Новые: 3' })).toBeVisible()
      await part.getByRole('button', { name: 'Перенести 3 записи' }).click()
      await page.getByRole('link', { name: 'Профиль' }).click()
      await page.getByRole('link', { name: 'Данные' }).click()
      await expect(part).toContainText('Добавлены 3 записи.')
      await expectNoSidewaysScroll(page)
    })
  })
})

test.describe('export', () => {
  test('of everything, of what a search finds, with the trash', async ({ signedIn: page, account }) => {
    await account.addNote({ title: 'Борщ', tags: ['рецепты'] })
    await account.addLink({ title: 'Рыбалка', url: 'https://fish.example/' })
    await removeNote(page, account, (await account.addNote({ title: 'Лишнее' })).id)
    await page.goto('/profile')
    await page.getByRole('link', { name: 'Данные' }).click()
    await expect(page).toHaveURL('/profile/data')
    const { name, text } = await download(page, async () => {
      await page.getByRole('radio', { name: 'JSON' }).check()
      await page.getByLabel('Вместе с корзиной').check()
      await page.getByRole('button', { name: 'Скачать' }).click()
      await expect(message(page, 'Скачивание началось.')).toBeVisible()
    })
    expect(name).toMatch(/\.json$/)
    for (const title of ['Борщ', 'Рыбалка']) expect(text).toContain(title)
    expect(text).toContain('Лишнее')
    // For other programs only what is not deleted, unless it is asked for.
    await page.reload()
    const withoutTrash = await download(page, async () => {
      await page.getByRole('radio', { name: 'JSON' }).check()
      await expect(page.getByLabel('Вместе с корзиной')).not.toBeChecked()
      await page.getByRole('button', { name: 'Скачать' }).click()
    })
    expect(withoutTrash.text).not.toContain('Лишнее')
    // A file of bookmarks holds links alone: what does not fit is not offered.
    await page.getByRole('radio', { name: 'Закладки (HTML)' }).check()
    await expect(page.getByLabel('Вместе с корзиной')).toBeHidden()
    const found = await download(page, async () => {
      await page.getByLabel('Только то, что найдёт поиск').fill('рыбалка')
      await page.keyboard.press('Enter')
    })
    expect(found.text).toContain('https://fish.example/')
  })

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 844 } })

    test('of everything, with the trash and earlier versions', async ({ signedIn: page, account }) => {
      await account.addNote({ title: 'Борщ' })
      await page.goto('/profile/data')
      const part = section(page, 'Экспорт')
      for (const label of ['Вместе с корзиной', 'Вместе с прежними версиями'])
        await expect(part.getByLabel(label)).toBeChecked()
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      const { name } = await download(page, () => part.getByRole('button', { name: 'Скачать' }).click())
      expect(name).toMatch(/\.zip$/)
      await expectNoSidewaysScroll(page)
    })
  })

  test('of what is selected', async ({ signedIn: page, account }) => {
    for (const title of ['Первая', 'Вторая', 'Третья']) await account.addNote({ title })
    await page.goto('/notes')
    await page.getByRole('checkbox', { name: 'Выбрать «Вторая»' }).check()
    await section(page, 'Выбранное').getByRole('button', { name: 'Экспорт' }).click()
    const dialog = page.getByRole('dialog', { name: 'Экспорт выбранного: 1' })
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    // Bookmarks have no notes.
    await expect(dialog.getByRole('radio', { name: 'JSON' })).toBeVisible()
    await expect(dialog.getByRole('radio', { name: 'Закладки (HTML)' })).toHaveCount(0)
    const { text } = await download(page, async () => {
      await dialog.getByRole('radio', { name: 'Таблица CSV' }).check()
      await dialog.getByRole('button', { name: 'Скачать' }).click()
    })
    expect(text).toContain('Вторая')
    expect(text).not.toMatch(/Первая|Третья/)
    await expect(dialog).toBeHidden()
  })
})

test('an export of what is selected goes in a format that is offered for it', async ({
  signedIn: page,
  account,
}) => {
  await account.addNote({ title: 'Борщ' })
  await account.addLink({ title: 'Рыбалка' })
  await page.goto('/home')
  const box = (title: string) => page.getByRole('checkbox', { name: `Выбрать «${title}»` })
  await box('Борщ').check()
  await box('Рыбалка').check()
  const open = section(page, 'Выбранное').getByRole('button', { name: 'Экспорт' })
  await open.click()
  const both = page.getByRole('dialog', { name: 'Экспорт выбранного: 2' })
  await both.getByRole('radio', { name: 'Закладки (HTML)' }).check()
  await both.getByRole('button', { name: 'Отмена' }).click()
  await box('Рыбалка').uncheck()
  await open.click()
  const note = page.getByRole('dialog', { name: 'Экспорт выбранного: 1' })
  await expect(note.getByRole('radio', { name: 'Архив Копилки' })).toBeChecked()
  await expect(note.getByRole('radio', { name: 'Закладки (HTML)' })).toHaveCount(0)
  const { name } = await download(page, () => note.getByRole('button', { name: 'Скачать' }).click())
  expect(name).toMatch(/\.zip$/)
})

test('the deletion of the account: counted, asked for with the password, nothing stays in the browser', async ({
  signedIn: page,
  account,
  logIn,
  expectedInConsole,
}) => {
  expectedInConsole.push(/status of 400/)
  await account.addNote({ title: 'Первая' })
  await account.addLink({ title: 'Ссылка' })
  await removeNote(page, account, (await account.addNote({ title: 'Вторая' })).id)
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Черновик')
  await expect.poll(() => draftsIn(page)).toBe(1)
  await page.goto('/profile/data')
  await page.getByRole('button', { name: 'Удалить учётную запись' }).click()
  const dialog = page.getByRole('dialog', { name: 'Удаление учётной записи' })
  await expect(dialog).toContainText('исчезнут 1 заметка, 1 ссылка и всё, что лежит в корзине: 1.')
  await expect(dialog.getByLabel(/^Пароль/)).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('не тот пароль')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Неверный текущий пароль.')).toBeVisible()
  await dialog.getByLabel(/^Пароль/).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/auth/login')
  await expect(message(page, 'Учётная запись и всё, что в ней было, удалены.')).toBeVisible()
  expect(await draftsIn(page)).toBe(0)
  const kept = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)])
  expect(kept).toEqual([])
  await logIn(account)
  await expect(message(page, 'Неверный email или пароль.')).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the account is deleted', async ({ signedIn: page, account }) => {
    await account.addNote({ title: 'Первая' })
    await page.goto('/profile/data')
    await page.getByRole('button', { name: 'Удалить учётную запись' }).click()
    const dialog = page.getByRole('dialog', { name: 'Удаление учётной записи' })
    await expect(dialog).toContainText('1 заметка')
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await dialog.getByLabel(/^Пароль/).fill(account.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/auth/login')
    await expect(message(page, 'Учётная запись и всё, что в ней было, удалены.')).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
})

import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type Account, expect, expectAccessible, message, test } from './fixtures.ts'

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
      await page.getByRole('button', { name: 'Скачать' }).click()
    })
    await expect(message(page, 'Скачивание началось.')).toBeVisible()
    expect(name).toMatch(/\.json$/)
    for (const title of ['Борщ', 'Рыбалка']) expect(text).toContain(title)
    expect(text).not.toContain('Лишнее')
    const withTrash = await download(page, async () => {
      await page.getByLabel('Вместе с корзиной').check()
      await page.getByRole('button', { name: 'Скачать' }).click()
    })
    expect(withTrash.text).toContain('Лишнее')
    // A file of bookmarks holds links alone: what does not fit is not offered.
    await page.getByRole('radio', { name: 'Закладки (HTML)' }).check()
    await expect(page.getByLabel('Вместе с корзиной')).toBeHidden()
    const found = await download(page, async () => {
      await page.getByLabel('Только то, что найдёт поиск').fill('рыбалка')
      await page.keyboard.press('Enter')
    })
    expect(found.text).toContain('https://fish.example/')
  })

  test('of what is selected', async ({ signedIn: page, account }) => {
    for (const title of ['Первая', 'Вторая', 'Третья']) await account.addNote({ title })
    await page.goto('/notes')
    await page.getByRole('checkbox', { name: 'Выбрать «Вторая»' }).check()
    await section(page, 'Выбранное').getByRole('button', { name: 'Экспорт' }).click()
    const dialog = page.getByRole('dialog', { name: 'Экспорт выбранного: 1' })
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    const { text } = await download(page, async () => {
      await dialog.getByRole('radio', { name: 'Таблица CSV' }).check()
      await dialog.getByRole('button', { name: 'Скачать' }).click()
    })
    expect(text).toContain('Вторая')
    expect(text).not.toMatch(/Первая|Третья/)
    await expect(dialog).toBeHidden()
  })
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

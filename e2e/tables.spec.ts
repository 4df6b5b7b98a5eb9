import type { Page } from '@playwright/test'
import { editorOf } from './editor-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './fixtures.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Saves a note by its form; returns the HTML that is stored. */
async function save(page: Page, method: 'POST' | 'PUT'): Promise<{ id: string; content: string }> {
  const saving = page.waitForResponse((response) => response.request().method() === method)
  await press(page, 'Сохранить')
  return (await saving).json()
}

/** Rows of texts as a stored table, the first one a row of headings. */
const tableOf = ([header = [], ...rows]: string[][]): string => {
  const row = (tag: string, texts: string[]) =>
    `<tr>${texts.map((text) => `<${tag}><p>${text}</p></${tag}>`).join('')}</tr>`
  const body = rows.map((texts) => row('td', texts)).join('')
  return `<table><thead>${row('th', header)}</thead><tbody>${body}</tbody></table>`
}

test('a table is made, filled with Tab and changed', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Поездка')
  await editorOf(page).focus()
  await press(page, 'Таблица')
  const texts = ['День', 'Куда', 'Кто', '1', 'лес', 'я', '2', 'дом', 'ты', '3']
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  // The cursor is in the first cell of the row that the last Tab has added.
  await press(page, 'Переместить строку выше')
  await press(page, 'Переместить столбец правее')
  await press(page, 'Добавить столбец')
  await page.keyboard.type('тут')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await press(page, 'Убрать столбец')
  await editorOf(page).getByRole('columnheader').nth(1).click()
  await page.keyboard.type('Где')
  await expectAccessible(page)
  const { id, content } = await save(page, 'POST')
  expect(content).toBe(
    `${tableOf([
      ['День', 'Где', 'Кто'],
      ['1', '', 'я'],
      ['3', 'тут', ''],
      ['2', '', 'ты'],
    ])}<p></p>`,
  )

  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/notes/${id}`)
  await expect(page.getByRole('columnheader', { name: 'День' })).toBeVisible()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)

  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('тут').click()
  await press(page, 'Убрать строку')
  await press(page, 'Строка заголовков')
  await expectNoSidewaysScroll(page)
  expect((await save(page, 'PUT')).content).toBe(
    '<table><tbody><tr><td><p>День</p></td><td><p>Где</p></td><td><p>Кто</p></td></tr>' +
      '<tr><td><p>1</p></td><td><p></p></td><td><p>я</p></td></tr>' +
      '<tr><td><p>2</p></td><td><p></p></td><td><p>ты</p></td></tr></tbody></table><p></p>',
  )
})

test('a change of a table with joined cells, a caption and a nested table loses no text', async ({
  signedIn: page,
  account,
}) => {
  const nested = '<table><tbody><tr><td><p>внутри</p></td></tr></tbody></table>'
  const { id } = await account.addNote({
    content:
      '<table><caption>Итоги</caption><tbody><tr><td rowspan="2"><p>а</p></td><td colspan="2"><p>б</p></td></tr>' +
      `<tr><td><p>в</p></td><td>${nested}</td></tr><tr><td colspan="99999"><p>г</p></td></tr></tbody></table>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('в', { exact: true }).click()
  await press(page, 'Переместить строку выше')
  await press(page, 'Отменить правку')
  await expect(editorOf(page).locator('[colspan="2"]')).toHaveCount(1)
  await press(page, 'Вернуть правку')
  await expect(editorOf(page).locator('[colspan="2"]')).toHaveCount(0)
  const { content } = await save(page, 'PUT')
  expect(content).toContain('<caption>Итоги</caption><tbody><tr><td><p></p></td><td><p>в</p></td><td><table>')
  expect(content).toContain('<tr><td><p>а</p></td><td><p>б</p></td><td><p></p></td>')
  expect(content).toContain('<td><p>г</p></td>')
  expect(content).toContain(nested)
})

test('all rows of headings become ordinary ones, a caption has no buttons, and moves go back', async ({
  signedIn: page,
  account,
}) => {
  const head =
    '<thead><tr><th><p>А</p></th><th><p>Б</p></th></tr><tr><th><p>а</p></th><th><p>б</p></th></tr></thead>'
  const { id } = await account.addNote({
    content: `<table><caption>Итоги</caption>${head}<tbody><tr><td><p>1</p></td><td><p>2</p></td></tr></tbody></table>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('Итоги').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await expect(page.getByRole('toolbar', { name: 'Таблица' })).toHaveCount(0)
  await editorOf(page).getByText('2', { exact: true }).click()
  await press(page, 'Строка заголовков')
  await press(page, 'Переместить строку выше')
  await press(page, 'Переместить столбец левее')
  await press(page, 'Переместить строку ниже')
  await press(page, 'Добавить строку')
  await page.keyboard.type('3')
  const rows = [
    ['Б', 'А'],
    ['б', 'а'],
    ['2', '1'],
    ['3', ''],
  ]
  const row = (texts: string[]) => `<tr>${texts.map((text) => `<td><p>${text}</p></td>`).join('')}</tr>`
  expect((await save(page, 'PUT')).content).toBe(
    `<table><caption>Итоги!</caption><tbody>${rows.map(row).join('')}</tbody></table>`,
  )
})

test('Tab indents code, and steps go back and forward', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Код')
  await editorOf(page).focus()
  await expect(page.getByRole('button', { name: 'Отменить правку' })).toBeDisabled()
  await press(page, 'Блок кода')
  await page.keyboard.type('если')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('то')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await press(page, 'Малый заголовок')
  await page.keyboard.type('Дальше')
  expect((await save(page, 'POST')).content).toBe('<pre><code>  если\n    то</code></pre><h4>Дальше</h4>')
})

import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, nextPaint, test } from './fixtures.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Saves a note by its form; returns the HTML that is stored. */
async function save(page: Page, method: 'POST' | 'PUT'): Promise<{ id: string; content: string }> {
  const saving = page.waitForResponse((response) => response.request().method() === method)
  await press(page, 'Сохранить')
  return (await saving).json()
}

/** Whether nothing is selected. The browser tells the editor a moment later: fingers are slower than a test. */
const isCollapsed = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return getSelection()?.isCollapsed
  })

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
  await editorOf(page).click()
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
  const headers = editorOf(page).getByRole('columnheader')
  await press(page, 'Строка заголовков')
  await expect(headers).toHaveCount(0)
  await press(page, 'Строка заголовков')
  await expect(headers).toHaveText(['День', 'Где', 'Кто'])
  await headers.first().click()
  await press(page, 'Добавить строку')
  await page.keyboard.type('0')
  await expectNoSidewaysScroll(page)
  expect((await save(page, 'PUT')).content).toBe(
    `${tableOf([
      ['День', 'Где', 'Кто'],
      ['0', '', ''],
      ['1', '', 'я'],
      ['2', '', 'ты'],
    ])}<p></p>`,
  )
})

test('each press of a button of a table is a step to undo, however soon it follows', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await press(page, 'Таблица')
  const add = page.getByRole('button', { name: 'Добавить строку' })
  await add.evaluate((button) => {
    for (let time = 0; time < 3; time += 1) if (button instanceof HTMLElement) button.click()
  })
  const rows = editorOf(page).getByRole('row')
  await expect(rows).toHaveCount(6)
  for (const left of [5, 4, 3]) {
    await press(page, 'Отменить правку')
    await expect(rows).toHaveCount(left)
  }
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

test('cells that are pasted into a table fill its cells, and one alone is its text', async ({
  signedIn: page,
}) => {
  // As spreadsheets copy them.
  const cells = (...rows: string[][]) => ({
    'text/html': `<html><head><style>td {color: red}</style></head><body><!--StartFragment--><table>${rows
      .map((texts) => `<tr>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`)
      .join('')}</table><!--EndFragment--></body></html>`,
    'text/plain': rows.map((texts) => texts.join('\t')).join('\r\n'),
  })
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Поездка')
  await editorOf(page).click()
  await page.keyboard.type('Всего ')
  await paste(page, cells(['42']))
  await press(page, 'Таблица')
  await page.keyboard.type('День')
  await editorOf(page).getByRole('cell').nth(1).click()
  await page.keyboard.type('было ')
  await paste(page, cells(['1']))
  await expect(editorOf(page).getByRole('cell').nth(1)).toHaveText('было 1')
  await paste(page, cells(['а', 'б', 'в'], ['г', 'д', 'е'], ['ж', 'з', 'и']))
  await page.keyboard.type('!')
  await expect(editorOf(page).locator('table table')).toHaveCount(0)
  // Over several cells a line fills each of them, and none is joined.
  const pasteOver = async (first: string, last: string, formats: Record<string, string>) => {
    await editorOf(page).getByText(first, { exact: true }).click()
    await page.keyboard.press('Home')
    await editorOf(page)
      .getByText(last, { exact: true })
      .click({ modifiers: ['Shift'] })
    await expect.poll(() => isCollapsed(page)).toBe(false)
    await paste(page, formats)
  }
  await pasteOver('а', 'в', cells(['7']))
  await pasteOver('д', 'е', { 'text/plain': '8' })
  await pasteOver('ж', 'з', { 'text/plain': 'раз\nдва' })
  const { content } = await save(page, 'POST')
  expect(content).toBe(
    `<p>Всего 42</p>${tableOf([
      ['День', '', '', ''],
      ['', '7', '7', '7'],
      ['', 'г', '8', '8'],
      ['', 'раз</p><p>два', '', '!и'],
    ])}<p></p>`,
  )
})

test('headings and header cells that are copied where a note is read get no bold text', async ({
  signedIn: page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const content = `<h2>Поездка <strong>скоро</strong></h2><p>да и <strong>нет</strong></p>${tableOf([
    ['День', '<strong>Куда</strong>'],
    ['1', '<strong>лес</strong>'],
  ])}<p>конец</p>`
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}`)
  await page.getByText('скоро').evaluate((word) => {
    const text = word.closest('h2')?.parentElement
    if (text) getSelection()?.selectAllChildren(text)
  })
  await page.keyboard.press('ControlOrMeta+C')
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Копия')
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(editorOf(page).getByText('конец')).toBeVisible()
  expect((await save(page, 'POST')).content).toBe(content)
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

test('Tab indents code, headings have three levels, and steps go back and forward', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Код')
  await editorOf(page).click()
  const undo = page.getByRole('button', { name: 'Отменить правку' })
  const redo = page.getByRole('button', { name: 'Вернуть правку' })
  await expect(undo).toBeDisabled()
  await press(page, 'Блок кода')
  await page.keyboard.type('если')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('то')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('Shift+ArrowUp')
  await expect.poll(() => isCollapsed(page)).toBe(false)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(editorOf(page).locator('pre code')).toHaveText('  если\n    то', { useInnerText: true })
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => isCollapsed(page)).toBe(true)
  await page.keyboard.press('ArrowDown')
  await expect(editorOf(page).locator('> p')).toHaveCount(1)
  await press(page, 'Малый заголовок')
  await page.keyboard.type('Дальше\n')
  await press(page, 'Подзаголовок')
  await page.keyboard.type('Выше\n')
  await press(page, 'Заголовок')
  await page.keyboard.type('Вершина')
  await expect(redo).toBeDisabled()
  await undo.click()
  await expect(editorOf(page)).not.toContainText('Вершина')
  await redo.click()
  await expect(redo).toBeDisabled()
  await expect(editorOf(page)).toBeFocused()
  expect((await save(page, 'POST')).content).toBe(
    '<pre><code>  если\n    то</code></pre><h4>Дальше</h4><h3>Выше</h3><h2>Вершина</h2>',
  )
})

test('on a phone the toolbars show that they go on, and the whole outline of a button', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await page.keyboard.press('Alt+F10')
  // Also after a press of the mouse.
  await expect(page.getByRole('button', { name: 'Полужирный' })).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Escape')
  for (const width of [320, 360, 375, 390, 412, 430]) {
    await page.setViewportSize({ width, height: 800 })
    // A button, and no gap between groups of them, lies where the toolbar fades out.
    const fading = await page.getByRole('toolbar').evaluate((toolbar) => {
      const { right } = toolbar.getBoundingClientRect()
      return [...toolbar.querySelectorAll('svg')].some((icon) => {
        const box = icon.getBoundingClientRect()
        return Math.min(box.right, right - 6) - Math.max(box.left, right - 28) >= 3
      })
    })
    expect(fading, `${width} wide`).toBe(true)
  }
  await press(page, 'Таблица')
  await page.keyboard.press('Alt+F10')
  const button = page.getByRole('button', { name: 'Добавить строку' })
  await expect(button).toBeFocused()
  const room = await button.evaluate((focused) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(focused)
    const outline = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
    const toolbar = focused.closest('[role=toolbar]')?.getBoundingClientRect().top ?? Number.NaN
    return focused.getBoundingClientRect().top - outline - toolbar
  })
  expect(room).toBeGreaterThanOrEqual(0)
})

test('Alt+F10 leads to the tools at the cursor, and Escape back to the text', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Без мыши')
  await editorOf(page).click()
  await page.keyboard.type('Текст')
  await page.keyboard.press('Alt+F10')
  await expect(page.getByRole('button', { name: 'Полужирный' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.type(' дальше')
  await press(page, 'Таблица')
  await page.keyboard.type('День')
  await page.keyboard.press('Alt+F10')
  await expect(page.getByRole('button', { name: 'Добавить строку' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(editorOf(page)).toBeFocused()
  await expect(editorOf(page).getByRole('columnheader')).toHaveCount(4)
  await page.keyboard.press('Alt+F10')
  await page.keyboard.press('Escape')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.press('Alt+F10')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(editorOf(page).getByRole('table')).toHaveCount(0)
  await press(page, 'Блок кода')
  await page.keyboard.type('1')
  await page.keyboard.press('Alt+F10')
  const language = page.getByRole('combobox', { name: 'Язык кода' })
  await expect(language).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(editorOf(page)).toBeFocused()
  await page.keyboard.type('2')
  expect((await save(page, 'POST')).content).toBe('<p>Текст дальше</p><pre><code>12</code></pre><p></p>')
})

test('a row or a column that is moved keeps the place of the cursor in its text', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    content: tableOf([
      ['а', 'б'],
      ['первый', 'в'],
      ['г', 'д'],
    ]),
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('первый').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  for (const name of ['Переместить строку ниже', 'Переместить столбец правее', 'Строка заголовков'])
    await press(page, name)
  await page.keyboard.type('!')
  await expect(editorOf(page).getByRole('cell')).toHaveText(['б', 'а', 'д', 'г', 'в', 'пе!рвый'])
})

test('a new table comes after the block in which the selection ends, and takes no text', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: '<p>раз</p><p>два слова</p><p>три</p>' })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('раз').click()
  await page.keyboard.press('Home')
  await editorOf(page)
    .getByText('два слова')
    .click({ modifiers: ['Shift'], position: { x: 20, y: 8 } })
  await expect.poll(() => isCollapsed(page)).toBe(false)
  await press(page, 'Таблица')
  await page.keyboard.type('День')
  const blocks = () =>
    editorOf(page).evaluate((root) =>
      [...root.children].map(({ localName, textContent }) => [localName, textContent]),
    )
  await expect.poll(blocks).toEqual([
    ['p', 'раз'],
    ['p', 'два слова'],
    ['table', 'День'],
    ['p', 'три'],
  ])
})

test('a caption takes no table', async ({ signedIn: page, account }) => {
  const content = '<table><caption>Итоги года</caption><tbody><tr><td><p>1</p></td></tr></tbody></table>'
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('Итоги').click()
  for (const keys of [['Home', 'ArrowRight'], ['Shift+End']]) {
    for (const key of keys) await page.keyboard.press(key)
    await nextPaint(page)
    await press(page, 'Таблица')
    await expect(editorOf(page)).toBeFocused()
  }
  await page.keyboard.type('тог')
  expect((await save(page, 'PUT')).content).toBe(content.replace('Итоги года', 'Итог'))
})

import type { Page } from '@playwright/test'
import { editorOf } from './editor-page.ts'
import { expect, nextPaint, test } from './fixtures.ts'

/** The text of the block at the cursor and the cursor's place in it. */
const place = (page: Page) =>
  page.evaluate(() => {
    const { anchorNode, anchorOffset } = getSelection() ?? {}
    const block = anchorNode?.parentElement?.closest('p') ?? anchorNode
    return `${block?.textContent}:${anchorNode?.nodeType === Node.TEXT_NODE ? anchorOffset : 0}`
  })

/** Presses a key once the editor has heard where what came before moved the cursor: no person is faster. */
async function press(page: Page, key: string): Promise<void> {
  await nextPaint(page)
  await page.keyboard.press(key)
}

async function follow(page: Page, steps: readonly (readonly [key: string, to: string])[]) {
  for (const [key, to] of steps) {
    await press(page, key)
    await expect.poll(() => place(page), key).toBe(to)
  }
}

test('the arrows up and down go to the row above and below, and out of the table', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    content:
      '<p>выше</p><table><thead><tr><th><p>аа</p></th><th><p>бббб</p></th><th><p>вв</p></th></tr></thead><tbody>' +
      '<tr><td colspan="2"><p>широкая ячейка</p></td><td rowspan="2"><p>раз</p><p>два</p></td></tr>' +
      '<tr><td><p>гг</p></td><td><p></p></td></tr>' +
      '<tr><td><p>жж</p></td><td><p>ззз<br>иии</p></td><td><p>кк</p></td></tr></tbody></table><p>ниже</p>',
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('вв').click()
  await press(page, 'Home')
  await follow(page, [
    ['ArrowDown', 'раз:0'],
    ['ArrowDown', 'два:0'],
    ['ArrowDown', 'кк:0'],
    ['End', 'кк:2'],
    ['ArrowUp', 'два:2'],
    ['ArrowDown', 'кк:2'],
    ['Home', 'кк:0'],
    ['Shift+Tab', 'зззиии:0'],
    ['ArrowUp', ':0'],
    ['ArrowDown', 'зззиии:0'],
    ['ArrowDown', 'зззиии:0'],
    ['ArrowDown', 'ниже:4'],
  ])
  await editorOf(page).getByText('гг').click()
  await press(page, 'Home')
  await follow(page, [
    ['ArrowUp', 'широкая ячейка:0'],
    ['ArrowUp', 'аа:0'],
    ['ArrowUp', 'выше:1'],
  ])
})

test('from the rows at the edges of a text the arrows lead to lines of their own, also from a nested table', async ({
  signedIn: page,
  account,
}) => {
  const nested = '<table><tbody><tr><td><p>в1</p></td><td><p>в2</p></td></tr></tbody></table>'
  const { id } = await account.addNote({
    content:
      `<table><caption>Итоги</caption><tbody><tr><td><p>а</p></td><td>${nested}</td></tr>` +
      '<tr><td><p>б</p></td><td><p>г</p></td></tr></tbody></table>',
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('в1').click()
  await press(page, 'Home')
  await press(page, 'ArrowDown')
  await expect.poll(() => place(page)).toMatch(/^г:/)
  await press(page, 'ArrowUp')
  await expect.poll(() => place(page)).toMatch(/^в[12]:/)
  await press(page, 'ArrowUp')
  await nextPaint(page)
  await page.keyboard.type('!')
  await expect(editorOf(page).locator('caption')).toContainText('!')
  await editorOf(page).getByText('б', { exact: true }).click()
  await press(page, 'ArrowDown')
  await nextPaint(page)
  await page.keyboard.type('Z')
  await expect(editorOf(page).locator('> p')).toHaveText(['Z'])
  await press(page, 'ArrowUp')
  await expect.poll(() => place(page)).toMatch(/^[бг]:/)
})

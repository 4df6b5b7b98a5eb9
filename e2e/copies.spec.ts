import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import { expect, test } from './fixtures.ts'
import { dropFiles, png } from './picture-files.ts'

/** What another program gets that pastes what was copied. */
async function pastedElsewhere(page: Page): Promise<{ html: string; text: string }> {
  const other = await page.context().newPage()
  await other.setContent('<p contenteditable>')
  await other.locator('p').click()
  // It listens before the key is pressed.
  const listener = await other.evaluateHandle(() => ({
    pasted: new Promise<{ html: string; text: string }>((done) => {
      document.addEventListener('paste', ({ clipboardData }) => {
        const [html = '', text = ''] = ['text/html', 'text/plain'].map((type) => clipboardData?.getData(type))
        done({ html, text })
      })
    }),
  }))
  await other.keyboard.press('Control+V')
  const got = await listener.evaluate(({ pasted }) => pasted)
  await other.close()
  return got
}

/** The width of the first picture in HTML, as another program shows it that knows nothing of ours. */
const widthIn = async (page: Page, html: string): Promise<number> => {
  const other = await page.context().newPage()
  await other.setContent(html)
  const width = await other
    .locator('img')
    .first()
    .evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      return image.naturalWidth
    })
  await other.close()
  return width
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const LIST =
  '<ul data-type="taskList"><li data-checked="false"><p>хлеб</p></li><li data-checked="true"><p>чай</p></li></ul>'

test('what is copied of a note has its pictures and its ticks in other programs', async ({
  signedIn: page,
  account,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('С картинкой')
  await editorOf(page).click()
  await dropFiles(page, '[role=textbox][aria-multiline]', [
    { name: 'кот.png', mimeType: 'image/png', buffer: png(40, 30) },
  ])
  const picture = editorOf(page).locator('[data-state=shown] img')
  await expect(picture).toHaveCount(1)

  // Of the editor.
  await picture.click()
  await page.keyboard.press('Control+C')
  const ofEditor = await pastedElsewhere(page)
  expect(await widthIn(page, ofEditor.html)).toBe(40)

  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  const [image = ''] = /<img[^>]*>/.exec((await (await saving).json()).content) ?? []
  const { id } = await account.addNote({ content: `<p>Купить ${image}</p>${LIST}` })
  await page.goto(`/notes/${id}`)
  await expect(page.locator('[data-state=shown] img')).toHaveCount(1)
  const view = page.locator('[dir=auto]', { has: page.getByRole('checkbox') }).last()
  await view.evaluate((text) => getSelection()?.selectAllChildren(text))
  await page.keyboard.press('Control+C')
  const ofView = await pastedElsewhere(page)
  expect(await widthIn(page, ofView.html)).toBe(40)
  expect(ofView.html).not.toContain('<button')
  expect(ofView.html.match(/<input[^>]*>/g)).toEqual([
    expect.not.stringContaining('checked'),
    expect.stringContaining('checked'),
  ])
  expect(linesOf(ofView.text)).toEqual(['Купить', '☐ хлеб', '☑ чай'])
  await expect(view).not.toContainText('☐')

  // A word of a task is not a list, and two tasks are.
  await page.getByText('хлеб').evaluate((text) => getSelection()?.selectAllChildren(text))
  await page.keyboard.press('Control+C')
  expect(await pastedElsewhere(page)).toEqual({ html: 'хлеб', text: 'хлеб' })
  await page.getByText('хлеб').evaluate((first) => {
    const last = first.closest('ul')?.querySelector('li:last-child p')
    if (first.firstChild && last?.firstChild)
      getSelection()?.setBaseAndExtent(first.firstChild, 0, last.firstChild, 3)
  })
  await page.keyboard.press('Control+C')
  const tasks = await pastedElsewhere(page)
  expect(linesOf(tasks.text)).toEqual(['☐ хлеб', '☑ чай'])

  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Другая')
  await editorOf(page).click()
  await page.keyboard.press('Control+V')
  await expect(editorOf(page).getByRole('checkbox')).toHaveCount(2)
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Backspace')
  // Its own pictures do not become other files.
  await paste(page, { 'text/html': ofView.html })
  await expect(picture).toHaveCount(1)
  const again = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  const response = await again
  expect(response.url()).toMatch(/\/notes\/$/)
  expect((await response.json()).content).toBe(`<p>Купить ${image}</p>${LIST}`)
})

test('what is copied of the editor is a text of lines with their signs', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await paste(page, {
    'text/html':
      `<p>Купить<br>сегодня</p>${LIST}<ol start="3"><li><p>раз</p><ul><li>внутри</li></ul></li><li>два</li></ol>` +
      '<table><tbody><tr><td>а</td><td><p>б</p><p>в</p></td></tr><tr><td>1</td><td>2</td></tr></tbody></table><p>Конец</p>',
  })
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+C')
  const { text } = await pastedElsewhere(page)
  expect(text).toBe(
    'Купить\nсегодня\n\n☐ хлеб\n☑ чай\n\n3. раз\n    - внутри\n4. два\n\nа\tб в\n1\t2\n\nКонец',
  )
  await editorOf(page).getByText('хлеб').dblclick()
  await page.keyboard.press('Control+C')
  expect((await pastedElsewhere(page)).text).toBe('хлеб')
})

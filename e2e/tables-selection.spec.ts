import type { Page } from '@playwright/test'
import { editorOf } from './editor-page.ts'
import { expect, nextPaint, test } from './fixtures.ts'

/** Rows of texts, separated by spaces, as a stored table. */
const tableOf = (...rows: string[]): string =>
  `<table><tbody>${rows
    .map((row) => `<tr>${row.split(' ').map((text) => `<td><p>${text}</p></td>`)}</tr>`.replaceAll(',', ''))
    .join('')}</tbody></table>`

const TABLE = tableOf('один два три', 'раз второй ещё', 'вот так всё')

/** Selects from within one word to within another; a moment later the editor knows. */
async function select(page: Page, from: [text: string, at: number], to: [text: string, at: number]) {
  await editorOf(page).focus()
  await editorOf(page).evaluate(
    (root, [from, to]) => {
      const find = (text: string) => {
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) if (walker.currentNode.nodeValue === text) return walker.currentNode
        throw new Error(text)
      }
      getSelection()?.setBaseAndExtent(find(from[0]), from[1], find(to[0]), to[1])
    },
    [from, to] as const,
  )
  await nextPaint(page)
}

/** The texts of the blocks: cells of a row by `|`, blocks by lines. */
const shown = (page: Page) =>
  editorOf(page).evaluate((root) =>
    [...root.children].flatMap((block) =>
      block instanceof HTMLTableElement
        ? [...block.rows].map(({ cells }) => [...cells].map(({ innerText }) => innerText.trim()).join('|'))
        : block.textContent,
    ),
  )

const open = async (
  page: Page,
  account: { addNote: (note: { content: string }) => Promise<{ id: string }> },
  content: string,
) => {
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).not.toBeEmpty()
}

const WHOLE = ['один|два|три', 'раз|второй|ещё', 'вот|так|всё']
const TORN = ['один||', '|рой|ещё', 'вот|так|всё']

test('what replaces a selection of several cells leaves the grid as it is', async ({
  signedIn: page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, account, `${TABLE}<p>конец</p>`)
  const undone = async () => {
    await page.keyboard.press('Control+Z')
    await expect.poll(() => shown(page)).toEqual([...WHOLE, 'конец'])
  }
  for (const key of ['Backspace', 'Delete', 'Control+X', 'Control+Backspace']) {
    await select(page, ['два', 0], ['второй', 3])
    await page.keyboard.press(key)
    await expect.poll(() => shown(page), key).toEqual([...TORN, 'конец'])
    if (key === 'Control+X')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
        /два[\s\S]*три[\s\S]*раз[\s\S]*вто$/,
      )
    await undone()
  }
  // Also backwards, and the next character comes behind the first.
  await select(page, ['второй', 3], ['два', 1])
  await page.keyboard.type('ZY')
  await expect.poll(() => shown(page)).toEqual(['один|дZY|', '|рой|ещё', 'вот|так|всё', 'конец'])
  await undone()
  await select(page, ['два', 0], ['второй', 3])
  await page.keyboard.press('Enter')
  await page.keyboard.type('Z')
  await expect.poll(() => shown(page)).toEqual(['один|Z|', '|рой|ещё', 'вот|так|всё', 'конец'])
  await page.keyboard.press('Control+Z')
  await undone()
  const devTools = await context.newCDPSession(page)
  // As a phone's keyboard does, which names no key.
  await select(page, ['два', 0], ['второй', 3])
  const unnamed = { key: 'Unidentified', windowsVirtualKeyCode: 229 }
  await devTools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...unnamed, commands: ['deleteBackward'] })
  await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...unnamed })
  await expect.poll(() => shown(page)).toEqual([...TORN, 'конец'])
  await undone()
  await select(page, ['два', 1], ['второй', 3])
  await devTools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await devTools.send('Input.insertText', { text: '日' })
  await expect.poll(() => shown(page)).toEqual(['один|д日|', '|рой|ещё', 'вот|так|всё', 'конец'])
})

test('a selection that leaves a table takes the text of its cells, and the table where it is all of it', async ({
  signedIn: page,
  account,
}) => {
  await open(page, account, `<p>начало</p><p>до</p>${TABLE}<p>после</p><p>конец</p>`)
  const whole = ['начало', 'до', ...WHOLE, 'после', 'конец']
  const cases = [
    [
      ['второй', 3],
      ['конец', 2],
      ['начало', 'до', 'один|два|три', 'раз|вто|', '||', 'нец'],
    ],
    [
      ['начало', 3],
      ['второй', 3],
      ['нач', '||', '|рой|ещё', 'вот|так|всё', 'после', 'конец'],
    ],
    [
      ['до', 1],
      ['конец', 2],
      ['начало', 'днец'],
    ],
    [
      ['один', 0],
      ['всё', 3],
      ['начало', 'до', '||', '||', '||', 'после', 'конец'],
    ],
  ] satisfies [[string, number], [string, number], string[]][]
  for (const [from, to, left] of cases) {
    await select(page, from, to)
    await page.keyboard.press('Delete')
    await expect.poll(() => shown(page), from[0]).toEqual(left)
    await page.keyboard.press('Control+Z')
    await expect.poll(() => shown(page)).toEqual(whole)
  }
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await expect.poll(() => shown(page)).toEqual([''])
  await nextPaint(page)
})

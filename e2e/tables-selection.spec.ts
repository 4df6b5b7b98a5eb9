import type { CDPSession, Page } from '@playwright/test'
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

/** Edits as a phone's keyboard does, which names no key. */
async function sendUnnamed(devTools: CDPSession, command: string) {
  const unnamed = { key: 'Unidentified', windowsVirtualKeyCode: 229 }
  await devTools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...unnamed, commands: [command] })
  await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...unnamed })
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
  await select(page, ['два', 0], ['второй', 3])
  await sendUnnamed(devTools, 'deleteBackward')
  await expect.poll(() => shown(page)).toEqual([...TORN, 'конец'])
  await undone()
  await select(page, ['два', 1], ['второй', 3])
  await devTools.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 })
  await devTools.send('Input.insertText', { text: '日' })
  await expect.poll(() => shown(page)).toEqual(['один|д日|', '|рой|ещё', 'вот|так|всё', 'конец'])
})

test('text that is inserted over several cells leaves the grid as it is, whoever inserts it', async ({
  signedIn: page,
  account,
  context,
}) => {
  const table = TABLE.replace('раз', '-').replace('вот', '**вот*')
  const whole = ['один|два|три', '-|второй|ещё', '**вот*|так|всё', 'конец']
  await open(page, account, `${table}<p>конец</p>`)
  const devTools = await context.newCDPSession(page)
  const run = (command: string, text?: string) => () =>
    page.evaluate(([command, text]) => document.execCommand(command, false, text), [command, text] as const)
  const unnamed = (command: string) => () => sendUnnamed(devTools, command)
  const press = (key: string) => () => page.keyboard.press(key)
  const over = ['два', 1, 'второй', 3] as const
  const cases = [
    [over, () => devTools.send('Input.insertText', { text: 'Z' }), ['один|дZ|', '|рой|ещё']],
    [over, run('insertText', 'Z'), ['один|дZ|', '|рой|ещё']],
    [over, run('delete'), ['один|д|', '|рой|ещё']],
    [over, unnamed('insertNewline'), ['один|д|', '|рой|ещё']],
    [over, unnamed('insertLineBreak'), ['один|д|', '|рой|ещё']],
    [['-', 1, 'второй', 3], press('Space'), ['один|два|три', '-|рой|ещё']],
    [['**вот*', 6, 'так', 2], press('*'), ['один|два|три', '-|второй|ещё', '**вот**|к|всё']],
  ] as const
  for (const [at, [[start, from, end, to], insert, left]] of cases.entries()) {
    await select(page, [start, from], [end, to])
    await insert()
    const after = [...left, ...whole.slice(left.length)]
    await expect.poll(() => shown(page), `case ${at}`).toEqual(after)
    await page.keyboard.press('Control+Z')
    await expect.poll(() => shown(page), `case ${at} undone`).toEqual(whole)
  }
  // What the browser has selected since is no matter of the cells.
  await select(page, ['два', 1], ['второй', 3])
  await editorOf(page).evaluate((root) => {
    const word = root.querySelector('tr:last-child td:last-child p')?.firstChild
    if (word) getSelection()?.setBaseAndExtent(word, 0, word, 3)
    document.execCommand('insertText', false, 'Z')
  })
  await expect.poll(() => shown(page)).toEqual([...whole.slice(0, 2), '**вот*|так|Z', 'конец'])
  await select(page, ['два', 1], ['второй', 3])
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Y')
  await expect.poll(() => shown(page)).toEqual(['один|д\nY|', '|рой|ещё', '**вот*|так|Z', 'конец'])
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
})

test('a quote is made of the whole table of which cells are selected', async ({
  signedIn: page,
  account,
}) => {
  const table = TABLE.replace('<table>', '<table><caption>итоги</caption>')
  await open(page, account, `<p>до</p>${table}<dl><dt>слово</dt><dd><p>смысл</p></dd></dl>`)
  const blocks = () =>
    editorOf(page).evaluate((root) =>
      [...root.querySelectorAll(':scope > *, blockquote > *')].map(({ localName }) => localName),
    )
  const button = page.getByRole('button', { name: 'Цитата' })
  const cases = [
    ['один', 'три', 'table'],
    ['один', 'второй', 'table'],
    ['раз', 'всё', 'table'],
    ['итоги', 'итоги', 'table'],
    ['итоги', 'ещё', 'table'],
    ['слово', 'смысл', 'dl'],
  ] as const
  for (const [from, to, quoted] of cases) {
    await select(page, [from, 1], [to, 2])
    await button.click()
    const expected = ['p', 'table', 'dl'].flatMap((name) => (name === quoted ? ['blockquote', name] : name))
    await expect.poll(blocks, `${from} ${to}`).toEqual(expected)
    await expect(editorOf(page).getByRole('table')).toHaveCount(1)
    await button.click()
    await expect.poll(blocks, `${from} ${to}`).toEqual(['p', 'table', 'dl'])
  }
  await select(page, ['второй', 1], ['второй', 3])
  await button.click()
  await expect(editorOf(page).locator('td > blockquote')).toHaveText('второй')
})

test('a table that the next key would replace is seen to be selected', async ({
  signedIn: page,
  account,
}) => {
  await open(page, account, `<p>до</p>${TABLE}<p>после</p>`)
  const table = editorOf(page).getByRole('table')
  for (const [text, at, key] of [
    ['после', 0, 'Backspace'],
    ['до', 2, 'Delete'],
  ] as const) {
    await select(page, [text, at], [text, at])
    await expect(table).toHaveCSS('outline-style', 'none')
    await page.keyboard.press(key)
    await expect(table).toHaveCSS('outline-style', 'solid')
  }
  expect(await shown(page)).toEqual(['до', ...WHOLE, 'после'])
  await page.keyboard.press('Delete')
  await expect.poll(() => shown(page)).toEqual(['до', 'после'])
})

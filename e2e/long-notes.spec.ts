import type { CDPSession, Page } from '@playwright/test'
import { editorOf } from './editor-page.ts'
import { expect, nextPaint, test } from './fixtures.ts'
import { png } from './picture-files.ts'

/** Long enough for sections that the browser does not lay out while they are out of sight. */
const LINES = 300
const content = Array.from({ length: LINES }, (_, at) => `<p>строка ${at + 1}</p>`).join('')

/** The line of the caret, and whether it is in sight. */
const caret = (page: Page) =>
  page.evaluate(() => {
    const node = getSelection()?.focusNode
    const line = (node instanceof Element ? node : node?.parentElement)?.closest('p')
    const editor = line?.closest('[role=textbox]')?.getBoundingClientRect()
    const rect = line?.getBoundingClientRect()
    // The caret is lower than its line.
    const middle = rect ? (rect.top + rect.bottom) / 2 : Number.NaN
    return {
      line: line?.textContent,
      isInSight: !!editor && editor.top < middle && middle < editor.bottom,
    }
  })

test('the keys of the cursor go through a long note and show where it is', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await editorOf(page).click({ position: { x: 40, y: 24 } })
  await page.keyboard.press('Control+End')
  await expect.poll(() => caret(page)).toEqual({ line: 'строка 300', isInSight: true })
  for (let up = 1; up <= 50; up += 1) await page.keyboard.press('ArrowUp')
  await expect.poll(() => caret(page)).toEqual({ line: 'строка 250', isInSight: true })
  await page.keyboard.press('Control+Home')
  await expect.poll(() => caret(page)).toEqual({ line: 'строка 1', isInSight: true })
  for (let down = 1; down <= 50; down += 1) await page.keyboard.press('ArrowDown')
  await expect.poll(() => caret(page)).toEqual({ line: 'строка 51', isInSight: true })
  const lines = [51]
  for (let step = 1; step <= 3; step += 1) {
    await page.keyboard.press('PageDown')
    await expect.poll(async () => (await caret(page)).isInSight).toBe(true)
    lines.push(Number((await caret(page)).line?.split(' ')[1]))
  }
  const steps = lines.slice(1).map((line, at) => line - (lines[at] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThan(5)
  expect(Math.max(...steps)).toBeLessThan(30)
})

test('a long note is saved without its sections, also where a block moves into a quote or a checklist', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await editorOf(page).getByText('строка 150', { exact: true }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('новая')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Цитата', exact: true }).click()
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Список дел', exact: true }).click()
  await expect(editorOf(page).locator('li > div > p')).toHaveText('строка 149')
  await expect(editorOf(page).locator('blockquote > p')).toHaveText('строка 150')
  const saving = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  const saved: string = (await saving).postDataJSON().content
  const changed = saved.slice(saved.indexOf('<p>строка 148'), saved.indexOf('<p>строка 151'))
  expect(changed).toBe(
    '<p>строка 148</p><ul data-type="taskList"><li data-checked="false"><p>строка 149</p></li></ul>' +
      '<blockquote><p>строка 150</p></blockquote><p>новая</p>',
  )
  expect(saved).not.toContain('<div')
})

const LISTS = {
  'list of points': ['<ul>', '<li>', '</ul>'],
  'numbered list': ['<ol>', '<li>', '</ol>'],
  checklist: ['<ul data-type="taskList">', '<li data-checked="false">', '</ul>'],
} as const

/** The number of an item of the editor, as a screen reader is told of it. */
async function numberOf(devtools: CDPSession, at: number): Promise<unknown> {
  const expression = `document.querySelectorAll('[role=textbox] li')[${at}]`
  const { result } = await devtools.send('Runtime.evaluate', { expression })
  const { objectId = '' } = result
  const { nodes } = await devtools.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: true })
  const item = nodes.find(({ role }) => role?.value === 'listitem')
  const marker = nodes.find(({ role, parentId }) => role?.value === 'ListMarker' && parentId === item?.nodeId)
  return marker?.name?.value
}

/** Expects the only list to have so many items with the numbers from `first` on, in steps of `step`, at its beginning, in its middle and at its end. */
async function expectNumbers(page: Page, first: number, count: number, step = 1): Promise<void> {
  const items = editorOf(page).locator('li')
  await expect(items).toHaveCount(count)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Accessibility.enable')
  for (const part of [0, 0.5, 1]) {
    // Sections are laid out some frames after they come into sight, and what screen readers are told follows later.
    await expect(async () => {
      await editorOf(page).evaluate((editor, at) => editor.scrollTo(0, editor.scrollHeight * at), part)
      await nextPaint(page)
      // Of those that are laid out the ones beside the ends of sections.
      const checked = await items.evaluateAll((all) =>
        all.flatMap((item, at) => {
          const isInner = [-2, -1, 1, 2].every((by) => all[at + by]?.parentElement === item.parentElement)
          return isInner || !item.checkVisibility({ contentVisibilityAuto: true }) ? [] : [at]
        }),
      )
      expect(checked.length).toBeGreaterThanOrEqual(4)
      const numbers: unknown[] = []
      for (const at of checked) numbers.push(await numberOf(devtools, at))
      expect(numbers).toEqual(checked.map((at) => `${first + at * step}. `))
    }).toPass({ timeout: 20_000 })
  }
  await devtools.detach()
}

for (const [name, [open, item, close]] of Object.entries(LISTS)) {
  const list = (from: number, to: number) =>
    `${open}${Array.from({ length: to - from + 1 }, (_, at) => `${item}<p>строка ${from + at}</p></li>`).join('')}${close}`

  test(`a long ${name} stands in sections, is edited as a short one, and saved without them`, async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ content: `<p>до</p>${list(1, LINES)}` })
    await page.goto(`/notes/${id}/edit`)
    await expect(editorOf(page)).toContainText('строка 300')
    const sections = editorOf(page).locator(':is(ul, ol) > div')
    await expect(sections).toHaveCount(Math.ceil(LINES / 40))
    // Markers stand before the items, and all items equally far from each other.
    const [first, ...others] = await editorOf(page)
      .locator('li')
      .evaluateAll((items) =>
        items
          .slice(35, 45)
          .map(
            (item, at, all) =>
              item.getBoundingClientRect().top - (all[at - 1]?.getBoundingClientRect().top ?? 0),
          ),
      )
    expect(first).toBeDefined()
    expect(Math.max(...others) - Math.min(...others)).toBeLessThan(1)
    const room = await sections.first().evaluate((section) => {
      const item = section.querySelector('li')?.getBoundingClientRect().left ?? Number.NaN
      return item - section.getBoundingClientRect().left
    })
    expect(room).toBeGreaterThan(30)

    await editorOf(page).click({ position: { x: 40, y: 24 } })
    await page.keyboard.press('Control+End')
    await expect.poll(() => caret(page)).toEqual({ line: 'строка 300', isInSight: true })
    await page.keyboard.press('Control+Home')
    await expect.poll(() => caret(page)).toEqual({ line: 'до', isInSight: true })
    await editorOf(page).getByText('строка 150', { exact: true }).click()
    await page.keyboard.press('End')
    await nextPaint(page)
    await page.keyboard.press('Enter')
    await page.keyboard.type('new')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => caret(page)).toEqual({ line: 'строка 149', isInSight: true })
    // The next key may come before the editor has heard where these moved the cursor, faster than any person's.
    await nextPaint(page)
    await page.keyboard.press('Tab')
    const saving = page.waitForRequest((request) => request.method() === 'PUT')
    await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
    const saved: string = (await saving).postDataJSON().content
    const beginning = list(1, 147).slice(0, -close.length)
    const changed =
      `${item}<p>строка 148</p>${open}${item}<p>строка 149</p></li>${close}</li>` +
      `${item}<p>строка 150</p>${open}${item}<p>new</p></li>${close}</li>`
    const at = `<p>до</p>${beginning}`.length
    expect(saved.slice(at, at + changed.length)).toBe(changed)
    expect(saved.length).toBe(at + changed.length + list(151, LINES).length - open.length)
    expect(saved).not.toContain('<div')
  })

  if (name === 'numbered list') continue
  test(`a long ${name} becomes one with numbers, and is pasted in sections`, async ({
    signedIn: page,
    account,
  }) => {
    const { id } = await account.addNote({ content: '<p>начало</p>' })
    await page.goto(`/notes/${id}/edit`)
    await expect(editorOf(page)).toHaveText('начало')
    await editorOf(page).click()
    await page.keyboard.press('Control+a')
    await editorOf(page).evaluate(
      (editor, html) => {
        const data = new DataTransfer()
        data.setData('text/html', html)
        editor.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      },
      list(1, LINES),
    )
    await expect(editorOf(page)).toContainText('строка 300')
    expect(await editorOf(page).locator('ul > div').count()).toBeGreaterThanOrEqual(LINES / 40)
    await page.keyboard.press('Control+Home')
    await nextPaint(page)
    await page.getByRole('button', { name: 'Нумерованный список', exact: true }).click()
    await expect(editorOf(page).locator('ol li')).toHaveCount(LINES)
    await expectNumbers(page, 1, LINES)
  })
}

test('the items of a long numbered list have their numbers, also once some are added, moved and taken out', async ({
  signedIn: page,
  account,
}) => {
  const items = Array.from({ length: LINES }, (_, at) => `<li><p>строка ${at + 1}</p></li>`).join('')
  const { id } = await account.addNote({ content: `<p>до</p><ol start="5">${items}</ol>` })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await expectNumbers(page, 5, LINES)
  for (const line of ['строка 10', 'строка 150', 'строка 160']) {
    await editorOf(page).getByText(line, { exact: true }).click()
    await page.keyboard.press('End')
    await nextPaint(page)
    await page.keyboard.press('Enter')
    await page.keyboard.type('new')
  }
  await expectNumbers(page, 5, LINES + 3)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  await expect(editorOf(page).locator('li')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expectNumbers(page, 5, LINES + 3)
  const line = editorOf(page).getByText('строка 41', { exact: true })
  // Sections that come into sight move what is below them.
  await line.scrollIntoViewIfNeeded()
  await nextPaint(page)
  await line.click()
  await page.keyboard.press('End')
  await nextPaint(page)
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Backspace')
  await expectNumbers(page, 5, LINES + 2)
})

test('a long list that counts down, or from what is no number, has the numbers of a short one', async ({
  signedIn: page,
  account,
}) => {
  const items = Array.from({ length: LINES }, (_, at) => `<li><p>строка ${at + 1}</p></li>`).join('')
  const { id } = await account.addNote({ content: `<ol reversed>${items}</ol>` })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await expectNumbers(page, LINES, LINES, -1)
  const other = await account.addNote({ content: `<ol start="">${items}</ol>` })
  await page.goto(`/notes/${other.id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await expectNumbers(page, 1, LINES)
})

test('between two tables of a long note a paragraph is typed', async ({ signedIn: page, account }) => {
  const table = (text: string) => `<table><tbody><tr><td><p>${text}</p></td></tr></tbody></table>`
  const { id } = await account.addNote({ content: table('один') + table('два') + content })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('один', { exact: true }).click()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await nextPaint(page)
  // Letters that Playwright has keys for: it inserts others without.
  await page.keyboard.type('between')
  await expect(editorOf(page).getByText('between', { exact: true })).toBeVisible()
  await expect(editorOf(page).locator('p > div')).toHaveCount(0)
})

test('a picture at the beginning of a section shows all of its outline', async ({
  signedIn: page,
  account,
}) => {
  const picture = `<p><img src="data:image/png;base64,${png(40, 30).toString('base64')}" alt="точка"></p>`
  const { id } = await account.addNote({ content: picture + content })
  await page.goto(`/notes/${id}/edit`)
  const image = editorOf(page).getByRole('img', { name: 'точка' })
  await image.click()
  // A section clips what sticks out of it.
  const roomAboveOutline = () =>
    image.evaluate((img) => {
      let outlined: Element | null = img
      while (outlined && getComputedStyle(outlined).outlineStyle === 'none') outlined = outlined.parentElement
      if (!outlined?.closest('[role=textbox] *')) return 'no outline'
      const { outlineWidth, outlineOffset } = getComputedStyle(outlined)
      const outline = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
      const section = outlined.closest('[role=textbox] > *')?.getBoundingClientRect().top ?? Number.NaN
      return outlined.getBoundingClientRect().top - outline - section
    })
  await expect.poll(roomAboveOutline).not.toBe('no outline')
  expect(await roomAboveOutline()).toBeGreaterThanOrEqual(0)
})

test('a long text that is pasted stands in sections, and is undone at once', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: '<p>начало</p>' })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toHaveText('начало')
  await editorOf(page).click()
  await page.keyboard.press('Control+End')
  await editorOf(page).evaluate((editor, html) => {
    const data = new DataTransfer()
    data.setData('text/html', html)
    editor.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  }, content)
  await expect(editorOf(page)).toContainText('строка 300')
  expect(await editorOf(page).locator('> div').count()).toBeGreaterThanOrEqual(LINES / 40)
  await page.keyboard.press('Control+z')
  await expect(editorOf(page)).toHaveText('начало')
})

test('code of a long note has its colours once it is in sight', async ({ signedIn: page, account }) => {
  const code = '<pre><code class="language-js">let a</code></pre>'
  const { id } = await account.addNote({ content: `${code}${content}${code}` })
  await page.goto(`/notes/${id}/edit`)
  const coloured = editorOf(page).locator('pre span')
  await expect(coloured).toHaveText(['let'])
  await editorOf(page).evaluate((editor) => editor.scrollTo(0, editor.scrollHeight))
  await expect(editorOf(page).locator('pre').last().locator('span')).toHaveText('let')
  // What has gone out of sight costs nothing with each key.
  await expect(coloured).toHaveCount(1)
})

test('a text that is opened is no step to undo, and an address in it stays text', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({ content: `${content}<p>https://example.org/ и так</p>` })
  await page.goto(`/notes/${id}/edit`)
  await expect(editorOf(page)).toContainText('строка 300')
  await expect(page.getByRole('button', { name: 'Отменить правку' })).toBeDisabled()
  await editorOf(page).focus()
  await page.keyboard.press('Control+z')
  await page.keyboard.type('first ')
  await expect(editorOf(page).locator('p').first()).toHaveText('first строка 1')
  await expect(editorOf(page)).toContainText('строка 300')
  await expect(editorOf(page).locator('a')).toHaveCount(0)
})

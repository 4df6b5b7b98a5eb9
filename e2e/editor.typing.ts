import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { png } from './picture-files.ts'

/** Characters of HTML in the long notes. */
const LENGTH = 400_000
const KEYS = 120

const SENTENCE = 'Съешь ещё этих мягких французских булок, да выпей чаю. '
const times = (part: string, length = LENGTH): string => part.repeat(Math.floor(length / part.length))
const paragraph = (sentences: number): string => `<p>${SENTENCE.repeat(sentences)}</p>`

/** A picture of its own colour, which becomes a file when the note is saved. */
const picture = (number: number): string => {
  const bytes = png(400, 300, [number, 120, 200])
  return `<p><img src="data:image/png;base64,${bytes.toString('base64')}" alt="${number}"></p>`
}

const tableOf = (bytes?: number): string =>
  `<table><tbody>${times('<tr><td><p>строка</p></td><td><p>число</p></td><td><p>слово</p></td></tr>', bytes)}</tbody></table>`

const NOTES: Record<string, string> = {
  empty: '<p>Начало</p>',
  'paragraphs, 45 KB': times(paragraph(8), 45_000),
  paragraphs: times(paragraph(8)),
  'short lines': times(paragraph(1)),
  mixed: times(
    `<h2>Глава</h2>${paragraph(6)}<ul><li><p>раз</p></li><li><p>два</p></li></ul>` +
      '<ul data-type="taskList"><li data-checked="false"><p>дело</p></li></ul>' +
      '<table><thead><tr><th><p>а</p></th><th><p>б</p></th></tr></thead><tbody><tr><td><p>1</p></td><td><p>2</p></td></tr></tbody></table>' +
      '<pre><code class="language-js">const a = (b) =&gt; b + 1</code></pre><blockquote><p>цитата</p></blockquote>',
  ),
  '100 pictures': Array.from({ length: 100 }, (_, number) => paragraph(8).repeat(6) + picture(number)).join(
    '',
  ),
  'one list': `<ul>${times(`<li>${paragraph(2)}</li>`)}</ul>`,
  'one checklist': `<ul data-type="taskList">${times(`<li data-checked="false">${paragraph(1)}</li>`)}</ul>`,
  'one numbered list': `<ol>${times(`<li>${paragraph(2)}</li>`)}</ol>`,
  'checklist in an item': `<ul><li><p>Дела</p><ul data-type="taskList">${times(`<li data-checked="false">${paragraph(1)}</li>`)}</ul></li></ul>`,
  'one table, 40 KB': tableOf(40_000),
  'one table': tableOf(),
  'one paragraph of lines': `<p>${times(`${SENTENCE}<br />`)}</p>`,
  'one paragraph': `<p>${times(SENTENCE)}</p>`,
  'code, 20 KB': `<pre><code class="language-js">${times('const a = (b) =&gt; b + 1 // text\n', 20_000)}</code></pre>`,
  'code, 200 KB': `<pre><code class="language-js">${times('const a = (b) =&gt; b + 1 // text\n', 200_000)}</code></pre>`,
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? 0

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Содержание' })

/** Types in the middle of the text; milliseconds from each key to the end of the frame that shows it, sorted. */
async function typed(page: Page): Promise<number[]> {
  await editorOf(page).evaluate((root) => {
    const texts = [...root.querySelectorAll('p, code, li')].filter(({ textContent }) => textContent !== '')
    const middle = texts[Math.floor(texts.length / 2)]
    const walker = document.createTreeWalker(middle ?? root, NodeFilter.SHOW_TEXT)
    const nodes: Node[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode)
    const node = nodes[Math.floor(nodes.length / 2)]
    if (!(root instanceof HTMLElement) || !node) return
    root.focus()
    getSelection()?.setPosition(node, Math.floor((node.nodeValue ?? '').length / 2))
    node.parentElement?.scrollIntoView({ block: 'center' })
  })
  await page.waitForTimeout(1_500)
  const kept = await page.evaluateHandle(() => {
    const taken: number[] = []
    document.addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => taken.push(performance.now() - timeStamp)
          port2.postMessage('')
        }),
      { capture: true },
    )
    return taken
  })
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press('abcde '[key % 6] ?? 'a')
    // Not in step with the frames.
    await page.waitForTimeout(45 + ((key * 7) % 31))
  }
  await page.waitForTimeout(500)
  const taken = await kept.jsonValue()
  expect(taken).toHaveLength(KEYS)
  return taken.toSorted((one, other) => one - other)
}

/** The median of the same HTML in an element that the browser alone edits, without sections. */
async function bare(page: Page, content: string): Promise<number> {
  await page.route('**/bare', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<style>div { width: 500px; height: 560px; overflow-y: auto; white-space: break-spaces }</style>
        <div contenteditable role="textbox" aria-label="Содержание">${content}</div>`,
    }),
  )
  await page.goto('/bare')
  const median = at(await typed(page), 0.5)
  await page.unroute('**/bare')
  return median
}

test('keys to paint', async ({ signedIn: page, account }) => {
  const wanted = new RegExp(process.env.NOTES ?? '')
  process.stdout.write(
    `\n${'ms from key to paint'.padEnd(24)}    median       95%  to empty      bare   to bare\n`,
  )
  let base = 0
  for (const [name, content] of Object.entries(NOTES)) {
    if (name !== 'empty' && !wanted.test(name)) continue
    const { id } = await account.addNote({ title: name, content })
    await page.goto(`/notes/${id}/edit`)
    await expect(editorOf(page)).not.toBeEmpty()
    const sorted = await typed(page)
    const median = at(sorted, 0.5)
    base ||= median
    const bareMedian = await bare(page, content)
    const cells = [median, at(sorted, 0.95), median / base, bareMedian, median / bareMedian].map((cell) =>
      cell.toFixed(1),
    )
    process.stdout.write(`${name.padEnd(24)}${cells.map((cell) => cell.padStart(10)).join('')}\n`)
  }
})

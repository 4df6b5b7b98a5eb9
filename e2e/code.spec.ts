import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, nextPaint, test } from './fixtures.ts'

const languageOf = (page: Page) => page.getByRole('combobox', { name: 'Язык кода' })
/** What is coloured in the page's code. */
const coloured = (page: Page) => page.locator('pre code span')

async function save(page: Page, method: 'POST' | 'PUT'): Promise<{ id: string; content: string }> {
  const saving = page.waitForResponse(
    (response) => response.url().includes('/api/v1/notes/') && response.request().method() === method,
  )
  await page.getByRole('button', { name: 'Сохранить' }).click()
  return (await saving).json()
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`code has a language and colours, ${colorScheme}`, async ({ signedIn: page }) => {
    test.slow()
    await page.emulateMedia({ colorScheme })
    const loaded: string[] = []
    page.on('request', (request) => {
      if (/code-highlighting.*\.js/.test(request.url())) loaded.push(request.url())
    })
    await page.goto('/notes/add')
    await page.getByLabel('Название').fill('Код')
    await editorOf(page).click()
    await page.keyboard.type('Вот:\n```c++\nif (a < 1) return "да"; // и всё')
    await expect(languageOf(page)).toHaveValue('cpp')
    await expect(coloured(page).filter({ hasText: 'return' })).toBeVisible()
    await languageOf(page).focus()
    await languageOf(page).selectOption('Python')
    await expect(editorOf(page)).toBeFocused()
    await expect(coloured(page).filter({ hasText: 'if' })).toBeVisible()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await paste(page, { 'text/plain': '- [ ] **не список**\n# и не заголовок' })
    await expectAccessible(page)
    const { id, content } = await save(page, 'POST')
    expect(content).toBe(
      '<p>Вот:</p><pre><code class="language-python">if (a &lt; 1) return "да"; // и всё\n' +
        '  - [ ] **не список**\n# и не заголовок</code></pre>',
    )
    expect(loaded).toHaveLength(1)

    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/notes/${id}`)
    await expect(coloured(page).filter({ hasText: 'return' })).toBeVisible()
    // The language, as the menu of the editor writes it.
    await expect(page.locator('pre')).toHaveAttribute('data-label', 'Python')
    await expect(page.locator('pre')).toHaveText(
      'if (a < 1) return "да"; // и всё\n  - [ ] **не список**\n# и не заголовок',
    )
    await expectAccessible(page)
    await expectNoSidewaysScroll(page)
    await page.goto(`/notes/${id}/edit`)
    await expect(languageOf(page)).toHaveValue('python')
    await languageOf(page).focus()
    await languageOf(page).selectOption('Без языка')
    await expect(coloured(page)).toHaveCount(0)
    await expectNoSidewaysScroll(page)
    expect((await save(page, 'PUT')).content).toContain('<pre><code>if')
  })

test('without code nothing that highlights is loaded, and code too long stays plain', async ({
  signedIn: page,
  account,
}) => {
  const loaded: string[] = []
  page.on('request', (request) => {
    if (/code-highlighting/.test(request.url())) loaded.push(request.url())
  })
  const plain = await account.addNote({ content: '<p>Текст</p><pre><code>const a = 1</code></pre>' })
  await page.goto(`/notes/${plain.id}`)
  await expect(page.getByText('const a = 1')).toBeVisible()
  await page.goto(`/notes/${plain.id}/edit`)
  await editorOf(page).getByText('Текст').click()
  await page.keyboard.type('!')
  await expect(languageOf(page)).toHaveValue('')
  expect(loaded).toEqual([])

  const code = 'const a = 1\n'.repeat(17_000)
  const { id } = await account.addNote({
    content: `<pre><code class="language-js">${code}</code></pre><pre><code class="language-js">let b</code></pre>`,
  })
  await page.goto(`/notes/${id}`)
  await expect(coloured(page)).toHaveText(['let'])
  await page.goto(`/notes/${id}/edit`)
  await expect(coloured(page)).toHaveText(['let'])
  await editorOf(page).getByText('let b').click()
  await page.keyboard.press('End')
  await page.keyboard.type('= 2')
  await expect(coloured(page)).toHaveText(['let', '2'])
})

const SHIKI =
  '<meta charset="utf-8"><pre class="shiki" tabindex="0"><code class="language-ts"><span class="line"><span style="color:#D73A49">let</span> a</span>\n<span class="line">a++</span></code></pre>'
const GITHUB =
  '<meta charset="utf-8"><div class="highlight highlight-source-shell notranslate position-relative overflow-auto" dir="auto"><pre><span class="pl-k">if</span> <span class="pl-c1">true</span>\n<span class="pl-k">fi</span></pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy"><svg></svg></clipboard-copy></div></div>'
const CHATGPT =
  '<pre class="overflow-visible!"><div class="contain-inline-size rounded-2xl"><div class="flex items-center">python</div><div class="sticky"><button>Copy code</button></div><div class="overflow-y-auto p-4" dir="ltr"><code class="whitespace-pre! language-python"><span><span class="hljs-keyword">if</span> a:\n</span><span>    b()\n</span></code></div></div></pre>'
const STACK_OVERFLOW =
  '<pre class="lang-cs s-code-block"><code class="hljs language-csharp"><span class="hljs-keyword">var</span> a;\n</code></pre>'
const JETBRAINS =
  '<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#2b2b2b;color:#a9b7c6"><span style="color:#cc7832">val </span>a<br>a()</pre></body></html>'
const VS_CODE = {
  'text/html':
    '<div style="color: #d4d4d4;font-family: Consolas;white-space: pre;"><div><span style="color: #569cd6;">let</span><span> a</span></div></div>',
  'text/plain': 'let a',
  'vscode-editor-data':
    '{"version":1,"isFromEmptySelection":false,"multicursorText":null,"mode":"typescript"}',
}

const PASTED: Record<string, readonly [Record<string, string>, string]> = {
  Shiki: [{ 'text/html': SHIKI }, '<pre><code class="language-ts">let a\na++</code></pre>'],
  GitHub: [{ 'text/html': GITHUB }, '<pre><code class="language-shell">if true\nfi</code></pre>'],
  ChatGPT: [{ 'text/html': CHATGPT }, '<pre><code class="language-python">if a:\n    b()</code></pre>'],
  'Stack Overflow': [
    { 'text/html': STACK_OVERFLOW },
    '<pre><code class="language-csharp">var a;</code></pre>',
  ],
  JetBrains: [{ 'text/html': JETBRAINS }, '<pre><code>val a\na()</code></pre>'],
  'VS Code': [VS_CODE, '<pre><code class="language-typescript">let a</code></pre>'],
  Markdown: [{ 'text/plain': '```js\nlet a\n```' }, '<pre><code class="language-js">let a</code></pre>'],
}

test('Tab indents all of a note that is code', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Код')
  await editorOf(page).click()
  await page.keyboard.type('```\nраз\nдва')
  await page.keyboard.press('ControlOrMeta+A')
  await nextPaint(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(editorOf(page)).toBeFocused()
  expect((await save(page, 'POST')).content).toBe('<pre><code>  раз\n  два</code></pre>')
})

test('Tab leaves code alone beside which a rule is selected', async ({ signedIn: page, account }) => {
  const { id } = await account.addNote({
    content: '<pre><code>раз</code></pre><hr><pre><code>два</code></pre>',
  })
  await page.goto(`/notes/${id}/edit`)
  const editor = editorOf(page)
  await editor.getByRole('separator').click()
  await expect(editor.locator('hr.ProseMirror-selectednode')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(editor).not.toBeFocused()
  await expect(editor.locator('code')).toHaveText(['раз', 'два'], { useInnerText: true })
})

test('selected lines become one block of code, and lines of text again', async ({
  signedIn: page,
  account,
}) => {
  const lists =
    '<ul><li><p>три</p><ol><li><p>четыре</p></li></ol></li></ul>' +
    '<ul data-type="taskList"><li data-checked="true"><p>пять</p></li></ul>'
  const { id } = await account.addNote({
    content: `<h2>ноль</h2><p>раз<br>два</p>${lists}<pre><code>шесть</code></pre><p>семь</p>`,
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+A')
  await nextPaint(page)
  const button = page.getByRole('button', { name: 'Блок кода' })
  await button.click()
  await expect(editorOf(page).locator('pre')).toHaveText('ноль\nраз\nдва\nтри\nчетыре\nпять\nшесть\nсемь')
  await button.click()
  await expect(editorOf(page).locator('pre')).toHaveCount(0)
  await button.click()
  expect((await save(page, 'PUT')).content).toBe(
    '<pre><code>ноль\nраз\nдва\nтри\nчетыре\nпять\nшесть\nсемь</code></pre>',
  )
})

test('the text that is selected stays selected where it becomes one block of code, each run of blocks one', async ({
  signedIn: page,
  account,
}) => {
  const { id } = await account.addNote({
    content: '<p>раз</p><p></p><pre><code>два</code></pre><hr><p>три</p><h2>четыре</h2><p>пять</p>',
  })
  await page.goto(`/notes/${id}/edit`)
  await editorOf(page).getByText('раз').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await editorOf(page)
    .getByText('четыре')
    .evaluate((heading) => getSelection()?.extend(heading.firstChild ?? heading, 2))
  await nextPaint(page)
  await page.getByRole('button', { name: 'Блок кода' }).click()
  await expect(editorOf(page).locator('pre')).toHaveText(['раз\n\nдва', 'три\nчетыре'], {
    useInnerText: true,
  })
  expect(await page.evaluate(() => getSelection()?.toString().replace(/\s+/g, ' '))).toBe('аз два три че')
  await page.keyboard.press('Control+Z')
  await expect(editorOf(page).locator('pre')).toHaveText(['два'], { useInnerText: true })
})

test('code pasted from other programs keeps its lines and its language', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  await editorOf(page).click()
  for (const [program, [formats]] of Object.entries(PASTED)) {
    await page.keyboard.type(`${program}\n`)
    await paste(page, formats)
    await expect(editorOf(page).locator('pre')).toHaveCount(Object.keys(PASTED).indexOf(program) + 1)
    await page.keyboard.press('Control+End')
    await page.keyboard.press('ArrowDown')
  }
  const { content } = await save(page, 'POST')
  expect(content).toBe(
    `${Object.entries(PASTED)
      .map(([program, [, html]]) => `<p>${program}</p>${html}`)
      .join('')}<p></p>`,
  )
})

import { editorOf, paste } from './editor-page.ts'
import { abortLazyAssets, expect, message, nextPaint, test } from './fixtures.ts'

const MARKDOWN = `# Поездка

Взять **билеты** и *паспорт*,
потом [проверить](https://example.org/trains).

- [ ] палатка
- [x] спички

1. раз
2. два
   - внутри

> цитата

| День | Куда |
|------|------|
| 1    | горы |

\`\`\`js
const a = 1 < 2
\`\`\`
<script>alert(1)</script> List<String>`

const HTML =
  '<h1>Поездка</h1><p>Взять <strong>билеты</strong> и <em>паспорт</em>,<br />потом ' +
  '<a target="_blank" rel="noopener noreferrer nofollow" href="https://example.org/trains">проверить</a>.</p>' +
  '<ul data-type="taskList"><li data-checked="false"><p>палатка</p></li><li data-checked="true"><p>спички</p></li></ul>' +
  '<ol><li><p>раз</p></li><li><p>два</p><ul><li><p>внутри</p></li></ul></li></ol><blockquote><p>цитата</p></blockquote>' +
  '<table><thead><tr><th><p>День</p></th><th><p>Куда</p></th></tr></thead><tbody><tr><td><p>1</p></td><td><p>горы</p></td></tr></tbody></table>' +
  '<pre><code class="language-js">const a = 1 &lt; 2</code></pre><p>&lt;script&gt;alert(1)&lt;/script&gt; List&lt;String&gt;</p>'

test('pasted Markdown is formatting, and copied as Markdown it is the same again', async ({
  signedIn: page,
  context,
  hold,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('План_1')
  // Pressed rather than focused: just after it shows the editor may be put up again.
  await editorOf(page).click()
  await paste(page, { 'text/plain': MARKDOWN })
  await expect(editorOf(page).getByRole('heading', { name: 'Поездка' })).toBeVisible()
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const { id, content } = await (await saving).json()
  expect(content).toBe(HTML)

  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Ещё' }).first().click()
  const copying = page.getByRole('menuitem', { name: 'Скопировать как Markdown' })
  await expect(copying).toBeVisible()
  const written = await page.evaluateHandle(() => {
    const { clipboard } = navigator
    const write = clipboard.write.bind(clipboard)
    const written: string[][] = []
    clipboard.write = (items) => {
      written.push(items.flatMap(({ types }) => types))
      return write(items)
    }
    return written
  })
  const held = await hold('**/assets/**')
  await copying.click()
  await held.requested
  // Within the press, as Safari needs it: what makes the text has not loaded yet.
  expect(await written.jsonValue()).toEqual([['text/plain']])
  await held.release()
  await expect(message(page, 'Markdown скопирован.')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(
    copied
      .split('\n')
      .map((line) => line.trimEnd())
      .filter(Boolean),
  ).toEqual([
    '# План\\_1',
    '# Поездка',
    'Взять **билеты** и *паспорт*,',
    'потом [проверить](https://example.org/trains).',
    '-   [ ] палатка',
    '-   [x] спички',
    '1.  раз',
    '2.  два',
    '    -   внутри',
    '> цитата',
    '| День | Куда |',
    '| --- | --- |',
    '| 1 | горы |',
    '```js',
    'const a = 1 < 2',
    '```',
    '\\<script>alert(1)\\</script> List\\<String>',
  ])
})

test('the longest note is copied as Markdown to its end', async ({ signedIn: page, account, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const block = (number: number) => `<p>${'слово '.repeat(50)}<strong>${number}</strong></p>`
  const { id } = await account.addNote({
    title: 'Длинная',
    content: `до <em>блоков</em> ${Array.from({ length: 1_000 }, (_, number) => block(number)).join('')}<ul><li>конец</li></ul>`,
  })
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Ещё' }).first().click()
  await page.getByRole('menuitem', { name: 'Скопировать как Markdown' }).click()
  await expect(message(page, 'Markdown скопирован.')).toBeVisible()
  const blocks = (await page.evaluate(() => navigator.clipboard.readText())).split('\n\n')
  expect(blocks.slice(0, 2)).toEqual(['# Длинная', 'до *блоков*'])
  expect(blocks.slice(2, -1).map((text) => text.slice(-8).replace(/^.*\*\*(\d+)\*\*$/, '$1'))).toEqual(
    Array.from({ length: 1_000 }, (_, number) => String(number)),
  )
  expect(blocks.at(-1)).toBe('-   конец')
})

test('neighbouring lists and bare addresses that are copied as Markdown and pasted are the same', async ({
  signedIn: page,
  account,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const content =
    '<ul><li><p>пункт</p></li></ul><ul data-type="taskList"><li data-checked="true"><p>да</p></li></ul>' +
    '<ul><li><p>ещё</p></li></ul><ol><li><p>раз</p></li></ol><ol><li><p>два</p></li></ol>'
  const { id } = await account.addNote({ title: 'План', content: `<p>https://ya.ru/x_y*z</p>${content}` })
  await page.goto(`/notes/${id}`)
  await page.getByRole('button', { name: 'Ещё' }).first().click()
  await page.getByRole('menuitem', { name: 'Скопировать как Markdown' }).click()
  await expect(message(page, 'Markdown скопирован.')).toBeVisible()
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Копия')
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+V')
  await expect(editorOf(page).getByRole('checkbox', { name: 'да' })).toBeChecked()
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<h1>План</h1><p><a target="_blank" rel="noopener noreferrer nofollow" href="https://ya.ru/x_y*z">https://ya.ru/x_y*z</a></p>' +
      content,
  )
})

test('Markdown pasted as plain text, or where what reads it does not load, stays text', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  expectedInConsole.push(/ERR_FAILED/)
  await page.goto('/notes/add')
  await editorOf(page).click()
  const both = { 'text/plain': '**раз** и `два`', 'text/html': '<p><b>раз</b> и <code>два</code></p>' }
  await paste(page, both, 'Control+Shift+V')
  await expect(editorOf(page)).toHaveText('**раз** и `два`')
  await page.keyboard.press('Enter')
  await abortLazyAssets(page)
  const failed = page.waitForEvent('requestfailed')
  await paste(page, { 'text/plain': '**три** и `четыре`' })
  await failed
  await expect(editorOf(page)).toHaveText('**раз** и `два`**три** и `четыре`')
})

test('numbered lines that are pasted are a list only where Markdown is read', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Числа')
  await editorOf(page).click()
  const add = async (text: string, keys?: string) => {
    await paste(page, { 'text/plain': text }, keys)
    await expect(editorOf(page)).toContainText(text.replace(/^.*(?:\n|\. )/s, ''))
    await page.keyboard.press('Enter')
  }
  await add('1. один', 'Control+Shift+V')
  await add('5. Пункт\n6. Второй', 'Control+Shift+V')
  await add('1941. Началась война')
  await page.keyboard.type('Версия ')
  await add('2. 5')
  await page.keyboard.type('два')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('два')
  await nextPaint(page)
  await add('2. замена')
  await page.keyboard.type('## ')
  await add('3. Заголовок')
  await add('1. раз\n2. два')
  await page.keyboard.type('\n```\n')
  await add('1. build\n2. run')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Таблица' }).click()
  await paste(page, { 'text/plain': '4. ячейка' })
  await expect(editorOf(page).getByText('4. ячейка')).toBeVisible()
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const { content } = await (await saving).json()
  expect(content).toContain(
    '<p>1. один</p><p>5. Пункт</p><p>6. Второй</p><p>1941. Началась война</p><p>Версия 2. 5</p><p>2. замена</p>' +
      '<h2>3. Заголовок</h2><ol><li><p>раз</p></li><li><p>два</p></li></ol><pre><code>1. build\n2. run</code></pre>',
  )
  expect(content).toContain('<p>4. ячейка</p>')
})

test('a plain text that is pasted keeps its lines and its empty lines', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Стихи')
  await editorOf(page).click()
  await paste(page, { 'text/plain': 'Раз\r\nдва\r\n\r\nтри\r\nчетыре\r\n' }, 'Control+Shift+V')
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': 'пять\n\n\nшесть' })
  await page.keyboard.press('Enter')
  await paste(page, { 'text/plain': 'семь\nвосемь' })
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<p>Раз<br />два</p><p>три<br />четыре</p><p>пять</p><p><br />шесть</p><p>семь</p><p>восемь</p>',
  )
})

test('Markdown comes where it was pasted, and is saved with the text, however late what reads it loads', async ({
  signedIn: page,
  hold,
}) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Медленно')
  await editorOf(page).click()
  await page.keyboard.type('один два')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe('два')
  // The editor hears of it later than the page.
  await nextPaint(page)
  const held = await hold('**/assets/**')
  await paste(page, { 'text/plain': '**три** и `четыре`' })
  await held.requested
  await paste(page, { 'text/plain': ' **и** `ещё`' })
  await page.keyboard.type(' пять')
  await expect(editorOf(page)).toHaveText('один два пять')
  await expect(page.getByRole('switch', { name: 'Показать HTML' })).toBeDisabled()
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  await expect(page.getByText('Сохраним, как только всё загрузится.')).toBeVisible()
  await held.release()
  expect((await (await saving).json()).content).toBe(
    '<p>один <strong>три</strong> и <code>четыре</code><strong>и</strong> <code>ещё</code> пять</p>',
  )
})

test('a link of Markdown becomes one while it is typed', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Ссылки')
  await editorOf(page).click()
  await page.keyboard.type(
    'см. [наш сайт](https://example.org/a) и массив[0](1), [и](нет), `[a](https://example.org/)`',
  )
  await page.keyboard.type(', [**вот** _она_](https://example.org/b), [')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('тут')
  await page.keyboard.press('Control+B')
  await page.keyboard.type('](https://example.org/c)!')
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  const { content } = await (await saving).json()
  expect(content.replaceAll('target="_blank" rel="noopener noreferrer nofollow" ', '')).toBe(
    '<p>см. <a href="https://example.org/a">наш сайт</a> и массив[0](1), [и](нет), <code>[a](https://example.org/)</code>, ' +
      '<a href="https://example.org/b"><strong>вот</strong> <em>она</em></a>, ' +
      '<a href="https://example.org/c"><strong>тут</strong></a>!</p>',
  )
})

test('a typed address is a link, whatever ends the sentence or stands around it', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await page.keyboard.type(
    'https://example.org/a, (https://example.org/b/) «https://example.org/c?d=e». ' +
      'https://example.org/f_(g). https://example.org/h!? `https://example.org/i.` https://example.org/j. k',
  )
  const link = (path: string) => `https://example.org/${path}`
  const addresses = ['a', 'b/', 'c?d=e', 'f_(g)', 'h', 'j'].map(link)
  await expect(editorOf(page).locator('a')).toHaveText(addresses)
  expect(
    await editorOf(page)
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(addresses)
  await expect(editorOf(page)).toHaveText(
    'https://example.org/a, (https://example.org/b/) «https://example.org/c?d=e». ' +
      'https://example.org/f_(g). https://example.org/h!? https://example.org/i. https://example.org/j. k',
  )
})

test('a number with a bracket begins a list, as one with a period', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await page.keyboard.type('3) три')
  await page.keyboard.press('Enter')
  await page.keyboard.type('четыре')
  await expect(editorOf(page).locator('ol[start="3"] > li')).toHaveText(['три', 'четыре'])
})

test('typed signs format the words between them, also in brackets and quotes, and those of arithmetic stay', async ({
  signedIn: page,
}) => {
  await page.goto('/notes/add')
  await editorOf(page).click()
  await page.keyboard.type('2 * 3 * 4, 2 _ 3 _ 4, 2 ** 3 ** 4, ~~ 5 ~~, *.txt и *.doc')
  await page.keyboard.press('Enter')
  await page.keyboard.type('(**раз**), «_два_», ~~три~~, ***четыре***, __пять *и шесть* вместе__ имя_из_слов')
  await expect(editorOf(page).locator('p')).toHaveText([
    '2 * 3 * 4, 2 _ 3 _ 4, 2 ** 3 ** 4, ~~ 5 ~~, *.txt и *.doc',
    '(раз), «два», три, четыре, пять и шесть вместе имя_из_слов',
  ])
  const texts = (name: string) => editorOf(page).locator(name).allTextContents()
  expect(await texts('strong')).toEqual(['раз', 'четыре', 'пять и шесть вместе'])
  expect(await texts('em')).toEqual(['два', 'четыре', 'и шесть'])
  expect(await texts('s')).toEqual(['три'])
})

test('typed signs make headings of three levels, and more of them stay text', async ({ signedIn: page }) => {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Заголовки')
  await editorOf(page).click()
  await page.keyboard.type('# Раз\n## Два\n### Три\n#### Четыре\n##### Пять')
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<h2>Раз</h2><h2>Два</h2><h3>Три</h3><h4>Четыре</h4><p>##### Пять</p>',
  )
})

test('what VS Code copies is formatting or text where it is no code', async ({ signedIn: page }) => {
  const copied = (mode: string, text: string) => ({
    'text/plain': text,
    'text/html': `<div style="color:#ccc"><div><span>${text.replaceAll('\n', '</span></div><div><span>')}</span></div></div>`,
    'vscode-editor-data': JSON.stringify({ version: 1, multicursorText: null, mode, editorType: null }),
  })
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Из редактора')
  await editorOf(page).click()
  await paste(page, copied('markdown', '# План\nкупить *хлеб*'))
  await expect(editorOf(page).getByRole('heading', { name: 'План' })).toBeVisible()
  await page.keyboard.press('Enter')
  await paste(page, copied('plaintext', 'a < b'))
  await page.keyboard.press('Enter')
  await paste(page, copied('typescript', 'a < b'))
  const saving = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Сохранить' }).click()
  expect((await (await saving).json()).content).toBe(
    '<h1>План</h1><p>купить <em>хлеб</em></p><p>a &lt; b</p><pre><code class="language-typescript">a &lt; b</code></pre>',
  )
})

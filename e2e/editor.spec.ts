import { readFileSync } from 'node:fs'
import { ALLOWED_ATTRIBUTES, ALLOWED_TAGS } from '@kopilka/contract/allowed-html.ts'
import type { Page } from '@playwright/test'
import { editorOf, paste } from './editor-page.ts'
import { expect, nextPaint, test } from './fixtures.ts'

/** Saves, and returns the HTML that the editor made and the HTML that was stored. */
async function save(page: Page): Promise<{ id: string; made: string; stored: string }> {
  const saving = page.waitForResponse(
    (response) => response.url().includes('/api/v1/notes/') && response.request().method() !== 'GET',
    { timeout: 30_000 },
  )
  await page.getByRole('button', { name: 'Сохранить', exact: true }).click()
  const response = await saving
  expect(response.ok()).toBe(true)
  // Asked of the server: of a long response on its way to another screen the browser may no longer have the text.
  const token = await page.evaluate(() => localStorage.getItem('access_token'))
  const latest = await page.request.get(new URL('/api/v1/latest/', page.url()).href, {
    headers: { authorization: `Bearer ${token}` },
  })
  const [{ id, content }] = (await latest.json()).notes
  return { id, made: response.request().postDataJSON().content, stored: content }
}

/** HTML as the browser understands it, a block a line; attributes in one order. */
async function understood(page: Page, html: string): Promise<string[]> {
  // The product's page lets no string become HTML.
  const blank = await page.context().newPage()
  const blocks = await blank.evaluate((html) => {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    for (const element of body.querySelectorAll('*')) {
      const attributes = [...element.attributes].toSorted((one, other) => (one.name < other.name ? -1 : 1))
      for (const { name, value } of attributes) {
        element.removeAttribute(name)
        element.setAttribute(name, value)
      }
    }
    return [...body.childNodes].map((node) =>
      node instanceof Element ? node.outerHTML : String(node.nodeValue),
    )
  }, html)
  await blank.close()
  return blocks
}

/** Pastes into a new note, saves, opens and saves once more: every step must leave the HTML as it is. Returns it. */
async function keep(page: Page, html: string): Promise<string[]> {
  await page.goto('/notes/add')
  await page.getByLabel('Название').fill('Вставлено')
  // A click waits until the editor stays in its place.
  await editorOf(page).click()
  await paste(page, { 'text/html': html })
  const { id, made, stored } = await save(page)
  const kept = await understood(page, made)
  expect(await understood(page, stored)).toEqual(kept)

  await page.goto(`/notes/${id}/edit`)
  // The editor takes seconds to draw a thousand pairs of elements, and no button works meanwhile.
  await expect(editorOf(page)).toBeVisible({ timeout: 30_000 })
  await page.getByLabel('Название').fill('Открыто и сохранено', { timeout: 30_000 })
  const again = await save(page)
  expect(await understood(page, again.made)).toEqual(kept)
  return kept
}

const LINK = 'rel="noopener noreferrer nofollow" target="_blank"'

const CLIPBOARDS = {
  'web-page': [
    '<h1>Борщ по-домашнему</h1>',
    '<p>Автор: Анна К.</p>',
    '<p>Суп, который <strong>настаивается ночь</strong>, любят <em>все</em>; про сорта — ' +
      `<a href="https://example.org/beets?a=1&amp;b=2" ${LINK}>отдельная статья</a>.</p>`,
    '<h2>Продукты</h2>',
    '<ul><li><p>свёкла, 2 шт.</p></li><li><p>капуста</p><ul><li><p>белокочанная</p></li></ul></li></ul>',
    '<ol start="3"><li><p>Натрите свёклу.</p></li><li><p>Варите бульон.</p></li></ol>',
    '<blockquote><p>На второй день вкуснее.</p></blockquote>',
    '<pre><code class="language-js">const соль = 1 &lt; 2\n  // по вкусу</code></pre>',
    '<p>Команда <code>варить --долго</code> и <strong>жирный стилем</strong>, <em>курсив стилем</em>, ' +
      '<s>зачёркнутое</s>, H<sub>2</sub>O, м<sup>2</sup>.</p>',
    '<table><thead><tr><th scope="col"><p>Что</p></th><th><p>Сколько</p></th></tr></thead>' +
      '<tbody><tr><td colspan="2"><p>Соль, щепотка</p></td></tr></tbody></table>',
    '<figure><p><img alt="Тарелка борща" height="200" loading="lazy" referrerpolicy="no-referrer" ' +
      'src="https://example.org/borscht.png" width="320"></p><figcaption>Готово</figcaption></figure>',
    '<p>Подписка: Подписаться</p>',
    '<p>Наверх и ещё рецепты.</p>',
  ],
  'google-docs': [
    '<h1>План поездки</h1>',
    '<p>Обычный текст, <strong>жирный</strong><em> и курсив</em><u>, подчёркнутый</u><s>, зачёркнутый</s>, ' +
      '10 м<sup>2</sup></p>',
    '<p><br></p>',
    '<h2>Взять с собой</h2>',
    '<ul><li><p>палатку</p><ul><li><p>колышки</p></li></ul></li></ul>',
    '<ol><li><p>Купить билеты</p></li></ol>',
    `<p>Расписание — <a href="https://example.org/trains" ${LINK}><u>на сайте</u></a>.</p>`,
    '<table><tbody><tr><td><p><strong>День</strong></p></td><td><p>Куда</p></td></tr></tbody></table>',
    '<p><br></p>',
  ],
  word: [
    '<h1>Отчёт за год</h1>',
    '<p>Обычный текст, <strong>жирный</strong>, <em>курсив</em>, <u>подчёркнутый</u>, <s>зачёркнутый</s>, ' +
      '10 м<sup>2</sup>. Прогноз — plan &amp; budget.</p>',
    '<p>&nbsp;</p>',
    '<h2>Итоги</h2>',
    '<ul><li><p>первый пункт</p><ul><li><p>вложенный пункт</p></li></ul></li>' +
      '<li><p>второй <strong>пункт</strong></p></li></ul>',
    '<p>Дальше по порядку:</p>',
    '<ol><li><p>сделать раз</p></li><li><p>сделать два</p></li></ol>',
    `<p>Подробнее <a href="https://example.org/report" ${LINK}>в отчёте</a>.</p>`,
    '<table><tbody><tr><td><p><strong>Доход</strong></p></td><td><p>100</p></td></tr></tbody></table>',
    '<p>Конец.</p>',
  ],
}

for (const [program, expected] of Object.entries(CLIPBOARDS))
  test(`what is pasted from ${program} keeps its text and its formatting, and nothing else`, async ({
    signedIn: page,
    expectedInConsole,
  }) => {
    // The picture is nobody's; Chromium tells of handlers also where it only reads HTML and would run nothing.
    expectedInConsole.push(/Failed to load resource/, /Executing inline event handler violates/)
    await page.route('https://example.org/**', (route) => route.abort())
    const html = readFileSync(new URL(`clipboard/${program}.txt`, import.meta.url), 'utf8')
    expect(await keep(page, html)).toEqual(expected)
  })

const VALUES: Record<string, string> = {
  href: 'https://example.org/?a=1&amp;b=&quot;2&quot;',
  src: 'https://example.org/picture.png',
  title: '007',
  alt: '1.0',
  start: '0',
  colspan: '2',
  scope: 'row',
  'data-type': 'taskList',
  'data-checked': 'true',
  class: 'language-js',
}
const attributesOf = new Map<string, readonly string[]>(Object.entries(ALLOWED_ATTRIBUTES))

function element(tag: string, inside: string): string {
  const attributes = (attributesOf.get(tag) ?? []).map((name) => ` ${name}="${VALUES[name] ?? '1'}"`)
  return `<${tag}${attributes.join('')} id="x" class="y" style="color: red">${inside}</${tag}>`
}

test('whatever the editor makes of any two elements in one another is stored as it is', async ({
  signedIn: page,
  expectedInConsole,
}) => {
  test.slow()
  expectedInConsole.push(/Failed to load resource/)
  await page.route('https://example.org/**', (route) => route.abort())
  const pairs = ALLOWED_TAGS.flatMap((outer) =>
    ALLOWED_TAGS.map((inner) => element(outer, `а &amp;lt; ${element(inner, 'б\u00A0')} в`)),
  )
  const lists = ALLOWED_TAGS.flatMap((tag) => [
    `<ul><li>а ${element(tag, 'б')} в</li></ul>`,
    element(tag, '<ul><li>б</li></ul>'),
  ])
  const kept = await keep(page, [...pairs, ...lists].join(''))
  expect(kept.length).toBeGreaterThan(1000)
})

test.describe('without a content security policy', () => {
  test.use({ bypassCSP: true })

  test('nothing that is pasted runs', async ({ signedIn: page }) => {
    await page.route('https://evil.example/**', (route) => route.abort())
    const ran: string[] = []
    await page.exposeFunction('tell', (what: string) => ran.push(what))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/notes/add')
    await editorOf(page).click()
    await paste(page, {
      'text/html': `<p>Текст</p><img src="data:image/png,x" onerror="tell('img')"><svg onload="tell('svg')"></svg>
      <script>tell('script')</script><iframe srcdoc="<script>parent.tell('iframe')</script>"></iframe>
      <link rel="stylesheet" href="https://evil.example/x.css"><img src="x" onerror="tell('relative')">
      <p style="background: url(https://evil.example/x.png)">Фон</p><a href="javascript:tell('link')">Ссылка</a>`,
    })
    const text = editorOf(page)
    await expect(text).toContainText('Ссылка')
    // The one picture that may stay has failed to load: whoever waits for that has been told.
    await expect
      .poll(() =>
        text
          .locator('img[src]')
          .evaluateAll((images: HTMLImageElement[]) => images.map((image) => image.complete)),
      )
      .toEqual([true])
    expect(ran).toEqual([])
    expect(asked.filter((url) => url.includes('evil.example'))).toEqual([])
    expect(await page.evaluate(() => Reflect.has(window, 'tell'))).toBe(true)
  })
})

test('empty lines and rows of a note are as high as others where it is read', async ({
  signedIn: page,
  account,
}) => {
  const row = (text: string) => `<tr><td><p>${text}</p></td><td><p></p></td></tr>`
  const content = `<p>первая</p><p></p><p>вторая</p><table><tbody>${row('третья')}${row('')}</tbody></table>`
  const { id } = await account.addNote({ content })
  await page.goto(`/notes/${id}`)
  await expect(page.getByText('первая', { exact: true })).toBeVisible()
  const heights = await page
    .getByRole('main')
    .locator('p, tr')
    .evaluateAll((all) =>
      all
        .filter((one) => one.closest('td') === null && /^(?:первая|третья|)$/.test(one.textContent))
        .map((one) => Math.round(one.getBoundingClientRect().height)),
    )
  expect(heights).toEqual([heights[0], heights[0], heights[2], heights[2]])
})

test('what is cut, pasted or dropped right after a key is a step of its own to undo', async ({
  signedIn: page,
}) => {
  // The editor joins changes of half a second into one step: with this clock all come at once.
  await page.clock.setFixedTime(Date.now())
  await page.goto('/notes/add')
  await editorOf(page).click()
  await page.keyboard.type('typed')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+x')
  await expect(editorOf(page)).toHaveText('')
  await page.keyboard.press('Control+z')
  await expect(editorOf(page)).toHaveText('typed')
  await page.keyboard.press('End')
  await nextPaint(page)
  await page.keyboard.type(' again')
  await paste(page, { 'text/plain': ' and pasted' })
  await expect(editorOf(page)).toHaveText('typed again and pasted')
  await page.keyboard.press('Control+z')
  await expect(editorOf(page)).toHaveText('typed again')
  await page.keyboard.press('End')
  await nextPaint(page)
  await page.keyboard.type(', once more')
  await editorOf(page).evaluate((editor) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/plain', 'dropped')
    const { right, top, height } = editor.querySelector('p')?.getBoundingClientRect() ?? new DOMRect()
    const at = { clientX: right - 1, clientY: top + height / 2 }
    editor.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, ...at }))
  })
  await expect(editorOf(page)).toHaveText('typed again, once moredropped')
  await page.keyboard.press('Control+z')
  await expect(editorOf(page)).toHaveText('typed again, once more')
})

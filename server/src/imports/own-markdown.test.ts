import { imports } from '@kopilka/contract/imports.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng } from '../testing/pictures.ts'
import { readFile, runImport } from '../testing/send-file.ts'

const it = test.extend('download', ({ app }) => async ({ auth }: Account) => {
  const address = `${app.address}/api/v1/export/?format=markdown`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${auth.token}` } })
  return new Uint8Array(await reply.arrayBuffer())
})

const TASKS =
  '<ul data-type="taskList"><li data-checked="true"><p>раз</p></li><li data-checked="false"><p>два</p>' +
  '<ul data-type="taskList"><li data-checked="false"><p>три</p></li></ul></li></ul>'
const TABLE =
  '<table><tbody><tr><th><p>Что</p></th><th><p>Сколько</p></th></tr>' +
  '<tr><td><p>соль <strong>и</strong> перец</p></td><td><p>2</p></td></tr></tbody></table>'

/** Contents by titles. */
async function notesOf(app: TestApp, { auth }: Account) {
  const contents = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { count, results } = await app.call(notes.list, { query: { page: String(page) } }, auth)
    for (const { title, content } of results) contents.set(title, content)
    if (contents.size === count) return contents
  }
}

/** The words that a reader sees. */
const wordsOf = (html: string): string[] => htmlToText(html).trim().split(/\s+/)

/** Texts as the editor saves them, by their titles. */
const TEXTS: Record<string, string> = {
  Абзац: '<p>Один <strong>и</strong> <em>ещё</em> <code>код</code></p>',
  Абзацы: '<p>Первый</p><p>Второй</p><p>Третий</p>',
  Переносы: '<p>Первая<br>вторая<br>третья</p><p>Ещё</p>',
  Список: '<ul><li><p>раз</p></li><li><p>два</p></li></ul>',
  Нумерованный: '<p>До</p><ol><li><p>раз</p></li><li><p>два</p></li></ol><p>После</p>',
  'С пятого': '<ol start="5"><li><p>раз</p></li><li><p>два</p></li></ol>',
  Вложенный:
    '<ul><li><p>раз</p><ul><li><p>внутри</p><ol><li><p>глубже</p></li></ol></li></ul></li><li><p>два</p></li></ul>',
  'Абзацы в списке': '<ul><li><p>раз</p><p>ещё раз</p></li><li><p>два</p></li></ul>',
  Заголовки: '<h1>Глава</h1><p>Текст</p><h2>Раздел</h2><h3>Часть</h3><p>Конец</p>',
  Цитата: '<blockquote><p>Первый</p><p>Второй</p></blockquote><p>Автор</p>',
  Код: '<p>До</p><pre><code class="language-js">if (a) {\n\n  b()\n\n\n}</code></pre><p>После</p>',
  'Код без языка': '<pre><code>первая\n\n  третья</code></pre>',
  Таблица: `<p>До</p>${TABLE}<p>После</p>`,
  Задачи: `<p>До</p>${TASKS}`,
  Черта: '<p>До</p><hr><p>После</p>',
  'Пустые абзацы': '<p>Один</p><p></p><p></p><p>Два</p><p></p>',
  'Список из одного': '<p>До</p><ul><li><p>раз</p></li></ul><ol><li><p>два</p></li></ol>',
  'Код в списке': '<ul><li><p>раз</p><pre><code>а\n\n  б</code></pre></li></ul><p>После</p>',
  'Цитата в списке': '<ul><li><p>раз</p><blockquote><p>а</p></blockquote><p>б</p></li></ul>',
  'Перенос в списке': '<ul><li><p>раз<br>два</p></li><li><p>три</p></li></ul>',
  Ссылка: '<p><a href="https://example.org/">Слово</a> и <s>нет</s></p><p>x</p>',
}

it('a zip of Markdown that Копилка wrote brings nothing new to its account', async ({
  app,
  account,
  download,
}) => {
  const { url } = await keepPicture(app, account, largePng(2_000))
  const texts = { ...TEXTS, Снимок: `<p>До</p><p><img src="${url}"></p><p>После</p>` }
  const saved = new Map<string, string>()
  for (const [title, html] of Object.entries(texts)) {
    const { content } = await app.call(notes.create, { body: { title, content: html } }, account.auth)
    saved.set(title, content)
  }
  const file = await download(account)

  const read = await readFile(app, account, file)
  const fresh = await app.call(
    imports.rows,
    { params: { id: read.id }, query: { state: 'new' } },
    account.auth,
  )
  expect(fresh.results.map(({ title }) => title)).toEqual([])
  expect(read.summary).toMatchObject({ new: 0, same: saved.size })
  expect((await runImport(app, account, read.id)).result).toMatchObject({ added: 0, skipped: saved.size })

  const other = await newAccount(app)
  const first = await readFile(app, other, file)
  expect((await runImport(app, other, first.id)).result).toMatchObject({ added: saved.size })
  const shown = await notesOf(app, other)
  for (const [title, html] of saved)
    expect([title, wordsOf(shown.get(title) ?? '')]).toEqual([title, wordsOf(html)])
  expect((await readFile(app, other, await download(account))).summary).toMatchObject({ new: 0 })
})

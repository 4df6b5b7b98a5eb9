import { bulk } from '@kopilka/contract/bulk.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { sql } from 'kysely'
import { describe, expect, vi } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { startPageServer } from '../testing/page-server.ts'
import { readFile, runImport, sendFile, until } from '../testing/send-file.ts'
import { writeZip } from '../testing/write-zip.ts'
import { purgeImports } from './purge.ts'

const DAY = 24 * 60 * 60_000

const BOOKMARKS = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><H3>Чтение</H3>
<DL><p>
<DT><A HREF="https://example.org/one?utm_source=x" ADD_DATE="1500000000" TAGS="раз,два">Первая</A>
<DD>Описание первой
<DT><A HREF="https://example.org/two" ADD_DATE="1500000001">Вторая</A>
</DL><p>
<DT><A HREF="http://www.example.org/one/">Она же</A>
<DT><A HREF="javascript:alert(1)">Опасная</A>
<DT><A HREF="place:sort=8">Служебная</A>
</DL><p>`

const listed = async (app: Parameters<typeof readFile>[0], auth: { token: string }) => {
  const { results } = await app.call(links.list, { query: {} }, auth)
  return results
    .map(({ title, url, tags, created_at }) => ({
      title,
      url,
      tags: tags.map(({ name }) => name),
      created_at,
    }))
    .sort((one, other) => (one.url < other.url ? -1 : 1))
}

describe('a dry run', () => {
  test('knows a file whose first titles have control characters, which the titles lose', async ({
    app,
    account,
  }) => {
    for (const control of ['\0', '\x08', '\x1B[31m']) {
      const read = await readFile(app, account, BOOKMARKS.replace('Первая', `Пер${control}вая`))
      expect(read).toMatchObject({ format: 'netscape', summary: { links: 3 } })
      expect(read.sample[0]?.title).toBe(`Пер${control.slice(1)}вая`)
    }
  })

  test('says what each entry would become and saves nothing', async ({ app, account }) => {
    const read = await readFile(app, account, BOOKMARKS)
    expect(read).toMatchObject({
      ...{ name: 'файл', format: 'netscape', state: 'ready', done: 5, total: 5 },
      summary: { notes: 0, links: 3, tags: 3, new: 2, same: 1, broken: 1, ignored: 1 },
    })
    expect(read.sample).toEqual([
      {
        ...{ kind: 'urllink', title: 'Первая', url: 'https://example.org/one?utm_source=x' },
        ...{ excerpt: 'Описание первой', tags: ['раз', 'два'], created_at: '2017-07-14T02:40:00.000Z' },
      },
      expect.objectContaining({ title: 'Вторая' }),
    ])
    const params = { id: read.id }
    const { count, results } = await app.call(imports.rows, { params, query: {} }, account.auth)
    expect(count).toBe(5)
    expect(results.map(({ state, title, reason }) => [state, title, reason])).toEqual([
      ['new', 'Первая', ''],
      ['new', 'Вторая', ''],
      ['same', 'Она же', 'Повторяется в файле.'],
      ['broken', 'Опасная', expect.stringContaining('программа или данные')],
      ['ignored', 'Служебная', expect.stringContaining('Внутренняя страница')],
    ])
    expect(results[2]?.place).toBe('запись 3')
    const broken = await app.call(imports.rows, { params, query: { state: 'broken' } }, account.auth)
    expect(broken.count).toBe(1)
    expect((await app.call(links.list, { query: {} }, account.auth)).count).toBe(0)
  })

  test('knows what the account has, saved before there were keys as well', async ({ app, account }) => {
    const body = { title: 'Моя', url: 'https://m.example.org/two/#x', description: 'x' }
    const kept = await app.call(links.create, { body }, account.auth)
    await app.call(notes.create, { body: { title: 'Заметка', content: '<p>Текст</p>' } }, account.auth)
    await app.db.updateTable('items').set({ identity_key: null }).where('owner_id', '=', account.id).execute()
    const { summary } = await readFile(app, account, BOOKMARKS)
    expect(summary).toMatchObject({ new: 1, same: 2 })
    expect((await readFile(app, account, '# Заметка\n\nТекст\n')).summary).toMatchObject({ new: 0, same: 1 })
    await app.call(links.remove, { params: { id: kept.id } }, account.auth)
    expect((await readFile(app, account, BOOKMARKS)).summary).toMatchObject({ new: 2, same: 1 })
  })
})

describe('the entries', () => {
  test('are listed as far as there are', async ({ app, account }) => {
    const lines = Array.from({ length: 2_100 }, (_, at) => `javascript:alert(${at + 1})`)
    const { id } = await readFile(app, account, ['https://example.org/', ...lines].join('\n'))
    const places = async (query: { state?: 'broken' | 'new'; page: string }) => {
      const { count, results } = await app.call(imports.rows, { params: { id }, query }, account.auth)
      return [count, results.map(({ place }) => place)]
    }
    const last = ['строка 2101']
    expect(await places({ state: 'broken', page: '140' })).toEqual([2_100, expect.arrayContaining(last)])
    expect(await places({ page: '141' })).toEqual([2_101, last])
    expect(await places({ state: 'new', page: '1' })).toEqual([1, ['строка 1']])
    expect(await places({ state: 'broken', page: '141' })).toEqual([2_100, []])
  })
})

describe('a run', () => {
  test('keeps addresses, dates, texts, tags and folders, and is one operation', async ({ app, account }) => {
    const { id } = await readFile(app, account, BOOKMARKS)
    const done = await runImport(app, account, id, { add_tags: ['Переезд'] })
    expect(done).toMatchObject({
      ...{ state: 'done', done: 5, total: 5 },
      result: { added: 2, merged: 0, skipped: 1, broken: 1 },
    })
    expect(await listed(app, account.auth)).toEqual([
      {
        ...{ title: 'Первая', url: 'https://example.org/one?utm_source=x' },
        ...{ tags: ['два', 'Переезд', 'раз', 'Чтение'], created_at: '2017-07-14T02:40:00.000Z' },
      },
      {
        ...{ title: 'Вторая', url: 'https://example.org/two' },
        ...{ tags: ['Переезд', 'Чтение'], created_at: '2017-07-14T02:40:01.000Z' },
      },
    ])
    const found = await app.call(links.list, { query: { search: 'описание' } }, account.auth)
    expect(found.results.map(({ description }) => description)).toEqual(['<p>Описание первой</p>'])
    const history = await app.call(operations.list, { query: {} }, account.auth)
    expect(history.results).toMatchObject([{ id: done.operation, action: 'import', items: 2 }])
    const rows = await app.call(imports.rows, { params: { id }, query: {} }, account.auth)
    expect(rows.results.map(({ state }) => state)).toEqual(['broken', 'ignored'])

    const undone = await app.call(operations.undo, { params: { id: done.operation ?? '' } }, account.auth)
    expect(undone).toEqual({ restored: 2, skipped: [], skipped_count: 0 })
    expect(await listed(app, account.auth)).toEqual([])
    expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual([])
  })

  test('adds nothing the second time', async ({ app, account }) => {
    await runImport(app, account, (await readFile(app, account, BOOKMARKS)).id)
    const before = await listed(app, account.auth)
    for (const duplicates of ['skip', 'merge'] as const) {
      const { id, summary } = await readFile(app, account, BOOKMARKS)
      expect(summary).toMatchObject({ new: 0, same: 3 })
      const { result, operation } = await runImport(app, account, id, { duplicates })
      expect([result, operation]).toEqual([{ added: 0, merged: 0, skipped: 3, broken: 1 }, undefined])
    }
    expect(await listed(app, account.auth)).toEqual(before)
  })

  test('merges into what is kept, and an undo takes that back', async ({ app, account }) => {
    const body = {
      title: 'Моя',
      url: 'http://example.org/one',
      description: '<p>Своё</p>',
      tags: ['два', 'три'],
    }
    const { id } = await app.call(links.create, { body }, account.auth)
    const before = await app.call(links.read, { params: { id } }, account.auth)
    const read = await readFile(app, account, BOOKMARKS)
    const { operation, result } = await runImport(app, account, read.id, { duplicates: 'merge' })
    expect(result).toEqual({ added: 1, merged: 1, skipped: 1, broken: 1 })
    const merged = await app.call(links.read, { params: { id } }, account.auth)
    expect(merged).toMatchObject({
      ...{ title: 'Моя', url: 'http://example.org/one', created_at: '2017-07-14T02:40:00.000Z' },
      description: '<p>Своё</p><p>Описание первой</p>',
    })
    expect(merged.tags.map(({ name }) => name)).toEqual(['два', 'раз', 'три', 'Чтение'])
    await app.call(operations.undo, { params: { id: operation ?? '' } }, account.auth)
    expect(await app.call(links.read, { params: { id } }, account.auth)).toEqual(before)
    expect(await app.call(tags.list, { query: {} }, account.auth)).toHaveLength(2)
  })

  test('says where tags of the run leave no room for those of the file', async ({ app, account }) => {
    const tags = Array.from({ length: 50 }, (_, at) => `т${at}`).join()
    const bookmark = (path: string) => `<DT><A HREF="https://example.org/${path}" TAGS="${tags}">x</A>`
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>${bookmark('a')}\n<DT><H3>п</H3><DL>${bookmark('b')}</DL></DL>`
    const read = await readFile(app, account, file)
    const reasons = async () => {
      const { results } = await app.call(imports.rows, { params: { id: read.id }, query: {} }, account.auth)
      return results.map(({ state, reason }) => [state, reason])
    }
    expect(await reasons()).toEqual([
      ['new', ''],
      ['new', 'Лишние теги не перенесены: 1.'],
    ])
    const done = await runImport(app, account, read.id, { folders: 'ignore', add_tags: ['Переезд'] })
    expect([done.result?.added, done.summary.ignored]).toEqual([2, 1])
    expect(await reasons()).toEqual([
      ['ignored', 'Лишние теги не перенесены: 1.'],
      ['new', 'Лишние теги не перенесены: 1.'],
    ])
  })

  test('lists what of its entries is not imported, before it is run and after', async ({ app, account }) => {
    const note = (title: string, more = '') =>
      `<note><title>${title}</title><content><![CDATA[<en-note>Текст</en-note>]]></content>${more}</note>`
    const file = `<?xml version="1.0"?><en-export>${note('Без вложений')}${note(
      'С вложением',
      '<resource><data encoding="base64">AA==</data><mime>application/pdf</mime></resource>',
    )}</en-export>`
    const { id, summary } = await readFile(app, account, file)
    expect(summary).toMatchObject({ new: 2, ignored: 0 })
    const remarked = () => app.call(imports.rows, { params: { id }, query: { remarks: '1' } }, account.auth)
    const reason = 'Вложения не перенесены: 1.'
    expect(await remarked()).toMatchObject({ count: 1, results: [{ title: 'С вложением', reason }] })
    const done = await runImport(app, account, id, {})
    expect(done).toMatchObject({ result: { added: 2 }, summary: { new: 2, ignored: 0 } })
    // Without its title, which would outlive the note.
    expect(await remarked()).toMatchObject({
      count: 1,
      results: [{ state: 'new', title: '', place: 'запись 2', reason }],
    })
  })

  test.for([0, 49])(
    'keeps each of equal notes with %i tags in common, once however often the file is imported',
    async (common, { app, account }) => {
      const shared = Array.from({ length: common }, (_, at) => `общий${at + 10}`)
      const data = `---\ntags: [${shared.join(', ')}]\n---\n# Заметка\n\nТекст\n`
      const folders = Array.from({ length: 70 }, (_, at) => `п${at + 10}`)
      const file = () =>
        new Uint8Array(writeZip(folders.map((folder) => ({ name: `${folder}/Заметка.md`, data }))))
      for (const [duplicates, added, skipped] of [
        ['merge', 70, 0],
        ['merge', 0, 70],
        ['skip', 0, 70],
      ] as const) {
        const read = await readFile(app, account, file())
        const { result } = await runImport(app, account, read.id, { duplicates })
        expect(result).toEqual({ added, merged: 0, skipped, broken: 0 })
        const named = await app.call(tags.list, { query: {} }, account.auth)
        expect(named.map(({ name, notes_count }) => [name, notes_count])).toEqual([
          ...shared.map((name) => [name, 70]),
          ...folders.map((name) => [name, 1]),
        ])
      }
    },
  )

  test('adds to the first of equal links of a file what the others have more, but nothing to one kept before', async ({
    app,
    account,
  }) => {
    const body = { title: 'Моя', url: 'https://example.org/kept', description: 'x', tags: ['мой'] }
    await app.call(links.create, { body }, account.auth)
    const bookmark = (path: string, tags: string, more = '') =>
      `<DT><A HREF="https://example.org/${path}" ADD_DATE="1600000000" LAST_MODIFIED="1600000100" TAGS="${tags}">x</A>${more}`
    const many = Array.from({ length: 450 }, (_, at) => bookmark(`page${at}`, 'много'))
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><DT><H3>работа</H3><DL>${[
      bookmark('twice', 'раз', '<DD>Описание'),
      bookmark('kept', 'чужой'),
      ...many,
    ].join(
      '\n',
    )}</DL><DT><H3>дом</H3><DL>${bookmark('twice', 'два', '<DD>Другое')}${bookmark('kept', 'ещё')}${bookmark('page1', 'много')}</DL></DL>`
    const read = await readFile(app, account, file)
    expect(read.summary).toMatchObject({ new: 451, same: 4 })
    const done = await runImport(app, account, read.id, {})
    expect(done.result).toEqual({ added: 451, merged: 0, skipped: 4, broken: 0 })
    const found = async (word: string) => {
      const { results } = await app.call(links.list, { query: { search: word } }, account.auth)
      return results.map(({ tags, description, updated_at }) => [
        tags.map(({ name }) => name).sort(),
        description,
        updated_at,
      ])
    }
    expect(await found('twice')).toEqual([
      [
        ['два', 'дом', 'работа', 'раз'],
        expect.stringMatching(/Описание[\s\S]*Другое/),
        '2020-09-13T12:28:20.000Z',
      ],
    ])
    expect(await found('kept')).toEqual([[['мой'], 'x', expect.any(String)]])
    await app.call(operations.undo, { params: { id: done.operation ?? '' } }, account.auth)
    expect((await app.call(links.list, { query: {} }, account.auth)).count).toBe(1)
  })

  test('keeps the text of a link once, however often its file repeats it', async ({ app, account }) => {
    const bookmark = (date: number) =>
      `<DT><A HREF="https://example.org/" ADD_DATE="${date}" TAGS="т${date}">x</A>`
    const dates = Array.from({ length: 30 }, (_, at) => 1600000000 - at)
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>${dates
      .map((date, at) => bookmark(date) + (at === 0 ? `<DD>${'слово '.repeat(20_000)}` : ''))
      .join('\n')}</DL>`
    const { id } = await readFile(app, account, file)
    const { operation } = await runImport(app, account, id, {})
    const { results } = await app.call(links.list, { query: {} }, account.auth)
    expect(results.map(({ tags, created_at }) => [tags.length, created_at])).toEqual([
      [30, new Date(1599999971_000).toISOString()],
    ])
    const [kept] = await app.db
      .selectFrom('change_counts')
      .select('kept_bytes')
      .where('owner_id', '=', account.id)
      .execute()
    expect(Number(kept?.kept_bytes)).toBeLessThan(100_000)
    await app.call(operations.undo, { params: { id: operation ?? '' } }, account.auth)
    expect((await app.call(links.list, { query: {} }, account.auth)).count).toBe(0)
    expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual([])
  })

  test('keeps no name of a file with what was not imported of its note', async ({ app, account }) => {
    const tags = Array.from({ length: 50 }, (_, at) => `т${at}`).join(', ')
    const note = (title: string) => ({
      name: `Дневник/${title}.md`,
      data: `---\ntags: [${tags}]\n---\nтекст`,
    })
    const read = await readFile(app, account, new Uint8Array(writeZip([note('Тайна'), note('Другая')])))
    await runImport(app, account, read.id, { folders: 'tags', add_tags: ['Переезд'] })
    const rows = await app.call(imports.rows, { params: { id: read.id }, query: {} }, account.auth)
    expect(rows.results).toMatchObject([{ state: 'ignored', place: '', title: '' }, { place: '' }])
    const stored = await app.db.selectFrom('import_rows').select('place').execute()
    expect(JSON.stringify(stored)).not.toContain('Тайна')
  })

  test('says what was not merged, and keeps no word of it', async ({ app, account }) => {
    const names = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `т${from + at}`)
    const own = { title: 'Моя', url: 'https://example.org/', tags: names(0, 48) }
    const { id } = await app.call(
      links.create,
      { body: { ...own, description: `<p>${'я'.repeat(300_000)}</p>` } },
      account.auth,
    )
    const saved_at = '2025-01-01T00:00:00.000Z'
    const lines = [
      { type: 'kopilka', version: 1 },
      {
        ...{ type: 'urllink', title: 'Тайна', url: 'https://example.org/', revision: 2 },
        ...{ description: `<p>${'ю'.repeat(300_000)}</p>`, tags: names(40, 53), created_at: saved_at },
      },
      {
        ...{ type: 'version', revision: 1, title: 'Была', url: 'https://example.org/old', description: 'x' },
        ...{ tags: [], saved_at, replaced_at: saved_at },
      },
    ]
    const read = await readFile(app, account, lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(read.summary).toMatchObject({ same: 1, ignored: 0 })
    const done = await runImport(app, account, read.id, { duplicates: 'merge' })
    expect(done).toMatchObject({ result: { added: 0, merged: 1, skipped: 0 }, summary: { ignored: 1 } })
    const merged = await app.call(links.read, { params: { id } }, account.auth)
    expect([merged.tags.length, merged.description.includes('ю')]).toEqual([50, false])
    const rows = await app.call(imports.rows, { params: { id: read.id }, query: {} }, account.auth)
    expect(rows).toEqual({
      count: 1,
      results: [
        {
          ...{ place: 'строка 2', state: 'ignored', kind: null, title: '' },
          reason:
            'Текст не добавлен к тому, что уже есть в Копилке: вместе они длиннее, чем может быть одна запись. Лишние теги не перенесены: 3. Прежние версии не добавлены к записи, которая уже есть в Копилке: 1.',
        },
      ],
    })
  })

  test('merges entries of several batches into one item', async ({ app, account }) => {
    const body = { title: 'Моя', url: 'https://example.org/0', description: '<p>Своё</p>' }
    const { id } = await app.call(links.create, { body }, account.auth)
    const entries = Array.from({ length: 450 }, (_, at) => {
      const isSame = at % 200 === 100
      return `<DT><A HREF="https://example.org/${isSame ? 0 : at}">x</A>${isSame ? `<DD>описание${at}` : ''}`
    })
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${entries.slice(1).join('\n')}`
    const read = await readFile(app, account, file)
    const { result } = await runImport(app, account, read.id, { duplicates: 'merge' })
    expect(result).toMatchObject({ added: 447, merged: 2, skipped: 0 })
    const merged = await app.call(links.read, { params: { id } }, account.auth)
    expect(merged.description).toBe('<p>Своё</p><p>описание100</p><p>описание300</p>')
    const found = await app.call(
      links.list,
      { query: { search: 'описание100 описание300 своё' } },
      account.auth,
    )
    expect(found.results.map((link) => link.id)).toEqual([id])
  })

  test('adds once more, or leaves folders out, if asked', async ({ app, account }) => {
    const { id } = await readFile(app, account, BOOKMARKS)
    const { result } = await runImport(app, account, id, { duplicates: 'add', folders: 'ignore' })
    expect(result).toMatchObject({ added: 3, skipped: 0 })
    expect((await listed(app, account.auth)).flatMap((link) => link.tags)).toEqual(['два', 'раз'])
  })

  test('goes over many batches, and an item may be merged into one that it has added', async ({
    app,
    account,
  }) => {
    const lines = Array.from({ length: 350 }, (_, at) => `https://example.org/${at % 300}`)
    const { id, summary } = await readFile(app, account, lines.join('\n'))
    expect(summary).toMatchObject({ new: 300, same: 50 })
    const { result, operation = '' } = await runImport(app, account, id, {
      duplicates: 'add',
      add_tags: ['Новый'],
    })
    expect(result?.added).toBe(350)
    expect((await app.call(links.list, { query: { search: 'example' } }, account.auth)).count).toBe(350)
    const { restored, skipped } = await app.call(operations.undo, { params: { id: operation } }, account.auth)
    expect([restored, skipped]).toEqual([350, []])
    expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual([])
  })

  test('deletes of the trash of an archive, at the latest, now', async ({ app, account }) => {
    const note = { type: 'note', title: 'Удалённая', content: 'x', deleted_at: '9999-12-31T00:00:00.000Z' }
    const lines = [{ type: 'kopilka', version: 1 }, note]
    const { id } = await readFile(app, account, lines.map((line) => JSON.stringify(line)).join('\n'))
    await runImport(app, account, id)
    const trash = await app.db
      .selectFrom('trash')
      .select('deleted_at')
      .where('owner_id', '=', account.id)
      .execute()
    expect(trash.map(({ deleted_at }) => deleted_at <= app.now())).toEqual([true])
  })

  test('of an archive with deleted items is undone to the last word', async ({ app, account }) => {
    const deleted = ['Первая', 'Вторая'].map((title) => {
      const more = { content: `<p>${title} про колючки</p>`, tags: ['лес'] }
      return { type: 'note', title, ...more, deleted_at: '2026-01-02T03:04:05.678Z' }
    })
    const kept = { type: 'note', title: 'Третья', content: '<p>Третья про колючки</p>', tags: ['лес'] }
    const lines = [{ type: 'kopilka', version: 1 }, ...deleted, kept]
    const { id } = await readFile(app, account, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { operation = '' } = await runImport(app, account, id)
    const indexed = app.db.fullText === 'fts5' ? 'search_docs' : 'search_words'
    const count = async (table: string) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from ${sql.table(table)} where owner_id = ${account.id}`.execute(app.db)
      return Number(rows[0]?.count)
    }
    expect([await count('items'), await count('trash'), await count(indexed)]).toEqual([1, 2, 1])
    const undone = await app.request(operations.undo, { params: { id: operation } }, account.auth)
    expect([undone.status, undone.body.skipped]).toEqual([200, []])
    for (const table of ['items', 'trash', 'tags', indexed])
      expect([table, await count(table)]).toEqual([table, 0])
    const found = await app.call(notes.list, { query: { search: 'колючки' } }, account.auth)
    expect(found.count).toBe(0)
  })

  test('keeps notes without a text, and states as tags', async ({ app, account }) => {
    const content = '---\ntitle: Пустая\narchived: true\n---\n'
    const { id } = await readFile(app, account, content)
    await runImport(app, account, id)
    const { results } = await app.call(notes.list, { query: {} }, account.auth)
    expect(results).toMatchObject([{ title: 'Пустая', content: '' }])
    expect(results[0]?.tags.map(({ name }) => name)).toEqual(['архив'])
  })
})

describe('an import', () => {
  test('that is cancelled leaves nothing, and frees its place', async ({ app, account }) => {
    for (let round = 0; round < 4; round += 1) {
      const { id } = await readFile(app, account, BOOKMARKS)
      await app.call(imports.cancel, { params: { id } }, account.auth)
      expect((await until(app, account, id)).state).toBe('cancelled')
      const again = await app.request(imports.run, { params: { id }, body: {} }, account.auth)
      expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('нельзя выполнить')])
    }
    await expect
      .poll(() => app.db.selectFrom('import_rows').selectAll().where('owner_id', '=', account.id).execute())
      .toEqual([])
    const { count, results } = await app.call(imports.list, {}, account.auth)
    expect([count, results.filter((one) => 'sample' in one)]).toEqual([4, []])
  })

  test('that is cancelled while it runs takes back what it has saved', async ({ app, account }) => {
    const kept = { title: 'Моя', url: 'https://example.org/0', description: 'x', tags: ['своя'] }
    const { id: own } = await app.call(links.create, { body: kept }, account.auth)
    const before = await app.call(links.read, { params: { id: own } }, account.auth)
    const lines = Array.from({ length: 3000 }, (_, at) => `https://example.org/${at} слово${at}`)
    const { id } = await readFile(app, account, lines.join('\n'))
    const params = { id }
    const body = { duplicates: 'merge' as const, add_tags: ['Новый'] }
    await app.call(imports.run, { params, body }, account.auth)
    while ((await app.call(imports.read, { params }, account.auth)).done === 0);
    await app.call(imports.cancel, { params }, account.auth)
    expect((await app.call(imports.read, { params }, account.auth)).state).toBe('cancelled')
    const undone = async () => {
      const { results } = await app.call(operations.list, { query: {} }, account.auth)
      return results.filter(({ undone_at }) => undone_at !== null).map(({ action }) => action)
    }
    await expect.poll(undone).toEqual(['import'])
    expect((await app.call(links.list, { query: {} }, account.auth)).count).toBe(1)
    expect(await app.call(links.read, { params: { id: own } }, account.auth)).toEqual(before)
    expect((await app.call(tags.list, { query: {} }, account.auth)).map(({ name }) => name)).toEqual(['своя'])
    const rows = () => app.call(imports.rows, { params, query: {} }, account.auth)
    await expect.poll(async () => (await rows()).count).toBe(0)
  })

  test('reads the pages of links without a title, if asked, and keeps those that cannot be read', async ({
    startApp,
    onTestFinished,
  }) => {
    const pages = await startPageServer(({ url }, response) => {
      const html = '<title>Ёж в тумане</title><meta name="description" content="Сказка <о> ёжике">'
      response.writeHead(url === encodeURI('/ёж') ? 200 : 404, { 'content-type': 'text/html' }).end(html)
    })
    onTestFinished(() => pages.close())
    const app = await startApp({ settings: { FETCH_ALLOW: '127.0.0.0/8' } })
    const account = await newAccount(app)
    const { id } = await readFile(app, account, `${pages.url}/ёж\n${pages.url}/missing`)
    const { state, result } = await runImport(app, account, id, { read_pages: true })
    expect([state, result?.added]).toEqual(['done', 2])
    const { results } = await app.call(links.list, { query: {} }, account.auth)
    const found = results.map(({ title, description }) => [title, description])
    expect(found.sort()).toEqual([
      [`${pages.url}/missing`, ''],
      ['Ёж в тумане', '<p>Сказка &lt;о&gt; ёжике</p>'],
    ])
    const rows = await app.call(imports.rows, { params: { id }, query: {} }, account.auth)
    expect(rows).toMatchObject({
      count: 1,
      results: [
        {
          ...{ state: 'ignored', title: '', place: 'строка 2' },
          reason: 'Ссылка сохранена, но прочитать её страницу не удалось.',
        },
      ],
    })
  })

  test('adds no description of its page to a link that has a text of its own by an entry before', async ({
    startApp,
    onTestFinished,
  }) => {
    const pages = await startPageServer((_, response) => {
      const html = '<title>Ёж</title><meta name="description" content="Со страницы">'
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    })
    onTestFinished(() => pages.close())
    const app = await startApp({ settings: { FETCH_ALLOW: '127.0.0.0/8' } })
    const account = await newAccount(app)
    const bookmark = (path: string, more: string) => `<DT><A HREF="${pages.url}/${path}">Мой</A>${more}`
    const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL>${bookmark('one', '<DD>Моё')}${bookmark('one', '')}${bookmark('two', '')}${bookmark('two', '')}</DL>`
    for (const duplicates of ['skip', 'merge'] as const) {
      const { id } = await readFile(app, account, file)
      await runImport(app, account, id, { read_pages: true, duplicates })
      const { results } = await app.call(links.list, { query: {} }, account.auth)
      expect(results.map(({ description }) => description).sort()).toEqual([
        '<p>Моё</p>',
        '<p>Со страницы</p>',
      ])
    }
  })

  test('adds no description of its page to a link that gets a text of its own by a later entry', async ({
    startApp,
    onTestFinished,
  }) => {
    const read: (string | undefined)[] = []
    const pages = await startPageServer(({ url }, response) => {
      read.push(url)
      const html = '<title>Ёж</title><meta name="description" content="Со страницы">'
      response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    })
    onTestFinished(() => pages.close())
    const app = await startApp({ settings: { FETCH_ALLOW: '127.0.0.0/8' } })
    const bookmark = (path: string, title: string, text = '') =>
      `<DT><A HREF="${pages.url}/${path}">${title}</A>${text && `<DD>${text}`}`
    // More than a batch stands between them.
    const others = Array.from({ length: 9 }, (_, at) => bookmark(`other${at}`, 'Мой', 'Другое'))
    const file = [
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>',
      ...[bookmark('one', 'Мой'), bookmark('two', ''), bookmark('three', 'Мой'), ...others],
      ...[bookmark('one', 'Мой', 'Моё'), bookmark('two', '', 'Моё'), '</DL>'],
    ].join('\n')
    for (const duplicates of ['skip', 'merge'] as const) {
      const account = await newAccount(app)
      const { id } = await readFile(app, account, file)
      await runImport(app, account, id, { read_pages: true, duplicates })
      const { results } = await app.call(links.list, { query: {} }, account.auth)
      const found = results
        .map(({ url, title, description }) => [url.slice(pages.url.length), title, description])
        .filter(([path]) => !path?.startsWith('/other'))
      expect(found.sort()).toEqual([
        ['/one', 'Мой', '<p>Моё</p>'],
        ['/three', 'Мой', '<p>Со страницы</p>'],
        ['/two', 'Ёж', '<p>Моё</p>'],
      ])
    }
    // The page of the first says nothing that is wanted.
    expect(read).not.toContain('/one')
  })

  test('puts back at its undo what somebody changed between two of its entries, and keeps a text of theirs once', async ({
    startApp,
    onTestFinished,
  }) => {
    const { promise: written, resolve: goOn } = Promise.withResolvers<void>()
    const pages = await startPageServer(async (_, response) => {
      await written
      response.writeHead(404).end()
    })
    onTestFinished(() => pages.close())
    const app = await startApp({ settings: { FETCH_ALLOW: '127.0.0.0/8' } })
    const account = await newAccount(app)
    const bookmark = (path: string, text: string, date = 1600000000) =>
      `<DT><A HREF="${pages.url}/${path}" ADD_DATE="${date}" TAGS="т${date}">x</A>${text && `<DD>${text}`}`
    const file = [
      '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>',
      ...[bookmark('one', 'Первое'), ...['a', 'b', 'c'].map((path) => bookmark(path, 'Другое'))],
      // Its page is read with the second batch.
      bookmark('waits', ''),
      ...[bookmark('one', '', 1590000000), bookmark('one', 'Второе', 1580000000)],
      ...['d', 'e', 'f'].map((path) => bookmark(path, 'Другое')),
      ...[bookmark('one', 'Третье', 1570000000), bookmark('a', 'Третье'), '</DL>'],
    ].join('\n')
    const { id } = await readFile(app, account, file)
    await app.call(imports.run, { params: { id }, body: { read_pages: true } }, account.auth)
    const list = () => app.call(links.list, { query: {} }, account.auth)
    await vi.waitFor(async () => expect((await list()).count).toBe(4), { timeout: 20_000 })
    const { results: first } = await list()
    const linkOf = (path: string) => ({ id: first.find(({ url }) => url.endsWith(path))?.id ?? '' })
    const [params, tagged] = [linkOf('/one'), linkOf('/a')]
    const body = { title: 'Моя', url: `${pages.url}/one`, description: '<p>Своё</p>', tags: ['своя'] }
    await app.call(links.update, { params, body }, account.auth)
    await app.call(bulk.change, { body: { ids: [tagged.id], add_tags: ['своя'] } }, account.auth)
    const both = () =>
      Promise.all([params, tagged].map((link) => app.call(links.read, { params: link }, account.auth)))
    const before = await both()
    goOn()
    const { operation = '' } = await until(app, account, id)
    expect((await both()).map(({ description }) => description)).toEqual([
      ...['<p>Своё</p><p>Второе</p><p>Третье</p>', '<p>Другое</p><p>Третье</p>'],
    ])
    const versions = await app.call(links.versions, { params, query: {} }, account.auth)
    expect(versions.results.map(({ excerpt }) => excerpt)).toEqual(['Своё', 'Первое'])
    const { skipped } = await app.call(operations.undo, { params: { id: operation } }, account.auth)
    expect(skipped.map(({ id: left }) => left).sort()).toEqual([params.id, tagged.id].sort())
    expect(await both()).toEqual(before)
    const { results } = await app.call(links.list, { query: { search: 'второе' } }, account.auth)
    expect(results).toEqual([])
  })

  test('warns of more tags than an owner may keep before it is run', async ({ startApp }) => {
    const app = await startApp({ settings: { TAGS_PER_USER: '2' } })
    const account = await newAccount(app)
    const { id, summary } = await readFile(app, account, BOOKMARKS)
    expect(summary).toMatchObject({ new: 2, tags: 3, broken: 2 })
    const query = { state: 'broken' as const }
    const { results } = await app.call(imports.rows, { params: { id }, query }, account.auth)
    expect(results.map(({ reason }) => reason)).toContain(
      'В файле больше категорий, чем этот сервер хранит для одного пользователя. Разделите его на части или уберите из него лишние теги.',
    )
  })

  test('is removed with all its entries after 30 days', async ({ startApp }) => {
    const app = await startApp()
    const account = await newAccount(app)
    const { id } = await readFile(app, account, BOOKMARKS)
    await purgeImports(app.db, account.id, app.now() + 29 * DAY)
    expect((await app.call(imports.list, {}, account.auth)).results).toMatchObject([{ id, state: 'ready' }])
    await purgeImports(app.db, account.id, app.now() + 31 * DAY)
    expect((await app.call(imports.list, {}, account.auth)).count).toBe(0)
    expect(await app.db.selectFrom('import_rows').select('seq').execute()).toEqual([])
  })

  test('keeps of what it did not save the first 10,000 entries, and only of the last ten imports', async ({
    app,
    account,
  }) => {
    const file = (broken: number, at: number) =>
      [
        '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>',
        `<DT><A HREF="https://example.org/${at}">x</A>`,
        ...Array.from({ length: broken }, (_, number) => `<DT><A HREF="javascript:${number}">${number}</A>`),
        '</DL><p>',
      ].join('\n')
    const ids: string[] = []
    for (const [at, broken] of [10_020, ...Array<number>(10).fill(1)].entries()) {
      const { id } = await readFile(app, account, file(broken, at))
      ids.push(id)
      const { state, summary, result } = await runImport(app, account, id)
      expect([state, summary.broken, result?.added]).toEqual(['done', broken, 1])
      const kept = (page: string) =>
        app.call(imports.rows, { params: { id }, query: { state: 'broken', page } }, account.auth)
      const most = Math.min(broken, 10_000)
      // The entries are deleted in steps, once the import is done.
      await vi.waitFor(async () => expect((await kept('1')).count).toBe(most), { timeout: 20_000 })
      const { results } = await kept(String(Math.ceil(most / 15)))
      expect(results.at(-1)?.title).toBe(String(most - 1))
    }
    const left = async (id = '') =>
      (await app.call(imports.rows, { params: { id }, query: { state: 'broken' } }, account.auth)).count
    await vi.waitFor(async () => expect(await left(ids[0])).toBe(0), { timeout: 20_000 })
    expect(await Promise.all(ids.slice(1).map(left))).toEqual(Array(10).fill(1))
  })

  test('that fails again and again ends, however long ago it began', async ({ app, account }) => {
    const { id } = await readFile(app, account, BOOKMARKS)
    const key = { owner_id: account.id, id }
    const jobs = () => app.db.selectFrom('jobs').where('owner_id', '=', key.owner_id).where('id', '=', id)
    await app.db
      .updateTable('import_rows')
      .set({ item: '{' })
      .where('import_id', '=', id)
      .where('kind', 'is not', null)
      .execute()
    const options = { duplicates: 'skip', folders: 'tags', add_tags: [], read_pages: false }
    await app.db
      .updateTable('imports')
      .set({ state: 'running', options: JSON.stringify(options), operation_id: id })
      .where('id', '=', id)
      .execute()
    const long = { created_at: app.now() - 30 * DAY, run_at: 0, leased_until: 0 }
    await app.db
      .insertInto('jobs')
      .values({ ...key, ...long, kind: 'run-import', payload: '', attempts: 9 })
      .execute()
    const attempts = async () => (await jobs().select('attempts').execute()).map((job) => job.attempts)
    await expect.poll(attempts, { timeout: 20_000 }).toEqual([10])
    await app.db
      .updateTable('jobs')
      .set({ attempts: 49, run_at: 0, leased_until: 0 })
      .where('id', '=', id)
      .execute()
    const { state, error } = await until(app, account, id)
    expect([state, error]).toEqual(['failed', expect.any(String)])
    await expect.poll(attempts).toEqual([])
  })

  test('that is done cannot be cancelled', async ({ app, account }) => {
    const { id } = await readFile(app, account, BOOKMARKS)
    await runImport(app, account, id)
    const reply = await app.request(imports.cancel, { params: { id } }, account.auth)
    expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining('истории действий')])
  })

  test('is refused where too many wait, and takes only one at a time', async ({ app, account }) => {
    const ids = []
    for (let round = 0; round < 3; round += 1) ids.push((await readFile(app, account, BOOKMARKS)).id)
    const reply = await sendFile(app, account, BOOKMARKS)
    expect([reply.status, reply.body.detail]).toEqual([409, expect.stringContaining('слишком много')])
    await app.db
      .updateTable('imports')
      .set({ state: 'running' })
      .where('id', '=', ids[0] ?? '')
      .execute()
    const second = await app.request(imports.run, { params: { id: ids[1] }, body: {} }, account.auth)
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('уже выполняется')])
  })

  test('is refused where the file lists more tags than are allowed', async ({ startApp }) => {
    const app = await startApp({ settings: { TAGS_PER_USER: '3' } })
    const account = await newAccount(app)
    const archiveOf = (names: readonly string[]): string =>
      [{ type: 'kopilka', version: 1 }, ...names.map((name) => ({ type: 'tag', name }))]
        .map((line) => JSON.stringify(line))
        .join('\n')
    const { id, state } = await readFile(app, account, archiveOf(['a', 'б', 'B', 'Б', 'b']))
    const { listed_tags } = await app.db
      .selectFrom('imports')
      .select('listed_tags')
      .where('owner_id', '=', account.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect([state, listed_tags]).toEqual(['ready', '["a","б","B"]'])
    const failed = await readFile(app, account, archiveOf(['a', 'б', 'в', 'г']))
    expect([failed.state, failed.error]).toEqual(['failed', expect.stringContaining('больше категорий')])
  })

  test('may have more text than may be kept, where what is saved of it fits', async ({ startApp }) => {
    const app = await startApp({ settings: { TEXT_PER_USER: '230000' } })
    const account = await newAccount(app)
    // 220,000 bytes.
    const content = 'слово '.repeat(20_000)
    const archiveOf = (...titles: string[]): string =>
      [{ type: 'kopilka', version: 1 }, ...titles.map((title) => ({ type: 'note', title, content }))]
        .map((line) => JSON.stringify(line))
        .join('\n')
    await runImport(app, account, (await readFile(app, account, archiveOf('а'))).id)
    const same = await readFile(app, account, archiveOf('а', 'а'))
    const done = await runImport(app, account, same.id)
    expect(done).toMatchObject({ state: 'done', result: { added: 0, skipped: 2 } })
    const more = await readFile(app, account, archiveOf('б'))
    const failed = await runImport(app, account, more.id)
    expect(failed).toMatchObject({ state: 'failed', error: expect.stringContaining('Текста уже столько') })
  })

  test('ends where a quota does, and what it has saved can be undone', async ({ startApp }) => {
    const app = await startApp({ settings: { TAGS_PER_USER: '3' } })
    const account = await newAccount(app)
    const lines = Array.from(
      { length: 400 },
      (_, at) => `<DT><A HREF="https://example.org/${at}" TAGS="${at < 250 ? 'a' : at}">x</A>`,
    )
    const { id } = await readFile(app, account, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${lines.join('\n')}`)
    const failed = await runImport(app, account, id)
    expect(failed).toMatchObject({
      state: 'failed',
      result: { added: 200 },
      error: expect.stringContaining('Категорий уже столько'),
    })
    const undone = await app.call(operations.undo, { params: { id: failed.operation ?? '' } }, account.auth)
    expect(undone.restored).toBe(200)
  })
})

describe('an archive', () => {
  const archive = (...lines: object[]) =>
    [{ type: 'kopilka', version: 1, exported_at: '2026-01-01T00:00:00.000Z' }, ...lines]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')

  test('of tags alone gives the tags', async ({ app, account }) => {
    const lines = ['один', 'два'].map((name) => ({ type: 'tag', name }))
    const { id } = await readFile(app, account, archive(...lines))
    const { state, operation = '' } = await runImport(app, account, id)
    expect(state).toBe('done')
    const kept = async () => (await app.call(tags.list, { query: {} }, account.auth)).map(({ name }) => name)
    expect(await kept()).toEqual(['два', 'один'])
    const history = await app.call(operations.list, { query: {} }, account.auth)
    expect(history.results).toMatchObject([{ id: operation, action: 'import', items: 0 }])
    const undone = await app.call(operations.undo, { params: { id: operation } }, account.auth)
    expect([undone, await kept()]).toEqual([{ restored: 2, skipped: [], skipped_count: 0 }, []])
  })

  test('of tags alone leaves at its undo those that an item has by now', async ({ app, account }) => {
    const lines = ['один', 'два'].map((name) => ({ type: 'tag', name }))
    const { id } = await readFile(app, account, archive(...lines))
    const { operation = '' } = await runImport(app, account, id)
    const body = { title: 'Своя', content: 'текст', tags: ['один'] }
    const { tags: named } = await app.call(notes.create, { body }, account.auth)
    expect(await app.call(operations.undo, { params: { id: operation } }, account.auth)).toEqual({
      restored: 1,
      skipped: [{ kind: 'tag', id: named[0]?.id, title: 'один', reason: 'changed' }],
      skipped_count: 1,
    })
    const kept = await app.call(tags.list, { query: {} }, account.auth)
    expect(kept.map(({ name }) => name)).toEqual(['один'])
  })

  test('has only versions that may be saved, and one without text can be restored', async ({
    app,
    account,
  }) => {
    const times = { saved_at: '2025-01-01T00:00:00.000Z', replaced_at: new Date().toISOString() }
    const version = { type: 'version', description: '', tags: [], ...times }
    const file = archive(
      {
        ...{
          type: 'urllink',
          title: 'Ссылка',
          url: 'https://example.org/',
          description: 'Сейчас',
          revision: 4,
        },
        created_at: times.saved_at,
      },
      { ...version, revision: 1, title: 'Была', url: 'https://example.org/old' },
      { ...version, revision: 2, title: 'Опасная', url: 'javascript:alert(1)' },
      { ...version, revision: 3, title: 'я'.repeat(300), url: 'https://example.org/' },
    )
    const read = await readFile(app, account, file)
    expect(read.summary).toMatchObject({ links: 1, new: 1 })
    const rows = await app.call(imports.rows, { params: { id: read.id }, query: {} }, account.auth)
    expect(rows.results[0]?.reason).toBe(
      'Испорченные или слишком длинные версии не перенесены: 1. Прежние версии, у которых сокращены заголовок или теги: 1.',
    )
    await runImport(app, account, read.id)
    const [link] = (await app.call(links.list, { query: {} }, account.auth)).results
    const params = { id: link?.id ?? '' }
    const versions = await app.call(links.versions, { params, query: {} }, account.auth)
    expect(versions.results.map(({ revision, title }) => [revision, title.length])).toEqual([
      [3, 255],
      [1, 4],
    ])
    const restored = await app.call(
      links.restoreVersion,
      { params: { ...params, revision: '1' } },
      account.auth,
    )
    expect(restored).toMatchObject({ title: 'Была', url: 'https://example.org/old', description: '' })
  })
})

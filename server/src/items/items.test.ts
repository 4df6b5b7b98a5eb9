import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

const it = test.extend(
  'tryUrl',
  ({ app, account }) =>
    (url: string) =>
      app.request(links.create, { body: { title: 't', description: 'd', url } }, account.auth),
)

/** Both kinds: each test runs for both. */
const kinds = [
  {
    kind: 'notes',
    calls: notes,
    bodyField: 'content',
    save: { title: 'Рецепт', content: '<p>Мука и яйца</p>' },
    missing: 'Заметка не найдена. Возможно, её уже удалили.',
  },
  {
    kind: 'links',
    calls: links,
    bodyField: 'description',
    save: { title: 'Рецепт', description: '<p>Мука и яйца</p>', url: 'https://example.org/рецепт' },
    missing: 'Ссылка не найдена. Возможно, её уже удалили.',
  },
] as const

describe.each(kinds)('$kind', ({ calls, bodyField, save, missing }) => {
  const it = test
    .extend('create', ({ app, account }) => async (changes: Record<string, unknown> = {}) => {
      const reply = await app.request(calls.create, { body: { ...save, ...changes } }, account.auth)
      expect(reply.body).toHaveProperty('id')
      return { ...reply, id: String(reply.body.id) }
    })
    .extend(
      'read',
      ({ app, account }) =>
        (id: string) =>
          app.request(calls.read, { params: { id } }, account.auth),
    )
    .extend(
      'update',
      ({ app, account }) =>
        (id: string, body: unknown, ifMatch?: string) =>
          app.request(
            calls.update,
            { params: { id }, body },
            { ...account.auth, headers: ifMatch ? { 'if-match': ifMatch } : {} },
          ),
    )
    .extend(
      'list',
      ({ app, account }) =>
        (query: Record<string, string> = {}) =>
          app.request(calls.list, { query }, account.auth),
    )
    .extend(
      'titles',
      ({ list }) =>
        async (query: Record<string, string>) =>
          ((await list(query)).body.results as { title: string }[]).map(({ title }) => title),
    )

  it('are created with all fields, and read as they were created', async ({ create, read }) => {
    const created = await create({ tags: ['Работа', 'дом'] })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...save, tags: [{ name: 'дом' }, { name: 'Работа' }] })
    expect(created.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(created.body.updated_at).toBe(created.body.created_at)
    expect(calls.create.response.safeParse(created.body).error).toBeUndefined()
    expect((await read(created.id)).body).toEqual(created.body)
  })

  it('are changed: a change without tags keeps them, an empty list removes them', async ({
    app,
    create,
    read,
    update,
  }) => {
    const { id, body: before } = await create({ tags: ['а', 'б'] })
    app.advance(1000)
    const renamed = await update(id, { ...save, title: 'Новое' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toMatchObject({
      title: 'Новое',
      tags: [{ name: 'а' }, { name: 'б' }],
      created_at: before.created_at,
    })
    expect(String(renamed.body.updated_at) > String(before.updated_at)).toBe(true)
    expect((await update(id, { ...save, tags: [] })).body.tags).toEqual([])
    expect((await read(id)).body.tags).toEqual([])
  })

  it('are deleted for good, their tags are not', async ({ app, account, create, read, update, titles }) => {
    const { id } = await create({ tags: ['остаётся'] })
    const removed = await app.request(calls.remove, { params: { id } }, account.auth)
    expect([removed.status, removed.body]).toEqual([204, { text: '' }])
    const gone = await read(id)
    expect([gone.status, gone.body.detail]).toEqual([404, missing])
    expect((await update(id, save)).status).toBe(404)
    expect((await app.request(calls.remove, { params: { id } }, account.auth)).status).toBe(404)
    expect(await titles({ search: 'рецепт' })).toEqual([])
    expect(await app.call(tags.list, { query: {} }, account.auth)).toMatchObject([
      { name: 'остаётся', notes_count: 0, urllinks_count: 0 },
    ])
  })

  it('refuse a change from an old page with 412', async ({ app, account, create, read, update }) => {
    const { id, headers } = await create()
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\d+"$/)
    expect((await read(id)).headers.get('etag')).toBe(etag)
    const first = await update(id, { ...save, title: 'Первый' }, etag)
    expect(first.status).toBe(200)
    const second = await update(id, { ...save, title: 'Второй' }, etag)
    expect([second.status, second.body.detail]).toEqual([
      412,
      'Пока вы редактировали, запись изменилась. Сравните оба варианта и сохраните снова.',
    ])
    expect((await read(id)).body.title).toBe('Первый')
    const removal = await app.request(
      calls.remove,
      { params: { id } },
      { ...account.auth, headers: { 'if-match': etag } },
    )
    expect(removal.status).toBe(412)
    // As proxies that compress change it.
    const third = await update(id, { ...save, title: 'Третий' }, `W/${first.headers.get('etag')}`)
    expect(third.status).toBe(200)
    const compressed = third.headers.get('etag')?.replace(/"$/, '-zstd"')
    expect((await update(id, { ...save, title: 'Четвёртый' }, compressed)).status).toBe(200)
    expect((await update(id, { ...save, title: 'Пятый' }, compressed)).status).toBe(412)
    expect((await update(id, { ...save, title: 'Любой' }, '*')).status).toBe(200)
    expect((await update(id, save, 'nonsense')).status).toBe(412)
  })

  it('respond with 200 to a change that is sent again, and change nothing', async ({
    create,
    read,
    update,
  }) => {
    const { id, headers } = await create()
    const etag = headers.get('etag') ?? ''
    const wanted = { ...save, title: 'Дошло', tags: ['дом', 'сад'] }
    const first = await update(id, wanted, etag)
    const again = await update(id, { ...wanted, tags: ['Сад', 'дом'] }, etag)
    expect([again.status, again.headers.get('etag'), again.body]).toEqual([
      200,
      first.headers.get('etag'),
      first.body,
    ])
    expect((await update(id, { ...wanted, tags: ['дом'] }, etag)).status).toBe(412)
    expect((await update(id, { ...save, title: 'Дошло' }, etag)).status).toBe(200)
    expect((await read(id)).body).toEqual(first.body)
  })

  it('accept exactly one of many concurrent changes with one ETag', async ({ create, update }) => {
    const { id, headers } = await create()
    const etag = headers.get('etag') ?? ''
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) => update(id, { ...save, title: `Правка ${at}` }, etag)),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 412)).toHaveLength(19)
  })

  it('create one tag for names that differ in letter case, even concurrently, with the first spelling', async ({
    app,
    account,
    create,
  }) => {
    await create({ tags: ['Работа', 'РАБОТА', 'работа'] })
    await Promise.all(Array.from({ length: 10 }, (_, at) => create({ tags: [at % 2 ? 'рАбОтА' : 'РАБОТА'] })))
    const all = await app.call(tags.list, { query: {} }, account.auth)
    expect(all.map(({ name }) => name)).toEqual(['Работа'])
  })

  it('are stored with clean HTML', async ({ create }) => {
    const dirty =
      '<h2 id="x" class="y" style="color:red" onclick="alert(1)">Заголовок</h2><script>alert(1)</script>' +
      '<a href="https://example.org" onmouseover="x">есть</a> <a href="javascript:alert(1)">нет</a> <a href="/home">тоже нет</a>' +
      '<img src="https://example.org/a.png" onerror="x"><img src="javascript:x"><img src="data:text/html,x"><iframe src="//x"></iframe><form><input name=a></form>'
    const { body } = await create({ [bodyField]: dirty })
    expect(body[bodyField]).toBe(
      '<h2>Заголовок</h2><a href="https://example.org" rel="noopener noreferrer nofollow" target="_blank">есть</a> ' +
        '<a>нет</a> <a>тоже нет</a><img src="https://example.org/a.png" loading="lazy" referrerpolicy="no-referrer" />',
    )
  })

  it('keep the line breaks of plain text, Windows ones too', async ({ create }) => {
    const { body } = await create({ [bodyField]: 'первая\r\nвторая\n\nчетвёртая < 5 & 6' })
    expect(body[bodyField]).toBe('первая<br />вторая<br /><br />четвёртая &lt; 5 &amp; 6')
  })

  it.for(['', '   ', '<p> </p>', '<p>&nbsp;</p>', '<script>1</script>', '<p><br></p>\n', '\u200B'])(
    'refuse a body that is empty after cleaning: %j',
    async (text, { app, account }) => {
      const reply = await app.request(calls.create, { body: { ...save, [bodyField]: text } }, account.auth)
      expect(reply.status).toBe(400)
      expect(reply.body[bodyField]).toEqual(['Обязательное поле'])
    },
  )

  it('trim titles, drop control characters and store Unicode in NFC', async ({ create }) => {
    const { body } = await create({ title: ' \u0000Е\u0308ж\u0007 🦔\t ' })
    expect(body.title).toBe('Ёж 🦔')
  })

  it('accept a title of 255 characters and refuse one more; an emoji counts as one', async ({
    app,
    account,
    create,
  }) => {
    expect((await create({ title: '🦔'.repeat(255) })).status).toBe(201)
    const long = await app.request(calls.create, { body: { ...save, title: 'я'.repeat(256) } }, account.auth)
    expect([long.status, long.body.title]).toEqual([400, ['Не больше 255 символов']])
  })

  it('accept 50 tags of 50 characters and refuse more', async ({ app, account, create }) => {
    const names = Array.from({ length: 50 }, (_, at) => `${at}`.padEnd(50, 'щ'))
    expect((await create({ tags: names })).body.tags).toHaveLength(50)
    const many = await app.request(
      calls.create,
      { body: { ...save, tags: [...names, 'лишний'] } },
      account.auth,
    )
    expect([many.status, many.body.tags]).toEqual([400, ['Не больше 50 тегов']])
    const long = await app.request(calls.create, { body: { ...save, tags: ['щ'.repeat(51)] } }, account.auth)
    expect([long.status, long.body.tags]).toEqual([400, ['Не больше 50 символов']])
    const blank = await app.request(calls.create, { body: { ...save, tags: [' '] } }, account.auth)
    expect([blank.status, blank.body.tags]).toEqual([400, ['Обязательное поле']])
  })

  it('accept a body of 500,000 characters and refuse one more', async ({ app, account, create }) => {
    const text = 'ы'.repeat(500_000)
    expect((await create({ [bodyField]: text })).body[bodyField]).toBe(text)
    const long = await app.request(calls.create, { body: { ...save, [bodyField]: `${text}ы` } }, account.auth)
    expect([long.status, long.body[bodyField]]).toEqual([400, ['Не больше 500000 символов']])
  })

  it('refuse a body that cleaning makes longer than the limit', async ({ app, account }) => {
    const reply = await app.request(
      calls.create,
      { body: { ...save, [bodyField]: '&'.repeat(200_000) } },
      account.auth,
    )
    expect([reply.status, reply.body[bodyField]]).toEqual([400, ['Не больше 500000 символов']])
  })

  it('do not store fields that the contract does not have', async ({ create }) => {
    const { id, body } = await create({ id: 'mine', owner_id: 'x', created_at: '2001-01-01', extra: 1 })
    expect(body).not.toHaveProperty('extra')
    expect(body).not.toHaveProperty('owner_id')
    expect(id).not.toBe('mine')
    expect(String(body.created_at)).not.toMatch(/^2001/)
  })

  it.for([
    ['a list', []],
    ['a number', 5],
    ['a text', '"x"'],
    ['null', null],
  ] as const)('refuse %s in place of an object', async ([_, body], { app, account }) => {
    const reply = await app.request(calls.create, { body }, account.auth)
    expect(reply.status).toBe(400)
    expect(reply.body.detail).toBe('Пожалуйста, исправьте ошибки в форме.')
  })

  it('describe the error of a value of the wrong type', async ({ app, account }) => {
    const reply = await app.request(calls.create, { body: { ...save, title: 5, tags: 'x' } }, account.auth)
    expect(reply.body).toMatchObject({
      title: ['Значение неподходящего вида'],
      tags: ['Значение неподходящего вида'],
    })
  })

  describe('in lists', () => {
    it('stand newest first, 15 a page; a page past the end is empty with the right count', async ({
      app,
      create,
      list,
      titles,
    }) => {
      for (let at = 1; at <= 17; at += 1) {
        await create({ title: `№ ${at}` })
        app.advance(5)
      }
      const first = await list()
      expect(calls.list.response.safeParse(first.body).error).toBeUndefined()
      expect(first.body.count).toBe(17)
      expect(await titles({})).toEqual(Array.from({ length: 15 }, (_, at) => `№ ${17 - at}`))
      expect(await titles({ page: '2' })).toEqual(['№ 2', '№ 1'])
      expect((await list({ page: '3' })).body).toEqual({ results: [], count: 17 })
      expect((await list({ page: '9'.repeat(30) })).body).toEqual({ results: [], count: 17 })
    })

    it.for(['0', '-1', '1.5', 'x', '1e1', '', ' 1', '٣'])('refuse page %j', async (page, { list }) => {
      const reply = await list({ page })
      expect([reply.status, reply.body.page]).toEqual([400, ['Номер страницы — целое число от 1']])
    })

    it('are whole, or carry an excerpt if a summary is requested', async ({ create, list }) => {
      const text = `<p>${'слово '.repeat(40)}</p>`
      await create({ [bodyField]: text })
      const whole = await list()
      expect(whole.body.results).toMatchObject([{ [bodyField]: text }])
      const summary = await list({ view: 'summary' })
      expect(calls.list.summary.safeParse(summary.body).error).toBeUndefined()
      const [item] = summary.body.results as Record<string, string>[]
      expect(item).not.toHaveProperty(bodyField)
      expect(item?.excerpt).toBe(`${'слово '.repeat(40).slice(0, 100)}...`)
      expect((await list({ view: 'other' })).status).toBe(400)
    })

    it('are filtered by tag, together with search and page', async ({ create, list, titles }) => {
      const tagged = await create({ title: 'Пирог с яблоком', tags: ['кухня'] })
      await create({ title: 'Пирог с рыбой' })
      await create({ title: 'Суп', tags: ['кухня'] })
      const [tag] = tagged.body.tags as { id: string }[]
      const id = tag?.id ?? ''
      expect(await titles({ tag: id })).toEqual(['Суп', 'Пирог с яблоком'])
      expect((await list({ tag: id })).body.count).toBe(2)
      expect(await titles({ tag: id, search: 'пирог' })).toEqual(['Пирог с яблоком'])
      expect((await list({ tag: id, search: 'пирог' })).body.count).toBe(1)
      for (const unknown of ['x', '01a1fa45-9743-7383-8dfc-4ee65ccd69d0']) {
        const reply = await list({ tag: unknown })
        expect([reply.status, reply.body.detail]).toEqual([
          404,
          'Категория не найдена. Возможно, её уже удалили.',
        ])
      }
    })

    it('ignore a search that is empty', async ({ create, titles }) => {
      await create()
      for (const text of ['', '  ', '\u200B']) expect(await titles({ search: text })).toEqual(['Рецепт'])
    })
  })
})

describe('both kinds together', () => {
  it.beforeEach(async ({ app, account }) => {
    for (let at = 1; at <= 12; at += 1) {
      const common = { title: `Пирог ${at}`, tags: ['кухня'] }
      await app.call(notes.create, { body: { ...common, content: 'тесто' } }, account.auth)
      await app.call(
        links.create,
        { body: { ...common, description: 'тесто', url: 'https://example.org' } },
        account.auth,
      )
      app.advance(5)
    }
  })

  it('latest returns the newest 10 of each', async ({ app, account }) => {
    const {
      notes: ofNotes,
      urllinks,
      ...rest
    } = await app.call(latest, { query: { view: 'summary' } }, account.auth)
    expect(rest).toEqual({})
    for (const items of [ofNotes, urllinks]) {
      expect(items.map(({ title }) => title)).toEqual(
        Array.from({ length: 10 }, (_, at) => `Пирог ${12 - at}`),
      )
    }
    expect(
      latest.response.safeParse(await app.call(latest, { query: {} }, account.auth)).error,
    ).toBeUndefined()
  })

  it('search returns the best matches of each and their number', async ({ app, account }) => {
    const found = await app.call(search, { query: { search: 'пирог тест' } }, account.auth)
    expect(search.response.safeParse(found).error).toBeUndefined()
    expect([found.notes.length, found.notes_count, found.urllinks.length, found.urllinks_count]).toEqual([
      12, 12, 12, 12,
    ])
    const none = await app.call(search, { query: { search: 'борщ' } }, account.auth)
    expect(none).toEqual({ notes: [], urllinks: [], notes_count: 0, urllinks_count: 0 })
  })

  it('a tag returns its newest items', async ({ app, account }) => {
    const [tag] = await app.call(tags.list, { query: {} }, account.auth)
    expect(tag).toMatchObject({ name: 'кухня', notes_count: 12, urllinks_count: 12 })
    const { id } = tag ?? { id: '' }
    expect(await app.call(tags.read, { params: { id } }, account.auth)).toEqual(tag)
    const items = await app.call(tags.items, { params: { id }, query: { view: 'summary' } }, account.auth)
    expect(tags.items.summary.safeParse(items).error).toBeUndefined()
    expect([items.notes.length, items.urllinks.length, items.notes[0]?.title]).toEqual([12, 12, 'Пирог 12'])
  })
})

describe('addresses of links', () => {
  it.for([
    'http://example.org',
    'https://почта.рф/путь?q=Ёж#якорь',
    'FTP://ftp.example.org/файл',
    ' https://example.org ',
  ])('take %j and keep it as written', async (url, { tryUrl }) => {
    const reply = await tryUrl(url)
    expect([reply.status, reply.body.url]).toEqual([201, url.trim()])
  })

  it.for([
    'example.org',
    'javascript:alert(1)',
    'http://',
    'https:/example.org',
    'mailto:a@b.ru',
    'file:///etc',
    'xhttp://a.b',
  ])('refuse %j', async (url, { tryUrl }) => {
    const reply = await tryUrl(url)
    expect([reply.status, reply.body.url]).toEqual([400, ['Неверный формат URL']])
    expect(reply.body.error).toBe(reply.body.detail)
  })

  it('accept 2,048 characters and refuse one more', async ({ tryUrl }) => {
    const url = 'https://example.org/'.padEnd(2048, 'x')
    expect((await tryUrl(url)).status).toBe(201)
    expect((await tryUrl(`${url}x`)).body.url).toEqual(['Не больше 2048 символов'])
  })
})

import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test
  .extend(
    'rename',
    ({ app, account }) =>
      (id: string, name: unknown) =>
        app.request(tags.update, { params: { id }, body: { name } }, account.auth),
  )
  .extend(
    'remove',
    ({ app, account }) =>
      (id: string) =>
        app.request(tags.remove, { params: { id } }, account.auth),
  )
  .extend('found', ({ app, account }) => async (text: string) => {
    const response = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
    return [...response.notes, ...response.urllinks].map(({ title }) => title).sort()
  })
  .extend(
    'names',
    ({ app, account }) =>
      async () =>
        (await app.call(tags.list, { query: {} }, account.auth)).map(({ name }) => name),
  )
  .extend(
    'note',
    ({ app, account }) =>
      (title: string, names: string[], content = 'текст') =>
        app.call(notes.create, { body: { title, content, tags: names } }, account.auth),
  )
  /** Creates a note with a tag of that name; resolves to the tag's id. */
  .extend('tagOf', ({ note }) => async (name: string): Promise<string> => {
    const { tags: named } = await note('носитель', [name])
    return named[0]?.id ?? ''
  })

describe('renaming a tag', () => {
  it('responds with the tag and its counts, and items show the new name', async ({
    app,
    account,
    note,
    rename,
  }) => {
    const { id: note_id, tags: named } = await note('Отчёт', ['работа', 'дом'])
    const id = named.find(({ name }) => name === 'работа')?.id ?? ''
    const reply = await rename(id, ' Служба ')
    expect([reply.status, reply.body]).toEqual([
      200,
      { id, name: 'Служба', notes_count: 1, urllinks_count: 0 },
    ])
    const { tags: now } = await app.call(notes.read, { params: { id: note_id } }, account.auth)
    expect(now.map(({ name }) => name)).toEqual(['дом', 'Служба'])
  })

  it('makes notes and links found by the new name and not by the old one', async ({
    app,
    account,
    tagOf,
    rename,
    found,
  }) => {
    const id = await tagOf('старая')
    const link = { title: 'ссылка', url: 'https://example.org', description: 'd', tags: ['Старая', 'третья'] }
    await app.call(links.create, { body: link }, account.auth)
    await rename(id, 'новая метка')
    expect(await found('старая')).toEqual([])
    expect(await found('новая')).toEqual(['носитель', 'ссылка'])
    expect(await found('третья метка')).toEqual(['ссылка'])
  })

  it('adds only words of the name to search', async ({ tagOf, found }) => {
    const id = await tagOf('метка')
    for (const part of [id, id.slice(0, 4), id.replaceAll('-', ''), '0', 'tag'])
      expect(await found(part)).toEqual([])
  })

  it('lets search match two thousand tags that begin with the same two letters', async ({
    app,
    account,
    note,
    found,
  }) => {
    const start = async (from: number) =>
      note(
        'много',
        Array.from({ length: 50 }, (_, at) => `те${from + at}`),
      )
    for (let from = 0; from < 2000; from += 50) await start(from)
    const { notes_count } = await app.call(search, { query: { search: 'много те' } }, account.auth)
    expect(notes_count).toBe(40)
    expect(await found('те1234')).toEqual(['много'])
  })

  it.for(['работа', 'РАБОТА', ' Работа '])(
    'refuses %j, which another tag has',
    async (name, { tagOf, rename, names }) => {
      await tagOf('Работа')
      const reply = await rename(await tagOf('дом'), name)
      expect([reply.status, reply.body]).toEqual([
        400,
        {
          detail: 'Пожалуйста, исправьте ошибки в форме.',
          name: ['Категория с таким названием уже существует.'],
        },
      ])
      expect(await names()).toEqual(['дом', 'Работа'])
    },
  )

  it('accepts its own name, also in another letter case', async ({ tagOf, rename, found, names }) => {
    const id = await tagOf('работа')
    expect((await rename(id, 'РАБОТА')).body.name).toBe('РАБОТА')
    expect((await rename(id, 'РАБОТА')).status).toBe(200)
    expect(await names()).toEqual(['РАБОТА'])
    expect(await found('работа')).toEqual(['носитель'])
  })

  it('accepts a name that only another user has', async ({ app, tagOf, rename }) => {
    const stranger = await newAccount(app)
    const body = { title: 'носитель', content: 'текст', tags: ['чужая'] }
    const { tags: others } = await app.call(notes.create, { body }, stranger.auth)
    expect((await rename(await tagOf('моя'), 'чужая')).status).toBe(200)
    expect((await rename(others[0]?.id ?? '', 'x')).status).toBe(404)
  })

  it('gives a name to exactly one of many tags renamed concurrently', async ({ tagOf, rename }) => {
    const ids = await Promise.all(['а', 'б', 'в', 'г', 'д'].map(tagOf))
    const replies = await Promise.all(ids.map((id) => rename(id, 'одно имя')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  it('loses neither tag nor text of an item that is saved concurrently', async ({
    app,
    account,
    note,
    rename,
    found,
  }) => {
    const { id, tags: named } = await note('до', ['метка'])
    await Promise.all([
      rename(named[0]?.id ?? '', 'ярлык'),
      app.call(notes.update, { params: { id }, body: { title: 'после', content: 'слова' } }, account.auth),
      ...Array.from({ length: 5 }, (_, at) => note(`ещё ${at}`, ['другая'])),
    ])
    expect(await found('слова ярлык')).toEqual(['после'])
    expect(await found('метка')).toEqual([])
  })

  it.for([
    ['', 'Обязательное поле'],
    ['x'.repeat(51), 'Не больше 50 символов'],
    [5, 'Значение неподходящего вида'],
  ] as const)('refuses %j', async ([name, message], { tagOf, rename }) => {
    const reply = await rename(await tagOf('т'), name)
    expect([reply.status, reply.body.name]).toEqual([400, [message]])
  })
})

describe('deleting a tag', () => {
  it('keeps its items, which are no longer found by it', async ({
    app,
    account,
    tagOf,
    remove,
    found,
    names,
  }) => {
    const id = await tagOf('лишняя')
    const reply = await remove(id)
    expect([reply.status, reply.body]).toEqual([204, { text: '' }])
    expect(await found('лишняя')).toEqual([])
    expect(await names()).toEqual([])
    const { notes: all } = await app.call(search, { query: {} }, account.auth)
    expect(all.map(({ title, tags: left }) => [title, left])).toEqual([['носитель', []]])
    expect((await remove(id)).status).toBe(404)
  })

  it('keeps the other tags of its items, in search too', async ({ note, remove, found, names }) => {
    const { tags: named } = await note('запись', ['первая', 'вторая'])
    await remove(named.find(({ name }) => name === 'первая')?.id ?? '')
    expect(await found('вторая')).toEqual(['запись'])
    expect(await found('первая')).toEqual([])
    expect(await names()).toEqual(['вторая'])
  })

  it('lets concurrent saves with the tag succeed', async ({ app, account, note, tagOf, remove, names }) => {
    const id = await tagOf('спорная')
    const [removed, ...saved] = await Promise.all([
      remove(id),
      ...Array.from({ length: 8 }, (_, at) => note(`запись ${at}`, ['спорная'])),
    ])
    expect(removed?.status).toBe(204)
    const left = await names()
    for (const { id: note_id } of saved) {
      const { tags: carried } = await app.call(notes.read, { params: { id: note_id } }, account.auth)
      expect(left).toEqual(expect.arrayContaining(carried.map(({ name }) => name)))
    }
  })
})

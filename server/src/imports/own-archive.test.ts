import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { readFile, runImport } from '../testing/send-file.ts'

const archive = (items: readonly object[]): string =>
  [{ type: 'kopilka', version: 1 }, ...items].map((line) => JSON.stringify(line)).join('\n')

const link = (url: string, description: string, more = {}) => ({
  ...{ type: 'urllink', url, title: 'Ссылка', description },
  ...more,
})
const note = (title: string, more = {}) => ({ type: 'note', title, content: '<p>Текст</p>', ...more })

const DELETED = { deleted_at: '2026-01-02T03:04:05.678Z' }

describe("Копилка's own archive", () => {
  for (const duplicates of ['skip', 'merge'] as const)
    test(`keeps copies that somebody kept, also in different batches: ${duplicates}`, async ({
      app,
      account,
    }) => {
      const url = 'https://example.org/'
      const others = Array.from({ length: 250 }, (_, at) => note(`Заметка ${at}`))
      const items = [link(url, '<p>раз</p>'), link(url, '<p>два</p>'), ...others, link(url, '<p>три</p>')]
      const { id, summary } = await readFile(app, account, archive(items))
      expect(summary).toMatchObject({ new: 253, same: 0 })
      const { result } = await runImport(app, account, id, { duplicates })
      expect(result).toMatchObject({ added: 253, merged: 0, skipped: 0 })
      const { results } = await app.call(links.list, { query: {} }, account.auth)
      expect(results.map(({ description }) => description).sort()).toEqual([
        ...['<p>два</p>', '<p>раз</p>', '<p>три</p>'],
      ])
      const again = await readFile(app, account, archive(items))
      expect(again.summary).toMatchObject({ new: 0, same: 253 })
      const second = await runImport(app, account, again.id)
      expect(second.result).toMatchObject({ added: 0, skipped: 253 })
    })

  test('merges nothing the second time, also into copies of one page that differ', async ({
    app,
    account,
  }) => {
    const created_at = '2026-01-02T03:04:05.678Z'
    const url = 'https://example.org/page'
    const items = [
      link(`${url}#a`, '<p>первое</p>', { created_at, tags: ['один'] }),
      link(`${url}#b`, '<p>второе</p>', { created_at, tags: ['два'] }),
      link(`${url}#b`, '<p>третье</p>', { created_at: '2026-01-02T03:04:05.679Z' }),
      link(`${url}#b`, '<p>четвёртое</p>', { created_at }),
    ]
    for (const added of [4, 0]) {
      const { id } = await readFile(app, account, archive(items))
      const { result } = await runImport(app, account, id, { duplicates: 'merge' })
      expect(result).toMatchObject({ added, merged: 0, skipped: 4 - added })
    }
    const { results } = await app.call(links.list, { query: {} }, account.auth)
    expect(results.map(({ description }) => description).sort()).toEqual(
      ['<p>второе</p>', '<p>первое</p>', '<p>третье</p>', '<p>четвёртое</p>'].sort(),
    )
  })

  test('merges nothing the second time into one of very many copies of one page', async ({
    app,
    account,
  }) => {
    const of = (at: number) => new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString()
    const items = Array.from({ length: 130 }, (_, at) => ({
      ...link('https://example.org/page', `<p>текст${at}</p>`, { created_at: of(at) }),
      title: `Ссылка ${at}`,
    }))
    for (const added of [130, 0]) {
      const { id } = await readFile(app, account, archive(items))
      const { result } = await runImport(app, account, id, { duplicates: 'merge' })
      expect(result).toMatchObject({ added, merged: 0, skipped: 130 - added })
    }
  })

  test('finds the copy of an entry by its date, however many tags another one shares with it', async ({
    app,
    account,
  }) => {
    const created = (year: number) => ({ created_at: `${year}-01-02T03:04:05.678Z` })
    const items = [
      note('Заметка', { ...created(2020), tags: ['x', 'y'] }),
      note('Заметка', { ...created(2021), tags: ['x', 'y', 'z'] }),
    ]
    await runImport(app, account, (await readFile(app, account, archive(items))).id)
    const kept = async () => {
      const { results } = await app.call(notes.list, { query: {} }, account.auth)
      return results.map(({ id, created_at, tags }) => ({
        id,
        created_at,
        tags: tags.map(({ name }) => name),
      }))
    }
    const before = await kept()
    const body = { title: 'Заметка', content: '<p>Текст</p>', tags: [] }
    await app.call(notes.update, { params: { id: before[1]?.id ?? '' }, body }, account.auth)
    const { id } = await readFile(app, account, archive(items))
    const { result } = await runImport(app, account, id, { duplicates: 'merge' })
    expect(result).toMatchObject({ added: 0, merged: 1, skipped: 1 })
    expect(await kept()).toEqual(before)
  })

  for (const duplicates of ['skip', 'merge'] as const)
    test(`compares what was deleted with no item that is there: ${duplicates}`, async ({ app, account }) => {
      const url = 'https://example.org/'
      const items = [
        ...[note('Написана заново'), link(url, '<p>живая</p>')],
        ...[note('Написана заново', DELETED), link(url, '<p>удалённая</p>', DELETED)],
      ]
      const { id, summary } = await readFile(app, account, archive(items))
      expect(summary).toMatchObject({ new: 4, same: 0 })
      const { result } = await runImport(app, account, id, { duplicates })
      expect(result).toMatchObject({ added: 4, merged: 0, skipped: 0 })
      const { results } = await app.call(links.list, { query: {} }, account.auth)
      expect(results.map(({ description }) => description)).toEqual(['<p>живая</p>'])
      expect((await app.call(notes.list, { query: {} }, account.auth)).count).toBe(1)
      expect((await app.call(trash.list, { query: {} }, account.auth)).count).toBe(2)
    })

  for (const duplicates of ['skip', 'merge'] as const)
    test(`adds no trash the second time, but all copies the first time: ${duplicates}`, async ({
      app,
      account,
    }) => {
      const items = [note('Удалённая', DELETED), note('Удалённая', DELETED), note('Другая', DELETED)]
      const first = await readFile(app, account, archive(items))
      await runImport(app, account, first.id, { duplicates })
      const later = note('Другая', { deleted_at: '2026-02-02T03:04:05.678Z' })
      const again = await readFile(app, account, archive([...items, later]))
      expect(again.summary).toMatchObject({ new: 1, same: 3 })
      const { result } = await runImport(app, account, again.id, { duplicates })
      expect(result).toMatchObject({ added: 1, merged: 0, skipped: 3 })
      expect((await app.call(trash.list, { query: {} }, account.auth)).count).toBe(4)
    })

  for (const duplicates of ['skip', 'merge'] as const)
    test(`adds nothing the second time that was deleted in the future: ${duplicates}`, async ({
      app,
      account,
    }) => {
      const deleted_at = new Date(app.now() + 400 * 24 * 60 * 60_000).toISOString()
      const items = [
        note('Удалённая', { deleted_at }),
        note('Удалённая', { deleted_at }),
        note('Другая', DELETED),
      ]
      const first = await readFile(app, account, archive(items))
      expect(first.summary).toMatchObject({ new: 3, same: 0 })
      expect((await runImport(app, account, first.id, { duplicates })).result).toMatchObject({ added: 3 })
      const later = note('Другая', { deleted_at: '2026-02-02T03:04:05.678Z' })
      const again = await readFile(app, account, archive([...items, later]))
      expect(again.summary).toMatchObject({ new: 1, same: 3 })
      const { result } = await runImport(app, account, again.id, { duplicates })
      expect(result).toMatchObject({ added: 1, skipped: 3 })
    })

  for (const duplicates of ['skip', 'merge'] as const)
    test(`adds nothing the second time once the time of its deletion has come: ${duplicates}`, async ({
      startApp,
    }) => {
      const app = await startApp()
      const account = await newAccount(app)
      const deletedIn = (minutes: number) => ({
        deleted_at: new Date(app.now() + minutes * 60_000).toISOString(),
      })
      const soon = deletedIn(3)
      const items = [
        ...[note('Удалённая', soon), note('Удалённая', soon), link('https://example.org/', '', soon)],
        note('Другая', DELETED),
      ]
      const first = await readFile(app, account, archive(items))
      expect((await runImport(app, account, first.id, { duplicates })).result).toMatchObject({ added: 4 })
      app.advance(10 * 60_000)
      const again = await readFile(app, account, archive([...items, note('Удалённая', deletedIn(-6))]))
      expect(again.summary).toMatchObject({ new: 1, same: 4 })
      const { result } = await runImport(app, account, again.id, { duplicates })
      expect(result).toMatchObject({ added: 1, merged: 0, skipped: 4 })
    })

  test('finds what was deleted before the trash had keys', async ({ app, account }) => {
    const items = [
      note('Удалённая', DELETED),
      note('Другая', DELETED),
      link('https://example.org/', '', DELETED),
    ]
    await runImport(app, account, (await readFile(app, account, archive(items))).id)
    await app.db.updateTable('trash').set({ identity_key: null }).where('owner_id', '=', account.id).execute()
    expect((await readFile(app, account, archive(items))).summary).toMatchObject({ new: 0, same: 3 })
  })

  for (const duplicates of ['skip', 'merge'] as const)
    test(`adds nothing the second time, also where both were read before either was run: ${duplicates}`, async ({
      app,
      account,
    }) => {
      const url = 'https://example.org/'
      const others = Array.from({ length: 250 }, (_, at) => note(`Заметка ${at}`))
      const items = [
        ...[link(url, '<p>раз</p>'), link(url, '<p>два</p>'), note('Удалённая', DELETED)],
        ...[...others, link(url, '<p>раз</p>'), note('Удалённая', DELETED)],
      ]
      const ids = [await readFile(app, account, archive(items)), await readFile(app, account, archive(items))]
      const [first, second] = ids.map(({ id }) => id)
      const { result } = await runImport(app, account, first ?? '', { duplicates })
      expect(result).toMatchObject({ added: 255, merged: 0, skipped: 0 })
      const again = await runImport(app, account, second ?? '', { duplicates })
      expect(again.result).toMatchObject({ added: 0, merged: 0, skipped: 255 })
    })

  test('merges into what the account had, and into nothing that it has added itself', async ({
    app,
    account,
  }) => {
    const url = 'https://example.org/'
    await app.call(
      links.create,
      { body: { title: 'Моя', url, description: '<p>своё</p>', tags: [] } },
      account.auth,
    )
    const others = Array.from({ length: 250 }, (_, at) => note(`Заметка ${at}`))
    const items = [link(url, '<p>раз</p>'), ...others, link(url, '<p>два</p>')]
    const { id, summary } = await readFile(app, account, archive(items))
    expect(summary).toMatchObject({ new: 250, same: 2 })
    const { result } = await runImport(app, account, id, { duplicates: 'merge' })
    expect(result).toMatchObject({ added: 250, merged: 2, skipped: 0 })
    const { results } = await app.call(links.list, { query: {} }, account.auth)
    expect(results.map(({ description }) => description)).toEqual(['<p>своё</p><p>раз</p><p>два</p>'])
  })

  for (const duplicates of ['skip', 'add'] as const)
    test(`keeps how the trash spells tags that were respelled since: ${duplicates}`, async ({
      app,
      account,
    }) => {
      // Not so long ago that it would be purged.
      const deleted_at = new Date(app.now() - 1000).toISOString()
      const items = [
        { type: 'tag', name: 'БЕТА' },
        note('Новая', { tags: ['БЕТА'] }),
        note('Удалённая', { deleted_at, tags: ['Бета', 'Гамма'] }),
      ]
      const { id } = await readFile(app, account, archive(items))
      await runImport(app, account, id, { duplicates })
      const { results } = await app.call(trash.list, { query: {} }, account.auth)
      expect(results.map(({ tags }) => tags.map(({ name }) => name).sort())).toEqual([['Бета', 'Гамма']])
      const ids = results.map((one) => one.id)
      await app.call(trash.restore, { body: { ids } }, account.auth)
      const restored = await app.call(notes.read, { params: { id: ids[0] ?? '' } }, account.auth)
      expect(restored.tags.map(({ name }) => name).sort()).toEqual(['БЕТА', 'Гамма'])
    })

  test('creates no tag without a name', async ({ app, account }) => {
    const items = [{ type: 'tag', name: ' ' }, { type: 'tag' }, { type: 'tag', name: 'Тег' }]
    const { id, summary } = await readFile(app, account, archive(items))
    expect(summary).toMatchObject({ tags: 1, broken: 2 })
    await runImport(app, account, id)
    const all = await app.call(tags.list, { query: {} }, account.auth)
    expect(all.map(({ name }) => name)).toEqual(['Тег'])
  })

  test('keeps texts as they were stored, also what was written as references to characters', async ({
    app,
    account,
  }) => {
    const body = { title: 'Заметка', content: '<p>е&#x308; e&#x301; a&#13;b&#1;c</p>', tags: [] }
    const { content } = await app.call(notes.create, { body }, account.auth)
    const other = await newAccount(app)
    const version = {
      ...{ type: 'version', title: 'Прежняя', content, tags: [], revision: 1 },
      ...{
        saved_at: new Date(app.now() - 2).toISOString(),
        replaced_at: new Date(app.now() - 1).toISOString(),
      },
    }
    const items = [
      note('Заметка', { content, revision: 2 }),
      version,
      note('Плохая', { content: 'a\0b\uD800' }),
    ]
    const { id } = await readFile(app, other, archive(items))
    await runImport(app, other, id)
    const { results } = await app.call(notes.list, { query: {} }, other.auth)
    expect(results.map((one) => one.content).sort()).toEqual([content, 'ab\uFFFD'])
    const params = { id: results.find(({ title }) => title === 'Заметка')?.id ?? '', revision: '1' }
    expect((await app.call(notes.version, { params }, other.auth)).content).toBe(content)
  })
})

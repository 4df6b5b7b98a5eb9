import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { describe, expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'

const text = { title: 'Заметка', content: 'текст' }
const namesOf = (item: { tags: readonly { name: string }[] }) => item.tags.map(({ name }) => name)

describe('a PUT with add_tags and remove_tags', () => {
  it('adds and removes these, and leaves the other tags', async ({ app, account: { auth } }) => {
    const { id } = await app.call(notes.create, { body: { ...text, tags: ['дом', 'сад'] } }, auth)
    const put = (body: object) => app.call(notes.update, { params: { id }, body: { ...text, ...body } }, auth)
    expect(namesOf(await put({ add_tags: ['Работа'], remove_tags: ['ДОМ'] }))).toEqual(['Работа', 'сад'])
    expect(namesOf(await put({ add_tags: ['САД', 'лес'] }))).toEqual(['лес', 'Работа', 'сад'])
    expect(namesOf(await put({ remove_tags: ['лес', 'нет такого'] }))).toEqual(['Работа', 'сад'])
    expect(namesOf(await put({ add_tags: ['сад'], remove_tags: ['сад'] }))).toEqual(['Работа', 'сад'])
    expect(namesOf(await put({ add_tags: [], remove_tags: [] }))).toEqual(['Работа', 'сад'])
    const listed = await app.call(tags.list, { query: {} }, auth)
    expect(listed.map(({ name, notes_count }) => [name, notes_count])).toEqual([
      ['дом', 0],
      ['лес', 0],
      ['Работа', 1],
      ['сад', 1],
    ])
    const found = await app.call(notes.list, { query: { search: 'tag:работа' } }, auth)
    expect(found.count).toBe(1)
  })

  it('brings back no tag that was renamed or deleted meanwhile', async ({ app, account: { auth } }) => {
    const made = await app.call(notes.create, { body: { ...text, tags: ['дом', 'сад'] } }, auth)
    const [home, garden] = made.tags
    await app.call(tags.update, { params: { id: home?.id ?? '' }, body: { name: 'жильё' } }, auth)
    await app.call(tags.remove, { params: { id: garden?.id ?? '' } }, auth)
    const body = { ...text, add_tags: ['лес'], remove_tags: [] }
    expect(namesOf(await app.call(notes.update, { params: { id: made.id }, body }, auth))).toEqual([
      'жильё',
      'лес',
    ])
    const listed = await app.call(tags.list, { query: {} }, auth)
    expect(listed.map(({ name }) => name)).toEqual(['жильё', 'лес'])
  })

  it('is refused beside tags, and where the item would have more than fifty', async ({ app, account }) => {
    const { auth } = account
    const many = Array.from({ length: 49 }, (_, at) => `тег ${at}`)
    const link = { title: 'Ссылка', url: 'https://example.org/', description: 'текст' }
    const { id } = await app.call(links.create, { body: { ...link, tags: many } }, auth)
    const put = (body: object) =>
      app.request(links.update, { params: { id }, body: { ...link, ...body } }, auth)
    for (const both of [
      { tags: [], add_tags: [] },
      { tags: ['один'], remove_tags: ['два'] },
    ]) {
      const { status, body } = await put(both)
      expect([status, body.tags]).toEqual([400, ['Нужно либо tags, либо add_tags и remove_tags']])
    }
    const { status, body } = await put({ add_tags: ['раз', 'два'] })
    expect([status, body.add_tags]).toEqual([400, ['Не больше 50 тегов']])
    expect((await put({ add_tags: ['раз', 'два'], remove_tags: ['тег 0'] })).status).toBe(200)
  })

  it('is no conflict where the item is as it would be', async ({ app, account: { auth } }) => {
    const { id } = await app.call(notes.create, { body: { ...text, tags: ['дом', 'сад'] } }, auth)
    const sending = { ...auth, headers: { 'if-match': '"1"' } }
    const put = (add_tags: string[], remove_tags: string[]) =>
      app.request(notes.update, { params: { id }, body: { ...text, add_tags, remove_tags } }, sending)
    expect((await put(['лес'], ['дом'])).status).toBe(200)
    expect((await put(['лес'], ['дом'])).status).toBe(200)
    expect((await put(['луг'], ['дом'])).status).toBe(412)
    expect((await put(['лес'], ['сад'])).status).toBe(412)
  })
})

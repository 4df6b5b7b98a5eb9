import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { STEP } from './running.ts'

describe('changes of many items', () => {
  test('are two at a time for an owner; twenty wait, others are refused at once, and other owners go on', async ({
    app,
    account,
  }) => {
    for (let count = 0; count <= STEP; count += 1)
      await app.call(notes.create, { body: { title: `${count}`, content: 'текст' } }, account.auth)
    const other = await newAccount(app)
    const theirs = await app.call(notes.create, { body: { title: 'Чужая', content: 'текст' } }, other.auth)

    const changes = Array.from({ length: 60 }, (_, at) =>
      app.request(bulk.change, { body: { filter: {}, pinned: at % 2 === 0 } }, account.auth),
    )
    const reply = await app.request(bulk.change, { body: { ids: [theirs.id], pinned: true } }, other.auth)
    expect([reply.status, reply.body]).toEqual([200, { changed: 1 }])
    const replies = await Promise.all(changes)
    const statuses = replies.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a search of the trash', () => {
  test('finds words of texts whose terms are read one by one', async ({ app, account: { auth } }) => {
    const words = Array.from({ length: 5_000 }, (_, at) => `слово${at.toString(36)}ж`)
    for (const [title, content] of [
      ['Короткая', 'слово1ж'],
      ['Длинная', words.join(' ')],
      ['Вторая длинная', `${words.join(' ')} ${words.join('ы ')}`],
      ['Другая', 'ничего'],
    ] as const) {
      const { id } = await app.call(notes.create, { body: { title, content: `<p>${content}</p>` } }, auth)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const found = async (search: string) =>
      (await app.call(trash.list, { query: { search } }, auth)).results.map(({ title }) => title)
    expect(await found('слово1ж')).toEqual(['Вторая длинная', 'Длинная', 'Короткая'])
    expect(await found(`${words.at(-1)}`)).toEqual(['Вторая длинная', 'Длинная'])
    expect(await found(`"${words.slice(-3).join(' ')}"`)).toEqual(['Вторая длинная', 'Длинная'])
  })

  test('lists any page by an index', async ({ app, account: { auth } }) => {
    for (let count = 0; count < 17; count += 1) {
      const { id } = await app.call(notes.create, { body: { title: `${count}`, content: 'x' } }, auth)
      await app.call(notes.remove, { params: { id } }, auth)
    }
    const { count, results } = await app.call(trash.list, { query: { page: '2' } }, auth)
    expect([count, results.map(({ title }) => title)]).toEqual([17, ['1', '0']])
  })
})

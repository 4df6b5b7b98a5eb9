import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test.extend('withTags', ({ app, account: { auth } }) => async (...names: string[]) => {
  await app.call(notes.create, { body: { title: 't', content: 'c', tags: names } }, auth)
  const list = async (search?: string) => {
    const found = await app.call(tags.list, { query: search === undefined ? {} : { search } }, auth)
    expect(tags.list.response.safeParse(found).error).toBeUndefined()
    return found.map(({ name }) => name)
  }
  return { list }
})

it('lists tags in Russian alphabetical order without regard to case, ё beside е', async ({ withTags }) => {
  const { list } = await withTags('яблоко', 'Ель', 'ёж', 'Ежевика', 'аист', 'Борщ', 'apple', 'жук')
  expect(await list()).toEqual(['аист', 'Борщ', 'ёж', 'Ежевика', 'Ель', 'жук', 'яблоко', 'apple'])
})

it('finds tags by any part of the name, without regard to case, ё and accents', async ({ withTags }) => {
  const { list } = await withTags('Чёрный чай', 'кофе', 'café')
  expect(await list('ЧЕР')).toEqual(['Чёрный чай'])
  expect(await list('ный')).toEqual(['Чёрный чай'])
  expect(await list('Cafe')).toEqual(['café'])
  expect(await list('%')).toEqual([])
  expect(await list('')).toHaveLength(3)
})

it('returns the first tags of the alphabet up to a limit', async ({ app, account, withTags }) => {
  await withTags('в', 'а', 'г', 'б')
  const first = await app.call(tags.list, { query: { limit: '2' } }, account.auth)
  expect(first.map(({ name }) => name)).toEqual(['а', 'б'])
  expect((await app.request(tags.list, { query: { limit: '0' } }, account.auth)).status).toBe(400)
})

it('says which of the tags asked for were merged into a tag, until that is undone', async ({
  app,
  account: { auth },
}) => {
  const body = { title: 't', content: 'c', tags: ['лес', 'бор', 'роща', 'сад'] }
  const { tags: made } = await app.call(notes.create, { body }, auth)
  const idOf = (name: string) => made.find((tag) => tag.name === name)?.id ?? ''
  const [wood, pines, grove, garden] = ['лес', 'бор', 'роща', 'сад'].map(idOf)
  const merge = async (id = '', into = '') =>
    (await app.request(tags.merge, { params: { id }, body: { into } }, auth)).headers.get('operation') ?? ''
  const merged = [wood, pines, grove, garden, 'malformed', ''].join()
  const mergedIds = async (as = auth) => {
    const found = await app.call(tags.list, { query: { merged } }, as)
    expect(tags.list.response.safeParse(found).error).toBeUndefined()
    return found.map(({ name, merged_ids }) => [name, merged_ids?.toSorted()])
  }
  await merge(wood, pines)
  const last = await merge(pines, grove)
  await app.request(tags.remove, { params: { id: garden ?? '' } }, auth)
  expect(await mergedIds()).toEqual([['роща', [wood, pines].sort()]])
  expect(await app.call(tags.list, { query: {} }, auth)).toMatchObject([{ name: 'роща' }])
  await app.call(operations.undo, { params: { id: last } }, auth)
  expect(await mergedIds()).toEqual([
    ['бор', [wood]],
    ['роща', undefined],
  ])
  const stranger = await newAccount(app)
  await app.call(notes.create, { body }, stranger.auth)
  expect((await mergedIds(stranger.auth)).flatMap(([, ids]) => ids ?? [])).toEqual([])
  const many = Array.from({ length: 101 }, () => wood).join()
  expect((await app.request(tags.list, { query: { merged: many } }, auth)).status).toBe(400)
})

import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

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

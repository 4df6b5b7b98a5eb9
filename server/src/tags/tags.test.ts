import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { newAccount } from '../testing/new-account.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const accountWithTags = async (...names: string[]) => {
  const account = await newAccount(app)
  await app.call(notes.create, { body: { title: 't', content: 'c', tags: names } }, account.auth)
  const list = async (search?: string) => {
    const found = await app.call(tags.list, { query: search === undefined ? {} : { search } }, account.auth)
    expect(tags.list.response.safeParse(found).error).toBeUndefined()
    return found.map(({ name }) => name)
  }
  return { list }
}

it('lists tags in Russian alphabetical order without regard to case, ё beside е', async () => {
  const { list } = await accountWithTags('яблоко', 'Ель', 'ёж', 'Ежевика', 'аист', 'Борщ', 'apple', 'жук')
  expect(await list()).toEqual(['аист', 'Борщ', 'ёж', 'Ежевика', 'Ель', 'жук', 'яблоко', 'apple'])
})

it('finds tags by any part of the name, without regard to case, ё and accents', async () => {
  const { list } = await accountWithTags('Чёрный чай', 'кофе', 'café')
  expect(await list('ЧЕР')).toEqual(['Чёрный чай'])
  expect(await list('ный')).toEqual(['Чёрный чай'])
  expect(await list('Cafe')).toEqual(['café'])
  expect(await list('%')).toEqual([])
  expect(await list('')).toHaveLength(3)
})

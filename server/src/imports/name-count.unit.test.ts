import { expect, it } from 'vitest'
import { createNameCount } from './name-count.ts'

it('counts names once, whatever their letter case, and keeps no more of them than are wanted', () => {
  const names = createNameCount(3)
  for (const name of ['Лес', 'лес', 'Дом']) names.add(name)
  expect(names.size()).toBe(2)
  for (const name of ['а', 'б', 'в', 'Лес']) names.add(name)
  expect(names.size()).toBe(3)
})

import { expect, test } from 'vitest'
import { normalizeTagNames } from './tag-names.ts'

test('the first spelling stays, and a known tag lends its own', () => {
  expect(normalizeTagNames(['Ёлка', 'ёлка', ' работа '], ['Работа'])).toEqual(['Ёлка', 'Работа'])
})

test('what is left empty is no tag', () => {
  expect(normalizeTagNames(['', ' \n', 'дом\u0000'], [])).toEqual(['дом'])
})

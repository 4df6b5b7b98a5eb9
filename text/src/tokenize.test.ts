import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eachRunOf, eachWordOf } from './tokenize.ts'

const LETTERS = fc.constantFrom(..."абёйБЁИabİIßςΣ½ﷺ019-.+#'\u0301\u0306\u00AD\u200D \n日𝒳😀")

it('words stand where they are said to, whatever is before them', () => {
  const texts = fc.oneof(fc.string({ unit: LETTERS }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(texts, (text) => {
      for (const { folded, start, end } of eachWordOf(text))
        expect([...eachWordOf(text.slice(start, end))]).toEqual([{ folded, start: 0, end: end - start }])
    }),
  )
})

it('letters that grow as they become small move nothing', () => {
  const text = 'İİ Ёлка ДОМ-2'
  expect([...eachWordOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual(text.split(/[ -]/))
  expect([...eachWordOf(text)].map(({ folded }) => folded)).toEqual(['ii', 'елка', 'дом', '2'])
})

it('of one word without end the beginning is looked at', () => {
  const folded = (word: string) => [...eachWordOf(word)].map((word) => word.folded)
  expect(folded(`ж${'\u0301'.repeat(1000)}я`)).toEqual(['жя'])
  expect(folded(`ж${'\u0301'.repeat(5000)}я`)).toEqual(['ж'])
})

it.each([
  ['рок-н-ролл', ['рок', 'н', 'ролл'], 'рокнролл'],
  ['C++', ['c'], 'c++'],
  ['Дом', ['дом'], undefined],
  ['дом#', ['дом'], 'дом#'],
  ['Ёж.', ['еж'], undefined],
  ['8-800-555-35-35', ['8', '800', '555', '35', '35'], '88005553535'],
  ['%D0%81%d0%B6', ['еж'], undefined],
  ['%D0%B8%CC%86', ['й'], undefined],
  ['%C1%BF', ['c1bf'], undefined],
  ['XN--80A1ACNY', ['почта'], undefined],
])('%s is one run', (text, folded, joined) => {
  const [run, ...more] = eachRunOf(text)
  expect(more).toEqual([])
  expect(run?.words.map((word) => word.folded)).toEqual(folded)
  expect(run?.joined).toBe(joined)
})

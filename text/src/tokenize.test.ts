import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countForms, formsOf, tokenGroups, tokensOf } from './tokenize.ts'

const LETTERS = fc.constantFrom(..."абёйБЁИabİIßςΣ½ﷺ019-.+#'\u0301\u0306\u00AD\u200D \n日𝒳😀")

it('tokens stand where they are said to, whatever is before them', () => {
  const texts = fc.oneof(fc.string({ unit: LETTERS }), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(texts, (text) => {
      for (const { form, start, end } of tokensOf(text))
        expect([...tokensOf(text.slice(start, end))]).toEqual([{ form, start: 0, end: end - start }])
    }),
  )
})

it('counts the forms of all token groups, in their order', () => {
  fc.assert(
    fc.property(fc.string({ unit: LETTERS }), (text) => {
      const forms = [...tokenGroups(text)].flatMap(formsOf)
      const counted = [...new Set(forms)].map((form) => [form, forms.filter((one) => one === form).length])
      expect([...countForms(text)]).toEqual(counted)
    }),
  )
})

it('keeps positions where a letter gets longer in lower case', () => {
  const text = 'İİ Ёлка ДОМ-2'
  expect([...tokensOf(text)].map(({ start, end }) => text.slice(start, end))).toEqual(text.split(/[ -]/))
  expect([...tokensOf(text)].map(({ form }) => form)).toEqual(['ii', 'елка', 'дом', '2'])
})

it('only the beginning of an endless word counts', () => {
  const formsIn = (word: string) => [...tokensOf(word)].map((word) => word.form)
  expect(formsIn(`ж${'\u0301'.repeat(1000)}я`)).toEqual(['жя'])
  expect(formsIn(`ж${'\u0301'.repeat(5000)}я`)).toEqual(['ж'])
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
])('%s is one token group', (text, forms, joined) => {
  const [group, ...more] = tokenGroups(text)
  expect(more).toEqual([])
  expect(group?.tokens.map(({ form }) => form)).toEqual(forms)
  expect(group?.joined).toBe(joined)
})

import { expect, it } from 'vitest'
import { translateQuery } from './query.ts'
import { InvalidFields } from './sent.ts'

const spellingOf = (name: string) => (name === 'мой-тег' ? 'мой тег' : name)
const textsOf = (query: string) => translateQuery(query, spellingOf).texts

it.each<[query: string, texts: string[]]>([
  ['', ['']],
  ['раз два', ['раз два']],
  ['раз AND два', ['раз два']],
  ['раз or два три', ['раз', 'два три']],
  ['rome (#article or #book)', ['rome tag:"article"', 'rome tag:"book"']],
  ['history not (#article or #book)', ['history -tag:"article" -tag:"book"']],
  ['not (раз два)', ['-раз', '-два']],
  ['not not раз', ['раз']],
  ['not (раз or not (два or три))', ['-раз два', '-раз три']],
  ['#мой-тег', ['tag:"мой тег"']],
  ['"beyond good and evil"', ['"beyond good and evil"']],
  ["'good or bad' don't 'tis", ['"good or bad" don\'t \'tis']],
  ['"не закрыта', ['"не закрыта"']],
  ['not "раз два"', ['-"раз два"']],
  // What is not closed, or has nothing on one side, is left out.
  ['раз or', ['раз']],
  ['or раз and', ['раз']],
  ['((раз', ['раз']],
  ['раз) or два)', ['раз два']],
  ['() not', ['']],
  ['not ()', ['']],
])('%j is %j', (query, texts) => {
  expect(textsOf(query)).toEqual(texts)
})

it('takes the words for states out of the texts', () => {
  const flagsOf = (query: string) => {
    const { unread, untagged } = translateQuery(query, spellingOf)
    return [unread, untagged]
  }
  expect(flagsOf('раз')).toEqual([undefined, false])
  expect(flagsOf('раз !unread')).toEqual([true, false])
  expect(flagsOf('not !UNREAD')).toEqual([false, false])
  expect(flagsOf('(!untagged) раз')).toEqual([undefined, true])
  expect(flagsOf('not !untagged')).toEqual([undefined, false])
  expect(textsOf('!unread раз !untagged')).toEqual(['раз'])
})

it('refuses a query of more than eight alternatives', () => {
  expect(textsOf('(a or b) (c or d) (e or f)')).toHaveLength(8)
  for (const query of ['(a or b) (c or d) (e or f) (g or h)', 'a or '.repeat(9), '(a or b)'.repeat(60)])
    expect(() => textsOf(query)).toThrow(InvalidFields)
})

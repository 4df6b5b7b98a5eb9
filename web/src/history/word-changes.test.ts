import { expect, test } from 'vitest'
import { nameChanges, type Piece, wordChanges } from './word-changes.ts'

/** The pieces as one text, the changed ones in brackets. */
const marked = (pieces: Piece[] | undefined) =>
  pieces?.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')

test('marks the words that one text has and the other lacks, Russian and English alike', () => {
  const changes = wordChanges('Купить хлеб, чай и milk.', 'Купить хлеб, кофе и cold milk!')
  expect(marked(changes?.before)).toBe('Купить хлеб, [чай] и milk[.]')
  expect(marked(changes?.after)).toBe('Купить хлеб, [кофе] и [cold] milk[!]')
})

test('white space alone is no change, and each text keeps its own', () => {
  const changes = wordChanges('раз\nдва', 'раз новое два')
  expect(marked(changes?.before)).toBe('раз\nдва')
  expect(marked(changes?.after)).toBe('раз [новое] два')
  expect(marked(wordChanges('раз два', 'раз\nдва')?.after)).toBe('раз\nдва')
})

test('a name that both lists have is no change, wherever it stands', () => {
  const changes = nameChanges(['отпуск', 'работа'], ['горы', 'отпуск'])
  expect(marked(changes.before)).toBe('отпуск, [работа]')
  expect(marked(changes.after)).toBe('[горы], отпуск')
  expect(nameChanges([], ['дом'])).toEqual({ before: [], after: [{ text: 'дом', changed: true }] })
})

test('a blank text has no pieces; against it everything is new', () => {
  expect(wordChanges('', 'раз')).toEqual({ before: [], after: [{ text: 'раз', changed: true }] })
})

test('of long texts with nothing in common the comparison ends by itself', () => {
  const words = (from: number) => Array.from({ length: 40_000 }, (_, at) => `w${from + at}`).join(' ')
  const changes = wordChanges(words(0), words(100_000))
  expect(marked(changes?.before)).toMatch(/^\[w0 /)
})

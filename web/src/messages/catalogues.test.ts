import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, test } from 'vitest'
import en from './en.json'
import first from './ru.json'
import accounts from './ru-accounts.json'
import data from './ru-data.json'
import editor from './ru-editor.json'
import lazy from './ru-lazy.json'
import main from './ru-main.json'
import offline from './ru-offline.json'
import pictures from './ru-pictures.json'
import programs from './ru-programs.json'

const ru = {
  ...first,
  ...main,
  ...accounts,
  ...lazy,
  ...data,
  ...editor,
  ...pictures,
  ...programs,
  ...offline,
}

/** The plural categories each language tells apart. */
const FORMS = { ru: ['one', 'few', 'many', 'other'], en: ['one', 'other'] }

/** The choices a message makes by number, as `{ one: …, other: … }`. */
const pluralsOf = (message: string): object[] =>
  compileMessageOrThrow(message).flatMap((part) =>
    Array.isArray(part) && part[1] === 'plural' && typeof part[2] === 'object' && part[2] ? [part[2]] : [],
  )

const placesOf = (message: string): unknown[] =>
  compileMessageOrThrow(message)
    .flatMap((part) => (Array.isArray(part) ? [part[0]] : []))
    .toSorted()

test('English says everything that Russian says, and nothing else', () => {
  expect(Object.keys(en).toSorted()).toEqual(Object.keys(ru).toSorted())
})

test('no sentence is in two Russian catalogues', () => {
  const ids = [first, main, accounts, lazy, data, editor, pictures, programs, offline].flatMap((catalogue) =>
    Object.keys(catalogue),
  )
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('a sentence has the same places to fill in both languages', () => {
  const english: Record<string, string> = en
  for (const [id, message] of Object.entries(ru)) {
    expect({ id, places: placesOf(english[id] ?? '') }).toEqual({ id, places: placesOf(message) })
  }
})

describe.each([
  { locale: 'ru', catalogue: ru, forms: FORMS.ru },
  { locale: 'en', catalogue: en, forms: FORMS.en },
])('$locale', ({ catalogue, forms }) => {
  test.each(Object.entries(catalogue))('%s compiles, with every plural form', (_, message) => {
    expect(message.trim()).not.toBe('')
    for (const choices of pluralsOf(message))
      expect(Object.keys(choices)).toEqual(expect.arrayContaining(forms))
  })
})

test('a missing plural form would be noticed', () => {
  expect(pluralsOf('{n, plural, one {# тег} other {# тега}}').map((choices) => Object.keys(choices))).toEqual(
    [expect.not.arrayContaining(['few'])],
  )
})

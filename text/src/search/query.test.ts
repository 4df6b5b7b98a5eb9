import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStop, parseQuery, type Query, termsOf, textOf } from './query.ts'

/** The words of groups; a prefix ends with '*'. */
const wordsIn = (groups: Query['groups']): string[] =>
  groups.flatMap(termsOf).map(({ form, prefix }) => (prefix ? `${form}*` : form))

const asked = (text: string) => {
  const query = parseQuery(text)
  return (
    query && { words: wordsIn(query.groups), excluded: wordsIn(query.excludedGroups), phrases: query.phrases }
  )
}

describe('duplicates in a query are removed', () => {
  it.each([
    ['кот кот дом', ['кот', 'дом*']],
    ['Ёлка елка елки ель', ['елка', 'ель*']],
    ['кни кни', ['кни']],
    ['кни "кни"', ['кни']],
    ['книга книги', ['книга']],
    ['ха-ха-ха', ['ха', 'хахаха*']],
    ['рок-н-ролл рок-н-ролл', ['рок', 'н', 'ролл', 'рокнролл']],
    ['c c++ c++', ['c', 'c++']],
    ['1с 1c', ['1с']],
  ])('%s', (text, words) => {
    expect(asked(text)?.words).toEqual(words)
  })

  it('also of excluded words, phrases, tags and sites', () => {
    expect(asked('-кот -коты "а б" "а б" "б а" -"а" -"а"')).toEqual({
      words: ['а', 'б'],
      excluded: ['кот'],
      phrases: [
        ['а', 'б'],
        ['б', 'а'],
      ],
    })
    expect(parseQuery('-"а б" -"А б"')?.excludedPhrases).toEqual([['а', 'б']])
    expect(parseQuery('tag:Дом тег:дом -tag:дом')?.tags).toEqual([
      { name: 'дом', excluded: false },
      { name: 'дом', excluded: true },
    ])
    expect(parseQuery('site:a.org сайт:https://A.org/x')?.sites).toEqual([{ name: 'a.org', excluded: false }])
  })

  it('but not from the text of the query', () => {
    const query = parseQuery('кот кот tag:дом tag:дом')
    expect(query && textOf(query.clauses)).toBe('кот кот tag:дом tag:дом')
  })
})

it.each([
  ['в', true],
  ['что-то', true],
  ['d', true],
  ['мост', false],
  ['c++', false],
  ['с#', false],
  ['что-нибудь', true],
  ['кое-какие', true],
])('whether %s carries no meaning', (text, expected) => {
  expect(isStop({ kind: 'word', text, excluded: false })).toBe(expected)
})

it('a group of hundreds of words is limited to a few dozen', () => {
  const group = Array.from({ length: 160 }, (_, at) => at.toString(36)).join('-')
  expect(asked(group)?.words.length).toBeLessThanOrEqual(33)
})

it('accepts any text', () => {
  const piece = fc.constantFrom(
    '"',
    '-',
    'tag:',
    'сайт:',
    'кот',
    'Кот',
    'с++',
    'а-а-а',
    '1с',
    ' ',
    '\u0301',
    '\\',
    '/',
  )
  const texts = fc.oneof(
    fc.array(piece).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const once = parseQuery(text)
      const twice = parseQuery(`${text} ${text}`)
      fc.pre(once !== undefined && !/["\\-]/.test(text))
      expect(twice?.groups.length).toBeLessThanOrEqual(once?.groups.length ?? 0)
    }),
  )
})

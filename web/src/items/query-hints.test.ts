import { expect, test } from 'vitest'
import { isRefined, withQuotedTag } from './query-hints.ts'

test.each([
  ['tag:домашние дела', 'tag:"домашние дела"'],
  ['борщ tag:домашние дела', 'борщ tag:"домашние дела"'],
  ['tag:домашние дела -борщ', 'tag:"домашние дела" -борщ'],
  ['tag:домашние дела site:example.org', 'tag:"домашние дела" site:example.org'],
  ['тег:домашние дела', 'тег:"домашние дела"'],
  ['Tag:домашние дела –борщ', 'Tag:"домашние дела" –борщ'],
  ['ТЕГ:домашние дела сайт:example.org', 'ТЕГ:"домашние дела" сайт:example.org'],
  ['tag:домашние дела «со сметаной»', 'tag:"домашние дела" «со сметаной»'],
  ['tag:дела -борщ тег:в дороге', 'tag:дела -борщ тег:"в дороге"'],
])('%s becomes %s', (query, quoted) => {
  expect(withQuotedTag(query)).toBe(quoted)
})

test.each([
  'tag:дела',
  'tag:"домашние дела"',
  'тег:«домашние дела»',
  'тег:«домашние дела',
  'домашние дела',
  'tag:дела -борщ',
  'tag:дела сайт:example.org',
  'tag:дела «со сметаной»',
  '',
])('%s needs none', (query) => {
  expect(withQuotedTag(query)).toBeUndefined()
})

test.each([
  'tag:дела',
  'Тег:дела',
  'сайт:example.org',
  'борщ -рыба',
  'борщ −рыба',
  '"со сметаной"',
  '«со сметаной»',
])('%s says more than words', (query) => {
  expect(isRefined(query)).toBe(true)
})

test.each(['борщ', 'вчерашнее со сметаной', 'кое-что', 'Мы – дома', 'стратег: жизнь'])(
  '%s is words',
  (query) => {
    expect(isRefined(query)).toBe(false)
  },
)

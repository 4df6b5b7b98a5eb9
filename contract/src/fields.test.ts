import { describe, expect, it } from 'vitest'
import type { Schema } from './endpoint.ts'
import * as fields from './fields.ts'
import { translate } from './messages.ts'

const messagesOf = (schema: Schema, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => translate(message, 'ru')) ?? []

it.each([
  ['letters, digits and signs of ASCII', 0x20, 0x7e],
  ['Russian letters', 0x410, 0x44f],
])('a line of %s stays as it is', (_, from, to) => {
  const line = `Ё${String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, at) => from + at))}ё`
  expect(fields.toLine(` ${line} `)).toBe(line)
  expect(fields.toLine(` ${line}\u0007\u0438\u0306`)).toBe(`${line}\u0439`)
})

/** Messages of docs/specification.md, section 5, by field. */
describe('the rules of section 5', () => {
  it.each([
    ['title', fields.title, '', 'Обязательное поле'],
    ['title', fields.title, undefined, 'Обязательное поле'],
    ['title', fields.title, null, 'Обязательное поле'],
    ['title', fields.title, '\u200B\u2060\u00AD', 'Обязательное поле'],
    ['html', fields.html, ' \n ', 'Обязательное поле'],
    ['html', fields.html, '<p> &nbsp;</p><br>', 'Обязательное поле'],
    ['email', fields.email, 'без собаки', 'Неверный формат email'],
    ['email', fields.email, '<anna@example.org>', 'Неверный формат email'],
    ['email', fields.email, 'anna@example.org>', 'Неверный формат email'],
    ['new password', fields.newPassword, '12345', 'Пароль должен содержать минимум 6 символов'],
    ['url', fields.url, 'www.example.org', 'Неверный формат URL'],
    ['url', fields.url, '', 'Обязательное поле'],
  ])('%s refuses %j', (_, schema, value, message) => {
    expect(messagesOf(schema, value)).toEqual([message])
  })

  it.each([
    ['email', fields.email, ' иван@почта.рф ', 'иван@почта.рф'],
    ['password', fields.password, ' 1 ', ' 1 '],
    ['new password', fields.newPassword, '🦔🦔🦔🦔🦔🦔', '🦔🦔🦔🦔🦔🦔'],
    ['html', fields.html, 'a\r\nb\rc\u0000', 'a\nb\nc'],
    ['title', fields.title, '\u202F\uD800 ё\u0301', '\uFFFD ё́'],
    ['html', fields.html, '<img src="https://example.org/a.png">', '<img src="https://example.org/a.png">'],
    ['html', fields.html, 'a < b', 'a < b'],
    ['html', fields.html, '<', '<'],
    ['page', fields.pageNumber, '12', 12],
    ['search', fields.searchText, ` ${'я'.repeat(600)}`, 'я'.repeat(500)],
  ])('%s takes %j', (_, schema, value, result) => {
    expect(schema.safeParse(value).data).toBe(result)
  })

  it('merges tag names that differ in letter case only, and keeps the first spelling', () => {
    expect(fields.tagNames.safeParse(['Дом', 'дача', 'ДОМ']).data).toEqual(['Дом', 'дача'])
    const fifty = Array.from({ length: 50 }, (_, at) => `тег ${at}`)
    expect(fields.tagNames.safeParse([...fifty, 'ТЕГ 7']).data).toEqual(fifty)
  })

  it('keeps at most 30 accents of a letter, because sorting a hundred thousand would take minutes', () => {
    const text = `а${'\u0316\u0301'.repeat(500)}`
    expect(fields.title.safeParse(text).data).toHaveLength(31)
    expect(fields.html.safeParse(`а${'\u0316\u0301'.repeat(50_000)}`).data).toHaveLength(31)
    expect(fields.title.safeParse(`е\u0308${'\u0316'.repeat(5)}`).data).toBe(
      `ё${'\u0316'.repeat(5)}`.normalize('NFC'),
    )
  })

  it('validates half a megabyte of open brackets in linear time', () => {
    expect(messagesOf(fields.html, '<'.repeat(500_000))).toEqual([])
    expect(messagesOf(fields.html, '<p>'.repeat(166_000))).toEqual(['Обязательное поле'])
  })

  it('reports a missing value before a short one', () => {
    expect(messagesOf(fields.newPassword, '')).toEqual(['Обязательное поле'])
  })
})

it.each([
  ['ids', fields.ids],
  ['mergedIds', fields.mergedIds],
])('counts %s before it looks at one of them', (_, schema) => {
  const issues = messagesOf(schema, Array(100_000).fill(1))
  expect(issues).toEqual([expect.stringContaining('записей за один раз')])
  expect(messagesOf(schema, [])).toEqual(['Обязательное поле'])
})

it('cuts what is too long for the id of a tag before it is normalised', () => {
  expect(fields.tagId.parse(` ${'e\u0301'.repeat(100_000)}`).length).toBeLessThan(300)
})

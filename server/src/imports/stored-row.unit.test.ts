import { expect, it } from 'vitest'
import { finishRow } from './finish-row.ts'
import type { ImportedItem } from './row.ts'
import { toStoredRow } from './stored-row.ts'

const storedOf = (body: string, url?: string) =>
  // An entry with a right address, or with none, is an item.
  toStoredRow(finishRow({ place: {}, title: 'Т', url, body, tags: ['тег'] }) as ImportedItem, 'ru')

it.each([
  ['a little', '<blockquote><p>цитата &amp; &quot;слова&quot;</p></blockquote>'.repeat(10_000)],
  ['more than the cleaner takes', '<blockquote><p>цитата</p></blockquote>'.repeat(50_000)],
  ['what cleaning makes longer', `<p>${'"<a href=https://a.b/>цитата</a> '.repeat(20_000)}`],
])('cuts what was said of a link that is too long by %s, and says so', (_, text) => {
  const { state, url, reasons, item } = storedOf(text, 'https://a.b/')
  expect([state, url, reasons]).toEqual(['new', 'https://a.b/', '["importTextCut"]'])
  const { body, tags } = JSON.parse(item ?? '') as ImportedItem
  expect(tags).toEqual(['тег'])
  expect(body.length).toBeGreaterThan(200_000)
  expect(body.length).toBeLessThanOrEqual(500_000)
})

it.each([
  [50, 1],
  [60, 11],
])('counts the tags that a folder makes too many for an entry of %s', (count, lost) => {
  const tags = Array.from({ length: count }, (_, at) => `тег ${at}`)
  const row = finishRow({ place: {}, title: 'Т', body: 'т', tags, folders: [['папка']] })
  expect(toStoredRow(row as ImportedItem, 'ru').reasons).toBe(`["importManyTags:${lost}"]`)
})

it('says which earlier versions were cut', () => {
  const tags = Array.from({ length: 51 }, (_, at) => `тег ${at}`)
  const version = { title: 'Т', url: null, body: 'т', tags, revision: 1, savedAt: 1, replacedAt: 2 }
  const row = finishRow({ place: {}, title: 'Т', body: 'т', versions: [version, { ...version, tags: [] }] })
  expect(toStoredRow(row as ImportedItem, 'ru').reasons).toBe('["importVersionsCut:1"]')
})

it('imports no note whose text is too long', () => {
  expect(storedOf(`<p>${'я'.repeat(500_001)}</p>`)).toMatchObject({
    state: 'broken',
    reasons: '["importLongEntry"]',
  })
})

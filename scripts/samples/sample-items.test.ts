import { linkSave } from '@kopilka/contract/links.ts'
import { noteSave } from '@kopilka/contract/notes.ts'
import { expect, test } from 'vitest'
import { sampleItems } from './sample-items.ts'

const UNTIL = Date.UTC(2026, 0, 1)
const items = [...sampleItems({ count: 2000, seed: 7, until: UNTIL })]

test('the same seed gives the same items, another seed others', () => {
  expect([...sampleItems({ count: 2000, seed: 7, until: UNTIL })]).toEqual(items)
  expect([...sampleItems({ count: 2000, seed: 8, until: UNTIL })]).not.toEqual(items)
})

test('the API accepts them', () => {
  for (const { kind, save } of items) {
    const { error } = kind === 'note' ? noteSave.safeParse(save) : linkSave.safeParse(save)
    expect(error).toBeUndefined()
  }
})

test('no placeholder of a template stays unfilled', () => {
  for (const { save } of items) expect(JSON.stringify(save)).not.toMatch(/[{}](?!"?[,}])\w*\}|undefined/)
})

test('they have the intended sizes and mix of kinds', () => {
  const bodies = items.map(({ kind, save }) => (kind === 'note' ? save.content : save.description))
  const average = bodies.reduce((sum, body) => sum + body.replace(/<[^>]*>/g, '').length, 0) / bodies.length
  expect(average).toBeGreaterThan(350)
  expect(average).toBeLessThan(450)

  const tags = items.flatMap(({ save }) => save.tags ?? [])
  expect(tags.length / items.length).toBeCloseTo(3, 0)
  expect(new Set(tags).size).toBe(200)
  expect(items.filter(({ kind }) => kind === 'link').length).toBeGreaterThan(items.length / 4)
  expect(bodies.filter((body) => /[а-я]/.test(body)).length).toBeGreaterThan(items.length / 2)
})

test('their dates run through the three years up to the moment given', () => {
  const dates = items.map(({ created_at }) => created_at)
  expect(dates).toEqual(dates.toSorted((one, other) => one - other))
  expect(dates.at(-1)).toBeLessThanOrEqual(UNTIL)
  expect(new Date(dates[0] ?? 0).getUTCFullYear()).toBe(2023)
})

import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { jsonOf } from './json-response.ts'

it.each([
  {},
  [],
  [1, 'два', null],
  { notes: [], count: 0, truncated: undefined },
  {
    notes: [{ title: '"кавычки"', tags: [{ id: 'x' }] }, { title: '\u2028' }],
    corrected: { query: 'слово' },
  },
])('is what JSON.stringify makes of %j', async (response) => {
  expect(jsonOf(response)).toBe(JSON.stringify(response))
})

const LONG = { notes: Array.from({ length: 6 }, (_, at) => ({ at, content: 'слово '.repeat(50_000) })) }

it('streams a long response, and lets others have their turn meanwhile', async () => {
  let [turns, counted] = [0, 0]
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  const stream = jsonOf(LONG, (length) => {
    counted = length
  })
  const json = await text(stream as Readable)
  clearInterval(timer)
  expect(JSON.parse(json)).toEqual(LONG)
  expect(counted).toBe(json.length)
  expect(turns).toBeGreaterThan(1)
})

it('makes no more of a response than is read, and counts only that', async () => {
  const counted = Promise.withResolvers<number>()
  const stream = jsonOf(LONG, counted.resolve) as Readable
  for await (const first of stream) {
    expect(String(first)).toMatch(/^\{"notes":\[\{"at":0,/)
    break
  }
  expect(await counted.promise).toBeLessThan(JSON.stringify(LONG).length / 2)
})

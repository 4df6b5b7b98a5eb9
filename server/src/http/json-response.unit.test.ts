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
  expect(await jsonOf(response)).toBe(JSON.stringify(response))
})

it('lets others have their turn while a long response is made', async () => {
  const response = { notes: Array.from({ length: 6 }, (_, at) => ({ at, content: 'слово '.repeat(50_000) })) }
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 0)
  const json = await jsonOf(response)
  clearInterval(timer)
  expect(JSON.parse(json.toString())).toEqual(response)
  expect(turns).toBeGreaterThan(1)
})

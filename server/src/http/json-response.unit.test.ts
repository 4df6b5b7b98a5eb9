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

it('streams a long response, and yields to the event loop meanwhile', async () => {
  let [iterations, counted] = [0, 0]
  const timer = setInterval(() => {
    iterations += 1
  }, 0)
  const stream = jsonOf(LONG, (bytes) => {
    counted += bytes
  })
  const json = await text(stream as Readable)
  clearInterval(timer)
  expect(JSON.parse(json)).toEqual(LONG)
  expect(counted).toBe(Buffer.byteLength(json))
  expect(iterations).toBeGreaterThan(1)
})

it('makes no more of a response than is read, and counts only that', async () => {
  let counted = 0
  const stream = jsonOf(LONG, (bytes) => {
    counted += bytes
  }) as Readable
  for await (const first of stream) {
    expect(String(first)).toMatch(/^\{"notes":\[\{"at":0,/)
    break
  }
  expect(counted).toBeGreaterThan(0)
  expect(counted).toBeLessThan(Buffer.byteLength(JSON.stringify(LONG)) / 2)
})

it('sends one long text as bytes, and counts them', async () => {
  const item = { id: 'x', content: '<p>"слово"</p>'.repeat(50_000), tags: [{ id: 'y' }] }
  let counted = 0
  const pieces: unknown[] = []
  for await (const piece of jsonOf(item, (bytes) => {
    counted += bytes
  }))
    pieces.push(piece)
  expect(pieces.every((piece) => Buffer.isBuffer(piece))).toBe(true)
  const json = Buffer.concat(pieces as Buffer[])
  expect(JSON.parse(String(json))).toEqual(item)
  expect(counted).toBe(json.length)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isEnd, jsonEvents, jsonShape } from './json-events.ts'

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

it('reads any list as JSON.parse does, wherever its pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue()),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(0, 2),
      async (list, size, indent) => {
        const values: unknown[] = []
        for await (const event of jsonEvents(pieces(JSON.stringify(list, null, indent), size), () => 'take'))
          if (!isEnd(event)) values.push(event.value)
        expect(values).toEqual(JSON.parse(JSON.stringify(list)))
      },
    ),
  )
})

it('enters, takes and passes over by path', async () => {
  const text = JSON.stringify({ 'a"\\b': [1, 2], b: { c: 'да', d: [{ e: null }] }, f: 'нет' })
  const events: unknown[] = []
  const choose = (path: readonly (string | number)[]) => {
    const last = path.at(-1)
    return last === 'f' || last === 'd' ? 'skip' : path.length === 1 ? 'enter' : 'take'
  }
  for await (const event of jsonEvents(pieces(text, 3), choose)) events.push(event)
  expect(events).toEqual([
    { path: ['a"\\b', 0], value: 1 },
    { path: ['a"\\b', 1], value: 2 },
    { path: ['a"\\b'], end: true },
    { path: ['b', 'c'], value: 'да' },
    { path: ['b'], end: true },
    { path: [], end: true },
  ])
})

it('shows the paths of JSON that is cut off', () => {
  expect([...jsonShape('{"items":[{"title":"Т","more":{"x":[1')]).toEqual([
    'items',
    'items.*',
    'items.*.title',
    'items.*.more',
  ])
})

it.each(['{"a":1', '["a', '[1,', '', '{"a" 1}', '[1 2]', 'x', '[}', '{"a":}', '[1]x'])(
  'refuses %j',
  async (text) => {
    const read = async () => {
      for await (const _ of jsonEvents(pieces(text, 2), () => 'take'));
    }
    await expect(read()).rejects.toThrow(/import(?:BrokenJson|CutFile)/)
  },
)

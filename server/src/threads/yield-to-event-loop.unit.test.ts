import { expect, it } from 'vitest'
import { inParts, yieldToEventLoop } from './yield-to-event-loop.ts'

it('gives each caller an iteration of its own, in their order, and others many iterations in between', async () => {
  const done: string[] = []
  const piecesOf = async (name: string) => {
    for (let piece = 1; piece <= 2; piece += 1) {
      await yieldToEventLoop()
      done.push(`${name}${piece}`)
    }
  }
  const all = Promise.all([piecesOf('a'), piecesOf('b')])
  const seen: number[] = []
  while (done.length < 4) {
    await new Promise(setImmediate)
    seen.push(done.length)
  }
  await all
  expect(done).toEqual(['a1', 'b1', 'a2', 'b2'])
  expect(seen.map((length, at) => length - (seen[at - 1] ?? 0)).every((pieces) => pieces <= 1)).toBe(true)
  expect(seen.length).toBeGreaterThan(100)
})

it('handles each part of a long list in an iteration of its own, and a short one at once', async () => {
  const parts: (readonly number[])[] = []
  const seen: number[] = []
  const watch = setInterval(() => seen.push(parts.length))
  const lengths = await inParts([1, 2, 3, 4, 5], 2, async (part) => {
    // Timers run between two iterations.
    await new Promise((resolve) => setTimeout(resolve, 2))
    parts.push(part)
    return part.length
  })
  clearInterval(watch)
  expect([parts, lengths]).toEqual([
    [[1, 2], [3, 4], [5]],
    [2, 2, 1],
  ])
  expect(seen).toContain(1)
  let isHandled = false
  const short = inParts([1, 2], 2, () => {
    isHandled = true
  })
  expect(isHandled).toBe(true)
  await short
})

import { expect, it } from 'vitest'
import { ownTurn } from './own-turn.ts'

it('gives each caller a turn of its own, in their order, and others many turns in between', async () => {
  const done: string[] = []
  const piecesOf = async (name: string) => {
    for (let piece = 1; piece <= 2; piece += 1) {
      await ownTurn()
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

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countIds, idsInPiece, inPieces, unionOf } from './id-pieces.ts'

it.each([0, 1, 99, 100, 101, 200])('%d ids in pieces are counted', (count) => {
  expect(countIds(inPieces(Array.from({ length: count }, (_, at) => `${at}`)))).toBe(count)
})

it('the union of two sorted lists has each id once, sorted', () => {
  // So that some are in both, and some lists have several pieces.
  const ids = fc.uniqueArray(fc.nat(1000).map(String), { maxLength: 300 }).map((all) => all.sort())
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const union = unionOf([inPieces(one), inPieces(other)]).flatMap(idsInPiece)
      expect(union).toEqual([...new Set([...one, ...other])].sort())
    }),
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inBytes, spellingOf } from './spelling.ts'
import { TRAITS } from './terms.ts'

const CHARACTERS = fc.constantFrom(..."абвьэюяйёaijzßéαש한日عकि01369.-@+#*!/='\\:&|() \n\0😀👍🏽𝒳")
const rest = fc.oneof(fc.string({ unit: CHARACTERS }), fc.string({ unit: 'binary' }))
/** Words begin with a letter or a digit, what follows is anybody's. */
const word = fc.tuple(fc.constantFrom(...'абяazё059한日ع𝒳'), rest).map((parts) => parts.join(''))
const signs = [TRAITS.text, TRAITS.title, TRAITS.often, TRAITS.address, TRAITS.site]
const sign = fc.constantFrom(...signs)
const tag = fc.uuid({ version: 7 }).map(TRAITS.tag)
const trait = fc.oneof(
  fc.tuple(sign, word).map(([make, text]) => make(text)),
  tag,
  fc.constantFrom(TRAITS.every, TRAITS.none),
)
/** Traits alike: of the same words at different places, cut and continued. */
const alike = fc
  .tuple(word, rest, sign, sign)
  .map(([text, more, one, other]) => [one(text), other(text + more)] as const)

it('spells different traits differently', () => {
  const pairs = fc.oneof(fc.tuple(trait, trait), alike)
  fc.assert(
    fc.property(pairs, ([one, other]) => {
      expect(spellingOf(one) === spellingOf(other)).toBe(one === other)
    }),
    { numRuns: 10_000 },
  )
})

it('keeps beginnings: a trait begins with another where their spellings do', () => {
  const asked = fc.tuple(sign, word).map(([make, text]) => make(text))
  const pairs = fc.oneof(
    fc.tuple(asked, trait),
    alike,
    alike.map(([one, other]) => [other, one] as const),
  )
  fc.assert(
    fc.property(pairs, ([beginning, whole]) => {
      expect(spellingOf(whole).startsWith(spellingOf(beginning))).toBe(whole.startsWith(beginning))
    }),
    { numRuns: 10_000 },
  )
})

it('spells whatever was typed in letters, digits and "/" alone, so that no question can be broken out of', () => {
  fc.assert(
    fc.property(sign, rest, (make, text) => {
      expect(spellingOf(make(text))).toMatch(/^[A-Za-z\d/]*$/)
    }),
    { numRuns: 10_000 },
  )
})

it('spells the longest host in less than the 2,046 bytes of a lexeme, owner and all', () => {
  expect(spellingOf(TRAITS.site('𝒳'.repeat(253))).length).toBeLessThan(2_000)
})

it('loses nothing in the bytes', () => {
  fc.assert(
    fc.property(fc.array(trait), (traits) => {
      const spellings = traits.map(spellingOf)
      const read = inBytes(spellings).toString('base64').split('+')
      expect(read.filter(Boolean)).toEqual(spellings)
    }),
  )
})

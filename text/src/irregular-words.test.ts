import { expect, it } from 'vitest'
import { ENGLISH_FORMS } from './irregular-english.ts'
import { NOUNS } from './irregular-nouns.ts'
import { stemOf, stemsOf } from './stems.ts'

const WORDS = [...NOUNS, ...ENGLISH_FORMS]

it.each(WORDS)('%s and its forms find each other', (...forms) => {
  for (const one of forms)
    for (const other of forms) {
      const shared = stemsOf(one).filter((stem) => stemsOf(other).includes(stem))
      expect(shared, `${one} ${other}`).not.toEqual([])
    }
})

it('lists no form whose stem by rule is that of the first', () => {
  const needless = WORDS.flatMap(([first = '', ...forms]) =>
    forms.filter((form) => stemOf(form) === stemOf(first)),
  )
  expect(needless).toEqual([])
})

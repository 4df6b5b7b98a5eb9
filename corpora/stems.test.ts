import type { Condition } from '@kopilka/text/search/condition.ts'
import { conditionsOf } from '@kopilka/text/search/conditions.ts'
import { createIndexDocument } from '@kopilka/text/search/document.ts'
import { parseQuery } from '@kopilka/text/search/query.ts'
import { listOf } from '@kopilka/text/search/terms.ts'
import { expect, it } from 'vitest'
import { corpus } from './corpus.ts'

const LAST = 'последнее'

/** Share of the pairs of words with one stem that must find each other. */
const SHARE = 0.99

/** The index terms of a text. They are the same for both databases, whose parity is tested in server/src/search. */
const termsOf = (text: string): ReadonlySet<string> =>
  new Set(listOf(createIndexDocument({ title: '', body: text, url: '' }).terms))

function asks(text: string): (terms: ReadonlySet<string>) => boolean {
  const query = parseQuery(text)
  if (!query) return () => false
  const condition = conditionsOf(query, []).found
  return (terms) => meets(terms, condition)
}

function meets(terms: ReadonlySet<string>, condition: Condition): boolean {
  if ('term' in condition) {
    const { term, prefix } = condition
    return terms.has(term) || (prefix === true && [...terms].some((one) => one.startsWith(term)))
  }
  if ('all' in condition) return condition.all.every((one) => meets(terms, one))
  if ('any' in condition) return condition.any.some((one) => meets(terms, one))
  return meets(terms, condition.these) && !meets(terms, condition.but)
}

interface Row {
  word: string
  stem: string
  asked: (terms: ReadonlySet<string>) => boolean
  terms: ReadonlySet<string>
}

it.each([...corpus('stems')])('%s: words of one stem find each other', (_, text) => {
  const rows: Row[] = []
  for (const line of text.split('\n')) {
    const [word = '', stem = ''] = line.trim().split('\t')
    // The last word of a query is a prefix as well, and would find more than forms: another follows.
    const spoken = `${word} ${LAST}`
    if (word) rows.push({ word, stem, asked: asks(spoken), terms: termsOf(spoken) })
  }
  let pairs = 0
  const missed: string[] = []
  for (const forms of Map.groupBy(rows, ({ stem }) => stem).values())
    for (const [at, one] of forms.entries())
      for (const other of forms.slice(at + 1)) {
        pairs += 1
        if (!one.asked(other.terms) || !other.asked(one.terms)) missed.push(`${one.word} – ${other.word}`)
      }
  expect(pairs).toBeGreaterThan(0)
  expect(missed.length / pairs, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(1 - SHARE)
})

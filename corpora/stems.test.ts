import { expect, it } from 'vitest'
import { conditionOf, soughtOf } from '../server/src/search/conditions.ts'
import type { Condition } from '../server/src/search/index.ts'
import { parseQuery } from '../server/src/search/query.ts'
import { entriesOf } from '../server/src/search/terms.ts'
import { corpus } from './corpus.ts'

const LAST = 'последнее'

/** Of the pairs of words that share a stem, so many must find each other. */
const SHARE = 0.99

/** What an index is given of a text. Both databases are given the same; that they answer alike is tested beside them. */
async function traitsOf(text: string): Promise<ReadonlySet<string>> {
  const { traits } = await entriesOf({ title: '', body: text, url: '' }, async () => {})
  return new Set(traits)
}

function asks(text: string): (traits: ReadonlySet<string>) => boolean {
  const query = parseQuery(text)
  if (!query) return () => false
  const condition = conditionOf(soughtOf(query, [], []))
  return (traits) => meets(traits, condition)
}

function meets(traits: ReadonlySet<string>, condition: Condition): boolean {
  if ('trait' in condition) {
    const { trait, beginning } = condition
    return traits.has(trait) || (beginning === true && [...traits].some((one) => one.startsWith(trait)))
  }
  if ('all' in condition) return condition.all.every((one) => meets(traits, one))
  if ('any' in condition) return condition.any.some((one) => meets(traits, one))
  return meets(traits, condition.these) && !meets(traits, condition.but)
}

interface Row {
  word: string
  stem: string
  asked: (traits: ReadonlySet<string>) => boolean
  traits: ReadonlySet<string>
}

it.each([...corpus('stems')])('%s: words of one stem find each other', async (_, text) => {
  const rows: Row[] = []
  for (const line of text.split('\n')) {
    const [word = '', stem = ''] = line.trim().split('\t')
    // The last word of a query is a beginning as well, and would find more than forms: another follows.
    const spoken = `${word} ${LAST}`
    if (word) rows.push({ word, stem, asked: asks(spoken), traits: await traitsOf(spoken) })
  }
  let pairs = 0
  const missed: string[] = []
  for (const forms of Map.groupBy(rows, ({ stem }) => stem).values())
    for (const [at, one] of forms.entries())
      for (const other of forms.slice(at + 1)) {
        pairs += 1
        if (!one.asked(other.traits) || !other.asked(one.traits)) missed.push(`${one.word} – ${other.word}`)
      }
  expect(pairs).toBeGreaterThan(0)
  expect(missed.length / pairs, missed.slice(0, 20).join('\n')).toBeLessThanOrEqual(1 - SHARE)
})

import { expect, it } from 'vitest'
import { conditionsOf } from './conditions.ts'
import { parseQuery } from './query.ts'

const tagsNamed = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `tag${at}`, name: `Общее ${at}` }))

/** Number of tags in the condition of a query. */
function askedTags(text: string, count: number): number {
  const query = parseQuery(text)
  if (!query) throw new Error('This is no query.')
  const condition = JSON.stringify(conditionsOf(query, tagsNamed(count)).found)
  return condition.split('"#').length - 1
}

it('includes every tag that has the word', () => {
  expect(askedTags('общее', 600)).toBe(600)
  expect(askedTags('общее другое иное', 600)).toBe(600)
  expect(askedTags('общ', 600)).toBe(600)
  expect(askedTags('другое', 600)).toBe(0)
})

it('limits the tags of a condition, however many there are', () => {
  expect(askedTags('общее', 10_000)).toBe(1_000)
  expect(askedTags('общее '.repeat(32), 10_000)).toBeLessThanOrEqual(1_024)
})

it('reads the name of each tag once, however many tags are named', () => {
  const readsFor = (text: string): number => {
    const query = parseQuery(text)
    if (!query) throw new Error('This is no query.')
    let reads = 0
    const tag = {
      id: 'tag1',
      get name() {
        reads += 1
        return 'Общее 1'
      },
    }
    conditionsOf(query, [tag])
    return reads
  }
  const many = Array.from({ length: 32 }, (_, at) => `tag:другое${at}`).join(' ')
  expect(readsFor(many)).toBe(readsFor('tag:другое'))
})

import { tagNames } from '@kopilka/contract/fields.ts'
import { noteSave } from '@kopilka/contract/notes.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { parseBody } from './json-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A schema that counts the elements that it validates. */
function counting() {
  const seen: unknown[] = []
  const element = z.unknown().check((payload) => void seen.push(payload.value))
  return { seen, schema: z.object({ tags: z.array(element) }) }
}

it.each([
  ['too many elements', `{"tags":[${'1,'.repeat(30_000)}1]}`, 'tooLarge'],
  ['too many keys', `{"tags":[1]${',"a":1'.repeat(15_000)}}`, 'tooLarge'],
  ['too many levels', `{"tags":[1],"a":${'['.repeat(33)}${']'.repeat(33)}}`, 'malformedJson'],
  ['a broken end', '{"tags":[1,2,3]', 'malformedJson'],
])('looks at no element of a body with %s', (_, text, code) => {
  const { seen, schema } = counting()
  expect(() => parseBody(bytes(text), schema)).toThrow(code)
  expect(seen).toEqual([])
})

it('ignores brackets, commas and colons inside texts', () => {
  const { seen, schema } = counting()
  const text = '[{,:'.repeat(20_000)
  parseBody(bytes(JSON.stringify({ tags: [text, `${text}\\"[`] })), schema)
  expect(seen).toEqual([text, `${text}\\"[`])
})

it('validates no tag if there are far too many', () => {
  const parsed = tagNames.safeParse(Array.from({ length: 401 }, () => 1))
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual(['tooManyTags:50'])
})

it('does not normalise a text that is far too long', () => {
  const body = { title: '\u0301'.repeat(2_041), content: '<'.repeat(1_500_001) }
  expect(noteSave.safeParse(body).error?.issues.map(({ message }) => message)).toEqual([
    'tooLong:255',
    'tooLong:500000',
  ])
})

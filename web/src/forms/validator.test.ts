import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createValidator } from './validator.ts'

test('a field is validated when its value changes, and not again for the others', () => {
  const runs: string[] = []
  const field = z.string().check(
    z.refine((text) => {
      runs.push(text)
      return text !== ''
    }, 'required'),
  )
  const validate = createValidator({ title: field, body: field })
  validate({ title: 'a', body: 'long' })
  const [title, body] = validate({ title: '', body: 'long' })
  expect(runs).toEqual(['a', 'long', ''])
  expect([title?.issue, body?.issue, body?.valid]).toEqual(['required', undefined, 'long'])
})

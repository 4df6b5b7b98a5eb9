import { expect, it } from 'vitest'
import { readMarkdown } from './markdown.ts'

const NAME = '01234567-89ab-8def-8123-456789abcdef.png'

it.for([
  ['files/', true],
  ['../files/', true],
  ['https://example.org/files/', false],
  ['//example.org/files/', false],
  ['file:///home/files/', false],
] as const)('knows the pictures of its own export by their place beside a note: %s', ([place, isOwn]) => {
  const { html } = readMarkdown(`![](${place}${NAME})`)
  expect(html.includes('/api/v1/files/')).toBe(isOwn)
})

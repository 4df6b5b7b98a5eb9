import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createIndexDocument } from './document.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function bytesInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it('keeps no reference to the texts in memory', () => {
  const long = 'слово и дело '.repeat(38_000)
  const rare = (at: number) => `непредсказуемость${'ав'.repeat(at)}`
  const before = bytesInUse()
  for (let at = 0; at < 20; at += 1) createIndexDocument({ title: '', body: `${long}${rare(at)}`, url: '' })
  expect(bytesInUse() - before).toBeLessThan(10 * long.length)
})

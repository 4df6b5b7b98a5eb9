import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { entriesOf } from './terms.ts'

it('lets others have their turn all the while a long text is taken apart', async () => {
  const words = Array.from({ length: 50_000 }, (_, at) => `слово${at.toString(36)}`)
  let turns = 0
  const pause = async () => {
    turns += 1
  }
  await entriesOf({ title: '', body: words.join(' '), url: '' }, pause)
  expect(turns).toBeGreaterThan(500)
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function bytesInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

it('leaves nothing of the texts in memory but their words', async () => {
  const long = 'слово и дело '.repeat(38_000)
  const rare = (at: number) => `непредсказуемость${'ав'.repeat(at)}`
  const before = bytesInUse()
  for (let at = 0; at < 20; at += 1)
    await entriesOf({ title: '', body: `${long}${rare(at)}`, url: '' }, async () => {})
  expect(bytesInUse() - before).toBeLessThan(10 * long.length)
})

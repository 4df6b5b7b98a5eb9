import { expect, it } from 'vitest'
import { entriesOf } from './entries.ts'

it('lets others have their turn all the while a long text is taken apart', async () => {
  const words = Array.from({ length: 50_000 }, (_, at) => `слово${at.toString(36)}`)
  let turns = 0
  const pause = async () => {
    turns += 1
  }
  await entriesOf({ title: '', body: words.join(' '), url: '' }, pause)
  expect(turns).toBeGreaterThan(500)
})

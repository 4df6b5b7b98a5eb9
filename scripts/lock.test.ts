import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from './lock.mjs'

const newLock = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep', 'prepare.lock')
}

test('two holders take turns', async () => {
  const lock = newLock()
  const events: string[] = []
  const work = (name: string) =>
    withLock(lock, async () => {
      events.push(`${name} in`)
      await sleep(50)
      events.push(`${name} out`)
    })
  await Promise.all([work('first'), work('second')])
  expect(events).toEqual(['first in', 'first out', 'second in', 'second out'])
})

test('work that fails lets go', async () => {
  const lock = newLock()
  await expect(withLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  expect(existsSync(lock)).toBe(false)
})

test('a lock whose process is gone is taken over', async () => {
  const lock = newLock()
  await withLock(lock, async () => {})
  // No system hands out process ids this high.
  writeFileSync(lock, '2147483646')
  expect(await withLock(lock, async () => 'done')).toBe('done')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from './lock.mjs'

// Higher than any process id.
const GONE = '2147483646'

const newLock = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'deep', 'lock')
}

test('two holders run one after the other', async () => {
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

test('the lock is released when the work fails', async () => {
  const lock = newLock()
  await expect(withLock(lock, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
  expect(await withLock(lock, async () => 'done')).toBe('done')
})

test('the lock of a dead process is taken over', async () => {
  const lock = newLock()
  mkdirSync(lock, { recursive: true })
  writeFileSync(join(lock, '7'), GONE)
  expect(await withLock(lock, async () => 'done')).toBe('done')
})

test('a live holder keeps its lock, however long it takes', async () => {
  const lock = newLock()
  let others = 0
  let other: Promise<void> | undefined
  await withLock(lock, async () => {
    for (const file of readdirSync(lock)) utimesSync(join(lock, file), 0, 0)
    const looked = Promise.withResolvers<void>()
    let looks = 0
    other = withLock(
      lock,
      async () => {
        others += 1
      },
      async () => {
        looks += 1
        if (looks === 5) looked.resolve()
        await sleep(1)
      },
    )
    await looked.promise
    expect(others).toBe(0)
  })
  await other
  expect(others).toBe(1)
})

const ROUNDS = 100
const ALONE = `
  import { mkdirSync, rmdirSync } from 'node:fs'
  import { join } from 'node:path'
  import { setTimeout as sleep } from 'node:timers/promises'
  const { withLock } = await import(${JSON.stringify(new URL('lock.mjs', import.meta.url).href)})
  const [, folder] = process.argv
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    process.send('ready')
    await new Promise((resolve) => process.once('message', resolve))
    const work = async () => {
      const occupied = join(folder, 'occupied' + round)
      mkdirSync(occupied)
      await sleep(1)
      rmdirSync(occupied)
    }
    await withLock(join(folder, 'lock' + round), work, () => sleep(1))
  }
  process.disconnect()`

test('processes that find a dead holder at the same moment follow it one at a time', async () => {
  const folder = newLock()
  for (let round = 0; round < ROUNDS; round += 1) {
    const lock = join(folder, `lock${round}`)
    mkdirSync(lock, { recursive: true })
    writeFileSync(join(lock, '7'), GONE)
  }
  const children = [1, 2, 3, 4].map(() =>
    spawn(process.execPath, ['--input-type=module', '-e', ALONE, folder], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  )
  const codes = Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  let ready = 0
  for (const child of children) {
    child.on('message', () => {
      ready += 1
      if (ready % children.length === 0) for (const each of children) each.send('go')
    })
    // The others would wait for it.
    child.on('exit', (code) => {
      if (code !== 0) for (const each of children) each.kill()
    })
  }
  expect(await codes).toEqual([0, 0, 0, 0])
})

import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { limitBytes } from './limit-bytes.ts'

const CHUNK = 65_536
const MEGABYTE = 1024 * 1024

/** A body as a socket gives it: each chunk in a buffer of its own. */
async function* body(bytes: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < bytes; sent += CHUNK) yield Buffer.alloc(CHUNK)
}

const sink = (onChunk: () => void = () => {}) =>
  new Writable({
    write(_chunk, _encoding, done) {
      onChunk()
      setImmediate(done)
    },
  })

it('lets no more than some megabytes of the buffers of a long body lie', async () => {
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers - before)
  }
  await pipeline(
    body(100 * MEGABYTE),
    limitBytes(200 * MEGABYTE, () => new Error('too large')),
    sink(look),
  )
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThan(16 * MEGABYTE)
})

it('passes on as many bytes as the limit, and throws after them', async () => {
  let chunks = 0
  const count = () => {
    chunks += 1
  }
  const limited = () => limitBytes(4 * CHUNK, () => new Error('too large'))
  await pipeline(body(4 * CHUNK), limited(), sink(count))
  expect(chunks).toBe(4)
  await expect(pipeline(body(5 * CHUNK), limited(), sink())).rejects.toThrow('too large')
})

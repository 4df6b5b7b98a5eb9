import { afterEach, expect, it, vi } from 'vitest'
import { createPageReader } from './page-reader.ts'

type Reader = ReturnType<typeof createPageReader>

const owner_id = 'owner'

let reader: Reader
afterEach(() => reader.close())

const { signal } = new AbortController()
const page = (html: string) => ({ bytes: new TextEncoder().encode(html), contentType: 'text/html' })

it('reads many pages, each with its own result', async () => {
  reader = createPageReader()
  const numbers = Array.from({ length: 20 }, (_, at) => String(at))
  const read = await Promise.all(
    numbers.map((title) => reader.read(page(`<title>${title}</title>`), { owner_id, signal })),
  )
  expect(read.map(({ title }) => title)).toEqual(numbers)
})

/** Takes some hundred milliseconds. */
const HARD = '<p>'.repeat(700_000)

it('aborts a page that takes too long, and continues with the next', async () => {
  reader = createPageReader({ timeout: 1 })
  const refusals = Array.from({ length: 5 }, () => reader.read(page(HARD), { owner_id, signal }))
  for (const read of await Promise.allSettled(refusals))
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooComplex' } })
})

it('aborts a page that has used its share while others wait', async () => {
  reader = createPageReader({ timeout: 60_000, share: 1 })
  const hard = Promise.allSettled([
    reader.read(page(HARD), { owner_id, signal }),
    reader.read(page(HARD), { owner_id, signal }),
  ])
  expect((await reader.read(page('<title>x</title>'), { owner_id, signal })).title).toBe('x')
  // Any of them may have been first.
  expect(await hard).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ message: 'fetchTooComplex' }) }),
  )
})

it('does not count the start of a thread towards the share', async () => {
  // Shorter than the start of a thread; on a busy machine parsing may take longer too, but not each time.
  const share = 100
  await vi.waitFor(
    async () => {
      reader = createPageReader({ share })
      const read = await Promise.all(
        ['x', 'y', 'z'].map((title) => reader.read(page(`<title>${title}</title>`), { owner_id, signal })),
      ).finally(() => reader.close())
      expect(read.map(({ title }) => title)).toEqual(['x', 'y', 'z'])
    },
    { timeout: 20_000 },
  )
})

it('continues a page that has used its share while nobody waits', async () => {
  reader = createPageReader({ timeout: 60_000, share: 1 })
  const gone = Promise.allSettled([HARD, HARD].map((html) => reader.read(page(html), { owner_id, signal })))
  const abandoned = Promise.allSettled([reader.read(page('x'), { owner_id, signal: AbortSignal.abort() })])
  expect(await gone).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  await abandoned
})

it('aborts running and waiting pages when it is closed', async () => {
  reader = createPageReader()
  const abandoned = Promise.allSettled(
    Array.from({ length: 5 }, () => reader.read(page('<title>x</title>'), { owner_id, signal })),
  )
  await reader.close()
  for (const read of await abandoned)
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooComplex' } })
})

it('skips pages whose requests were aborted', async () => {
  reader = createPageReader()
  const abandoned = Array.from({ length: 3 }, () =>
    reader.read(page('x'), { owner_id, signal: AbortSignal.abort() }),
  )
  const read = reader.read(page('<title>x</title>'), { owner_id, signal })
  for (const one of await Promise.allSettled(abandoned))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooSlow' } })
  expect((await read).title).toBe('x')
})

import { afterEach, expect, it, vi } from 'vitest'
import { createPageReaders } from './page-readers.ts'

type Readers = ReturnType<typeof createPageReaders>

let readers: Readers
afterEach(() => readers.close())

const { signal } = new AbortController()
const page = (html: string) => ({ bytes: new TextEncoder().encode(html), contentType: 'text/html' })

it('read many pages in turn, each its own', async () => {
  readers = createPageReaders()
  const numbers = Array.from({ length: 20 }, (_, at) => String(at))
  const read = await Promise.all(
    numbers.map((title) => readers.read(page(`<title>${title}</title>`), signal)),
  )
  expect(read.map(({ title }) => title)).toEqual(numbers)
})

it('give up a page that takes too long, and go on with the next', async () => {
  readers = createPageReaders({ patience: 1 })
  const refusals = Array.from({ length: 5 }, () => readers.read(page('<title>x</title>'), signal))
  for (const read of await Promise.allSettled(refusals))
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooComplex' } })
})

/** Takes some hundred milliseconds. */
const HARD = '<p>'.repeat(700_000)

it('give up a page that has had its share while others wait', async () => {
  readers = createPageReaders({ patience: 60_000, share: 1 })
  const hard = Promise.allSettled([readers.read(page(HARD), signal), readers.read(page(HARD), signal)])
  expect((await readers.read(page('<title>x</title>'), signal)).title).toBe('x')
  // Whichever began first.
  expect(await hard).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ message: 'fetchTooComplex' }) }),
  )
})

it('do not take the start of a thread for a part of the share', async () => {
  // Sooner than any thread starts; on a busy machine a reading may take longer too, but not each time.
  const share = 100
  await vi.waitFor(
    async () => {
      readers = createPageReaders({ share })
      const read = await Promise.all(
        ['x', 'y', 'z'].map((title) => readers.read(page(`<title>${title}</title>`), signal)),
      ).finally(() => readers.close())
      expect(read.map(({ title }) => title)).toEqual(['x', 'y', 'z'])
    },
    { timeout: 20_000 },
  )
})

it('go on with a page that has had its share while nobody waits', async () => {
  readers = createPageReaders({ patience: 60_000, share: 1 })
  const gone = Promise.allSettled([HARD, HARD].map((html) => readers.read(page(html), signal)))
  const abandoned = Promise.allSettled([readers.read(page('x'), AbortSignal.abort())])
  expect(await gone).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }])
  await abandoned
})

it('give up what is being read, and what waits, when they are closed', async () => {
  readers = createPageReaders()
  const abandoned = Promise.allSettled(
    Array.from({ length: 5 }, () => readers.read(page('<title>x</title>'), signal)),
  )
  await readers.close()
  for (const read of await abandoned)
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooComplex' } })
})

it('leave out pages for which nobody waits any more', async () => {
  readers = createPageReaders()
  const abandoned = Array.from({ length: 3 }, () => readers.read(page('x'), AbortSignal.abort()))
  const read = readers.read(page('<title>x</title>'), signal)
  for (const one of await Promise.allSettled(abandoned))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooSlow' } })
  expect((await read).title).toBe('x')
})

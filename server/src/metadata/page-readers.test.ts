import { afterEach, expect, it } from 'vitest'
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
  readers = createPageReaders(1)
  const refusals = Array.from({ length: 5 }, () => readers.read(page('<title>x</title>'), signal))
  for (const read of await Promise.allSettled(refusals))
    expect(read).toMatchObject({ status: 'rejected', reason: { message: 'fetchTooComplex' } })
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

import type { Locale } from '@kopilka/contract/field-messages.ts'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { networks } from '../http/ip-address.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Resolve } from './connection.ts'
import { fetchPage, fetchPicture, toPictureError } from './fetch-page.ts'
import { createPageReader } from './page-reader.ts'

/** Milliseconds from the first look-up to the response, whatever the other server does. */
const DEADLINE = 10_000
/**
 * Limits of concurrent fetches: enough that a few accounts with pages that never respond do not delay others. The wait is
 * limited to the time of a page.
 */
const LIMITS = { total: 24, perOwner: 2, waiting: 2, timeout: DEADLINE }

interface Asked {
  owner_id: string
  url: string
  locale: Locale
  /** Aborts once nobody waits for the page any more. */
  signal?: AbortSignal
}

export type Extraction = ReturnType<typeof createExtraction>

/** Fetches public pages and extracts their metadata. */
export function createExtraction(
  { FETCH_ALLOW, FILE_LIMIT }: Pick<Config, 'FETCH_ALLOW' | 'FILE_LIMIT'>,
  resolve: Resolve,
  { deadline = DEADLINE, ...reading }: { deadline?: number; share?: number } = {},
) {
  const network = { resolve, allow: networks(FETCH_ALLOW) }
  const { run } = createConcurrencyLimit(LIMITS)
  const reader = createPageReader(reading)

  /** Runs a task within the owner's limit, until the deadline. */
  const inTime = <T>(
    { owner_id, signal: gone }: Pick<Asked, 'owner_id' | 'signal'>,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> =>
    run(
      owner_id,
      () => {
        const late = AbortSignal.timeout(deadline)
        const signal = gone ? AbortSignal.any([gone, late]) : late
        return Promise.race([task(signal), tooSlow(signal)])
      },
      gone,
    )

  return {
    /** Throws an {@link AppError} whose code says why the page cannot be read. */
    extract: ({ url, locale, ...asked }: Asked): Promise<PageMetadata> =>
      inTime(asked, async (signal) => {
        const page = await fetchPage(url, { locale, signal, network })
        return reader.read(page, { owner_id: asked.owner_id, signal })
      }),

    /** Gives the bytes of the picture at an address to `take`. Throws as `files.fetch` declares, and what `take` throws. */
    fetchPicture: <T>(
      { url, locale, ...asked }: Asked,
      take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
    ): Promise<T> =>
      inTime(asked, (signal) =>
        fetchPicture(url, { locale, signal, network, maxBytes: FILE_LIMIT }, take),
      ).catch((error: unknown) => {
        throw error instanceof AppError ? toPictureError(error) : error
      }),

    close: reader.close,
  }
}

const tooSlow = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('fetchTooSlow')))
  })

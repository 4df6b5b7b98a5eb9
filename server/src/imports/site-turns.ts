import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Makes those who read pages of one site wait for each other: each begins so many milliseconds after the one before. For all
 * imports of the server, and from one turn of an import to the next.
 */
export function createSiteTurns(between: number) {
  /** When the next may begin, on a clock that nobody sets. */
  const freeAt = new Map<string, number>()

  return async (site: string, signal: AbortSignal): Promise<void> => {
    const now = performance.now()
    for (const [one, time] of freeAt) if (time <= now) freeAt.delete(one)
    const begin = freeAt.get(site) ?? now
    // Taken before the wait: another may come meanwhile.
    freeAt.set(site, begin + between)
    if (begin > now) await sleep(begin - now, undefined, { signal })
  }
}

/** Milliseconds since 1970 in UTC. An argument wherever time matters, so that tests can set it. */
export type Clock = () => number

/** How far apart the clocks of servers on one database may be, in milliseconds. */
const MAX_CLOCK_SKEW = 60_000

/**
 * The times at which something that lasts at most `longest` milliseconds may end if it is not over at `now`. An end that
 * lies further ahead was written while the clock was wrong, and counts as over.
 */
export const endsWithin = (now: number, longest: number): { after: number; until: number } => ({
  after: now,
  until: now + longest + MAX_CLOCK_SKEW,
})

/** Whether something that lasts at most `longest` milliseconds and ends at `end` is over at `now`. */
export function isOver(end: number, now: number, longest: number): boolean {
  const { after, until } = endsWithin(now, longest)
  return end <= after || end > until
}

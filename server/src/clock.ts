/** Milliseconds since 1970 in UTC. An argument wherever time matters, so that tests can set it. */
export type Clock = () => number

/** Largest difference between the clocks of servers on one database, in milliseconds. */
const MAX_CLOCK_SKEW = 60_000

/**
 * Range of end times of something that lasts at most `longest` milliseconds and is not over at `now`. A later end was
 * written while a clock was wrong, and counts as over.
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

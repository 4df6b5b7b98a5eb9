import { RATE_LIMITS, type RateLimitName } from '@kopilka/contract/rate-limits.ts'
import { endsWithin } from '../../clock.ts'
import { command } from '../../db/command.ts'
import type { Db, Trx } from '../../db/schema.ts'
import { statement, type Value } from '../../db/statement.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'

/** Identifies a counter: the limit, and the client (an owner's id, a network or an email's key). */
export interface CounterKey {
  readonly limit: RateLimitName
  readonly key: string
}

/** A window of a limit: the count so far, and when it ends (milliseconds since 1970). */
export interface Window {
  readonly count: number
  readonly ends_at: number
}

/** Length of a limit's window, in milliseconds. */
export const lengthOf = (limit: RateLimitName): number => RATE_LIMITS[limit].seconds * 1000

/** The error for a client over the limit, with the seconds until the window ends. */
export const limitExceeded = ({ ends_at }: Pick<Window, 'ends_at'>, now: number): AppError =>
  new AppError('rateLimited', {}, Math.max(1, Math.ceil((ends_at - now) / 1000)))

/** Key of a counter's row: a hash, so that the table holds no emails or addresses. */
const rowKey = ({ limit, key }: CounterKey): string => sha256(`${limit}\0${key}`)

/** Largest value of an `integer` column. */
const LARGEST = 2 ** 31 - 1

interface Addition {
  counter: CounterKey
  more: number
  /** End of a window that begins now. */
  ends_at: number
  now: number
}

/** Adds to a counter and resolves to its window. Adds nothing and resolves to undefined if the count has reached `most`. */
async function add(
  trx: Trx,
  { counter, more, ends_at, now }: Addition,
  most: number,
): Promise<Window | undefined> {
  const { after, until } = endsWithin(now, lengthOf(counter.limit))
  return trx
    .insertInto('rate_limits')
    .values({ key: rowKey(counter), count: more, ends_at })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(({ eb, ref, val, or }) => {
          const isOver = or([eb('rate_limits.ends_at', '<=', after), eb('rate_limits.ends_at', '>', until)])
          return {
            // Kysely would write a bare number into the SQL text, which would make each one a new statement.
            count: eb
              .case()
              .when(isOver)
              .then(val(more))
              .else(eb('rate_limits.count', '+', more))
              .end(),
            ends_at: eb.case().when(isOver).then(val(ends_at)).else(ref('rate_limits.ends_at')).end(),
          }
        })
        .where(({ eb, or }) =>
          or([
            eb('rate_limits.ends_at', '<=', after),
            eb('rate_limits.ends_at', '>', until),
            eb('rate_limits.count', '<', most),
          ]),
        ),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirst()
}

const windowOf = statement((db, value: Value<{ key: string; after: number; until: number }>) =>
  db
    .selectFrom('rate_limits')
    .select(['count', 'ends_at'])
    .where('key', '=', value('key'))
    .where('ends_at', '>', value('after'))
    .where('ends_at', '<=', value('until')),
)

/** The current window of a counter; undefined if there is none. */
export async function findWindow(
  db: Db | Trx,
  counter: CounterKey,
  now: number,
): Promise<Window | undefined> {
  const range = endsWithin(now, lengthOf(counter.limit))
  const [window] = await windowOf(db, { key: rowKey(counter), ...range })
  return window
}

/** Throws 'rateLimited' if a counter has reached its limit. For transactions that count failures only. */
export async function checkCounters(trx: Trx, counters: readonly CounterKey[], now: number): Promise<void> {
  for (const counter of counters) {
    const window = await findWindow(trx, counter, now)
    if (window && window.count >= RATE_LIMITS[counter.limit].times) throw limitExceeded(window, now)
  }
}

/** Adds one to each counter. Throws 'rateLimited' and counts nothing if one has reached its limit. */
export const countOnce = command(
  'rate-limits.count-once',
  async (trx, { counters, now }: { counters: readonly CounterKey[]; now: number }) => {
    // Sorted, so that transactions that share counters cannot deadlock.
    for (const counter of counters.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))) {
      const ends_at = now + lengthOf(counter.limit)
      if (await add(trx, { counter, more: 1, ends_at, now }, RATE_LIMITS[counter.limit].times)) continue
      throw limitExceeded((await findWindow(trx, counter, now)) ?? { ends_at }, now)
    }
  },
)

/** Adds the count of one server and resolves to the window of all servers. */
export const shareCount = command('rate-limits.share-count', (trx, addition: Addition) =>
  add(trx, addition, LARGEST),
)

/** Deletes windows that are over. */
export const deleteOver = command('rate-limits.delete-over', async (trx, { now }: { now: number }) => {
  const { until } = endsWithin(
    now,
    Math.max(...Object.values(RATE_LIMITS).map(({ seconds }) => seconds * 1000)),
  )
  await trx
    .deleteFrom('rate_limits')
    .where(({ eb, or }) => or([eb('ends_at', '<=', now), eb('ends_at', '>', until)]))
    .execute()
})

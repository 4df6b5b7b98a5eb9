import { RATE_LIMITS, type RateLimitName } from '@kopilka/contract/rate-limits.ts'
import { endsWithin } from '../../clock.ts'
import { command } from '../../db/command.ts'
import type { Db, Trx } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { sha256 } from '../../hash.ts'

/** What a counter counts: for which limit, and of whom (an owner's id, a network, an email's key). */
export interface CounterKey {
  readonly limit: RateLimitName
  readonly key: string
}

/** A time in which at most so many are allowed: how many there were, and when it ends (milliseconds since 1970). */
export interface Window {
  readonly count: number
  readonly ends_at: number
}

/** How long a window of the limit lasts, in milliseconds. */
export const lengthOf = (limit: RateLimitName): number => RATE_LIMITS[limit].seconds * 1000

/** The failure of who asks too often, with the seconds until the window ends. */
export const limitExceeded = ({ ends_at }: Pick<Window, 'ends_at'>, now: number): AppError =>
  new AppError('rateLimited', {}, Math.max(1, Math.ceil((ends_at - now) / 1000)))

/** The row of a counter. Hashed: the table is no list of emails and addresses. */
const rowKey = ({ limit, key }: CounterKey): string => sha256(`${limit}\0${key}`)

/** The largest number of a column `integer`. */
const LARGEST = 2 ** 31 - 1

interface Addition {
  counter: CounterKey
  more: number
  /** When a window that begins now ends. */
  ends_at: number
  now: number
}

/** Adds to a counter and answers its window. Undefined, and nothing added, where the count has come to `most`. */
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
            // Kysely would write a bare number into the text of the statement, and make each a new one.
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

/** The window that is under way; undefined where none is. */
export async function findWindow(
  db: Db | Trx,
  counter: CounterKey,
  now: number,
): Promise<Window | undefined> {
  const { after, until } = endsWithin(now, lengthOf(counter.limit))
  return db
    .selectFrom('rate_limits')
    .select(['count', 'ends_at'])
    .where('key', '=', rowKey(counter))
    .where('ends_at', '>', after)
    .where('ends_at', '<=', until)
    .executeTakeFirst()
}

/** Throws 'rateLimited' where a counter has come to its limit. For transactions that count nothing when they succeed. */
export async function checkCounters(trx: Trx, counters: readonly CounterKey[], now: number): Promise<void> {
  for (const counter of counters) {
    const window = await findWindow(trx, counter, now)
    if (window && window.count >= RATE_LIMITS[counter.limit].times) throw limitExceeded(window, now)
  }
}

/** Counts once for each counter; throws 'rateLimited', and counts nothing, where one has come to its limit. */
export const countOnce = command(
  'rate-limits.count-once',
  async (trx, { counters, now }: { counters: readonly CounterKey[]; now: number }) => {
    // In one order everywhere: transactions that share counters wait for each other, but never in a circle.
    for (const counter of counters.toSorted((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))) {
      const ends_at = now + lengthOf(counter.limit)
      if (await add(trx, { counter, more: 1, ends_at, now }, RATE_LIMITS[counter.limit].times)) continue
      throw limitExceeded((await findWindow(trx, counter, now)) ?? { ends_at }, now)
    }
  },
)

/** Adds what one server has counted, and answers the window of all servers. */
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

import { createHash } from 'node:crypto'
import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../db/schema.ts'
import type { Use } from '../limits.ts'

/** How often something was done in the time that ends at `ends_at`. */
export interface Count {
  count: number
  ends_at: number
}

/** The largest number of a column `integer`. */
const LARGEST = 2 ** 31 - 1

/** The name a use is counted under. Hashed: the table is no list of emails and addresses. */
const subjectOf = ({ rate, who }: Use): string =>
  createHash('sha256').update(`${rate}\0${who}`).digest('base64url')

export type Counts = ReturnType<typeof createCounts>

/** The counts that all servers of a database share: one row a subject, one statement a change. */
export function createCounts(db: Db, clock: Clock) {
  return {
    /**
     * Adds `more` and answers the count so far. A time that is over begins anew and lasts until `ends_at`.
     * Undefined, and nothing added, where the count has come to `most`.
     */
    async add(use: Use, more: number, ends_at: number, most = LARGEST): Promise<Count | undefined> {
      const now = clock()
      return db
        .insertInto('limit_counts')
        .values({ subject: subjectOf(use), count: more, ends_at })
        .onConflict((conflict) =>
          conflict
            .column('subject')
            .doUpdateSet(({ eb, ref, val }) => {
              const isOver = eb('limit_counts.ends_at', '<=', now)
              return {
                // Kysely would write a bare number into the text of the statement, and make each a new one.
                count: eb
                  .case()
                  .when(isOver)
                  .then(val(more))
                  .else(eb('limit_counts.count', '+', more))
                  .end(),
                ends_at: eb.case().when(isOver).then(val(ends_at)).else(ref('limit_counts.ends_at')).end(),
              }
            })
            .where(({ eb, or }) =>
              or([eb('limit_counts.ends_at', '<=', now), eb('limit_counts.count', '<', most)]),
            ),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirst()
    },

    async find(use: Use): Promise<Count | undefined> {
      return db
        .selectFrom('limit_counts')
        .select(['count', 'ends_at'])
        .where('subject', '=', subjectOf(use))
        .executeTakeFirst()
    },

    async takeOne(use: Use): Promise<void> {
      await db
        .updateTable('limit_counts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('subject', '=', subjectOf(use))
        .where('count', '>', 0)
        .execute()
    },

    /** Drops what is over. */
    async sweep(): Promise<void> {
      await db.deleteFrom('limit_counts').where('ends_at', '<=', clock()).execute()
    },
  }
}

/** When the time that a use begins now is over. */
export const endOf = ({ rate }: Use, now: number): number => now + RATE_LIMITS[rate].seconds * 1000

import type { Locale } from '@kopilka/contract/messages.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, LetterKind, LettersTable, Trx } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { Message } from './mail/message.ts'

export type Letter = LettersTable

/** Finds the words of a letter when its turn comes; undefined where there is nothing to send any more. */
export type Write = (trx: Trx, letter: Letter) => Promise<Message | undefined>

/** A letter that is ours to send for now, and its words. */
export interface Claimed {
  letter: Letter
  message: Message
}

export type Letters = ReturnType<typeof createLetters>

/** The letters that wait, in the database: they outlive a restart, and every server on it may send them. */
export function createLetters(db: Db, clock: Clock) {
  const change = (source: Db | Trx, { owner_id, id, attempts }: Letter) =>
    source
      .updateTable('letters')
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .where('attempts', '=', attempts)

  const remove = (source: Db | Trx, { owner_id, id }: Letter) =>
    source.deleteFrom('letters').where('owner_id', '=', owner_id).where('id', '=', id).execute()

  const due = () =>
    db
      .selectFrom('letters')
      .select(['owner_id', 'id', 'kind', 'locale', 'attempts', 'next_attempt_at', 'created_at'])
      .where('next_attempt_at', '<=', clock())
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()

  return {
    /** Queues a letter. `owner_id` may be nobody's: such a letter is dropped when its turn comes. */
    async add(owner_id: string, kind: LetterKind, locale: Locale): Promise<void> {
      const now = clock()
      const id = uuidv7({ msecs: now })
      await db
        .insertInto('letters')
        .values({ owner_id, id, kind, locale, attempts: 0, next_attempt_at: now, created_at: now })
        .execute()
    },

    /** Takes back what was not sent yet. */
    async withdraw(trx: Trx, owner_id: string, kind: LetterKind): Promise<void> {
      await trx.deleteFrom('letters').where('owner_id', '=', owner_id).where('kind', '=', kind).execute()
    },

    /**
     * The next letter that is due, for `lease` milliseconds nobody else's; undefined where none is.
     * Its words are found in the transaction that claims it: who withdraws it does so wholly before or wholly after.
     */
    async claim(lease: number, write: Write): Promise<Claimed | undefined> {
      for (;;) {
        const letter = await due()
        if (!letter) return undefined
        const claimed = await transact(db, async (trx) => {
          const mine = { ...letter, attempts: letter.attempts + 1, next_attempt_at: clock() + lease }
          const { attempts, next_attempt_at } = mine
          const { numUpdatedRows } = await change(trx, letter)
            .set({ attempts, next_attempt_at })
            .executeTakeFirst()
          if (numUpdatedRows === 0n) return undefined // another server was quicker
          const message = await write(trx, mine)
          if (message) return { letter: mine, message }
          await remove(trx, mine)
          return undefined
        })
        if (claimed) return claimed
      }
    },

    /** It is sent, or given up. */
    async settle(letter: Letter): Promise<void> {
      await remove(db, letter)
    },

    /** It is due again after `pause` milliseconds. */
    async postpone(letter: Letter, pause: number): Promise<void> {
      await change(db, letter)
        .set({ next_attempt_at: clock() + pause })
        .execute()
    },
  }
}

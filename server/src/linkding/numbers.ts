import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { ownerLock } from '../db/owner-lock.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { AppError } from '../errors.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'

interface Entities {
  owner_id: string
  ids: readonly string[]
}

const numbersOf = statement((db, value: Value<Entities>) =>
  db
    .selectFrom('linkding_ids')
    .select(['entity_id', 'number'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('entity_id', 'ids')),
)

const entityOf = statement((db, value: Value<{ owner_id: string; number: number }>) =>
  db
    .selectFrom('linkding_ids')
    .select('entity_id')
    .where('owner_id', '=', value('owner_id'))
    .where('number', '=', value('number')),
)

const last = statement((db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('linkding_ids')
    .select('number')
    .where('owner_id', '=', value('owner_id'))
    .orderBy('number', 'desc')
    .limit(1),
)

const insert = statement((db, value: Value<{ owner_id: string; number: number; entity_id: string }>) =>
  db.insertInto('linkding_ids').values(value.row(['owner_id', 'number', 'entity_id'])),
)

async function numbered(db: Db, entities: Entities): Promise<Map<string, number>> {
  const rows = entities.ids.length > 0 ? await numbersOf(db, entities) : []
  return new Map(rows.map(({ entity_id, number }) => [entity_id, number]))
}

const lockNumbers = ownerLock('linkdingNumbers')

/** Gives numbers to links and tags that have none, in the order of their creation. Resolves to the numbers of all. */
export const assignNumbers = command('linkding.assign-numbers', async (trx, { owner_id, ids }: Entities) => {
  // Of concurrent requests each gives other numbers.
  await lockNumbers(trx, owner_id)
  const user = await trx
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '=', owner_id)
    .executeTakeFirst()
  if (!user) throw new AppError('unauthorized')
  const numbers = await numbered(trx, { owner_id, ids })
  let number = (await last(trx, { owner_id }))[0]?.number ?? 0
  for (const entity_id of ids.toSorted()) {
    if (numbers.has(entity_id)) continue
    number += 1
    await insert(trx, { owner_id, number, entity_id })
    numbers.set(entity_id, number)
  }
  return numbers
})

/** Numbers that one command gives, or that are read in one iteration of the event loop: others wait for it. */
const AT_ONCE = 500

export type Numbers = ReturnType<typeof createNumbers>

/** The whole numbers by which linkding's clients know links and tags. A number once given stays for ever. */
export function createNumbers(db: Database) {
  return {
    /** The numbers of these links or tags; those that have none get one. */
    async of(owner_id: string, ids: readonly string[]): Promise<Map<string, number>> {
      const numbers = new Map<string, number>()
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        if (at > 0) await yieldToEventLoop()
        const piece = { owner_id, ids: ids.slice(at, at + AT_ONCE) }
        for (const [id, number] of await numbered(db, piece)) numbers.set(id, number)
      }
      const without = ids.filter((id) => !numbers.has(id)).sort()
      for (let at = 0; at < without.length; at += AT_ONCE) {
        const given = await db.write(assignNumbers, { owner_id, ids: without.slice(at, at + AT_ONCE) })
        for (const [id, number] of given) numbers.set(id, number)
      }
      return numbers
    },

    /** The id of a link or tag; undefined if the text is no number that was given. */
    async idOf(owner_id: string, text: string): Promise<string | undefined> {
      if (!/^[1-9]\d{0,8}$/.test(text)) return undefined
      const [row] = await entityOf(db, { owner_id, number: Number(text) })
      return row?.entity_id
    },
  }
}

import { sql } from 'kysely'
import type { Trx } from './schema.ts'
import { fullTextOf, statement, type Value } from './statement.ts'

/** Namespaces of advisory locks by owner; arbitrary numbers, other than that of vocabularies (search/index-postgres.ts). */
const NAMESPACES = { credentials: 5063, samePage: 5064, linkdingNumbers: 5065 } as const

/**
 * Makes a lock that one transaction at a time has of an owner, until it ends. Not of the owner's row in `users`, which every
 * machine of a Citus cluster has (docs/scale.md): there all would wait for each other, and nobody could lock it while a
 * machine is away. On SQLite there is one writer.
 */
export function ownerLock(namespace: keyof typeof NAMESPACES): (trx: Trx, owner_id: string) => Promise<void> {
  const number = sql.lit(NAMESPACES[namespace])
  const lock = statement(
    (_, value: Value<{ owner_id: string }>) =>
      sql<never>`select pg_advisory_xact_lock(${number}, hashtext(${value('owner_id')}))`,
  )
  return async (trx, owner_id) => {
    if (fullTextOf(trx) === 'tsvector') await lock(trx, { owner_id })
  }
}

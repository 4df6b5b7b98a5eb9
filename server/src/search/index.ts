import { hash } from 'node:crypto'
import type { Condition } from '@kopilka/text/search/condition.ts'
import { type Counts, sumOf } from '@kopilka/text/search/index-reader.ts'
import { sql } from 'kysely'
import type { Db, ItemKind } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'
import { postgresIndex } from './index-postgres.ts'
import { sqliteIndex } from './index-sqlite.ts'
import type { SearchIndex } from './search-index.ts'

/** The search index of a database or transaction. */
export const searchIndexOf = (db: Db): SearchIndex =>
  fullTextOf(db) === 'fts5' ? sqliteIndex : postgresIndex

const itemsOf = statement(
  (_, value: Value<{ owner_id: string }>) =>
    sql<{ kind: ItemKind; count: number }>`select kind, cast(sum(count) as integer) as count from item_counts
    where owner_id = ${value('owner_id')} group by kind`,
)

/** Numbers of items of an owner. */
export async function itemCountsOf(db: Db, owner_id: string): Promise<Counts> {
  const rows = await itemsOf(db, { owner_id })
  const countOf = (of: ItemKind) => rows.find(({ kind }) => kind === of)?.count ?? 0
  return { note: countOf('note'), link: countOf('link') }
}

/** Items from which a condition is remembered as common: so many do not lose a word at once, unless they are deleted. */
const REMEMBERED = 300
/** How long a condition is remembered, in milliseconds, and how many are. */
const LIFETIME = 60_000
const MAX_REMEMBERED = 20_000

interface Common {
  readonly atLeast: number
  /** The owner's items when it was counted: where there are fewer now, it is counted again. */
  readonly items: number
  readonly until: number
}

/** Of this thread, by the hash of owner and condition, the oldest first. */
const common = new Map<string, Common>()

const keyOf = (owner_id: string, condition: Condition): string =>
  hash('sha256', `${owner_id}${JSON.stringify(condition)}`, 'base64')

/**
 * How many of the owner's items meet each condition, at most `limit`. Remembers common conditions: PostgreSQL looks at all
 * items of a word to count the first, and most words of a text are the same few common ones. What changes and replaces items
 * lowers no number of items: for a minute a condition may count as common that has become rarer.
 */
export async function frequenciesOf(
  db: Db,
  owner_id: string,
  conditions: readonly Condition[],
  limit: number,
): Promise<number[]> {
  const now = performance.now()
  const keys = conditions.map((condition) => keyOf(owner_id, condition))
  const remembered = keys.map((key) => {
    const known = common.get(key)
    return known && known.atLeast >= limit && known.until > now ? known : undefined
  })
  let items = remembered.some((known) => known) ? sumOf(await itemCountsOf(db, owner_id)) : undefined
  const unknown = conditions.filter((_, at) => (remembered[at]?.items ?? Infinity) > (items ?? 0))
  const counted = unknown.length === 0 ? [] : await searchIndexOf(db).countUpTo(db, owner_id, unknown, limit)
  const counts = new Map(unknown.map((condition, at) => [condition, counted[at] ?? 0]))
  for (const [at, condition] of conditions.entries()) {
    const atLeast = counts.get(condition) ?? 0
    if (atLeast < REMEMBERED) continue
    const key = keys[at] ?? ''
    items ??= sumOf(await itemCountsOf(db, owner_id))
    common.delete(key)
    common.set(key, { atLeast, items, until: now + LIFETIME })
  }
  for (const [key, { until }] of common) {
    if (until > now && common.size <= MAX_REMEMBERED) break
    common.delete(key)
  }
  return conditions.map((condition) => counts.get(condition) ?? limit)
}

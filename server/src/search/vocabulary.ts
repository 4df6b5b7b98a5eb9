import type { Form, SimilarForms } from '@kopilka/text/search/index-reader.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'

/** Sorts after every character of a form. */
const LAST = '\u{10FFFF}'

interface Range {
  owner_id: string
  prefix: string
  end: string
}

const stemsWithin = statement(
  (_, value: Value<Range>) =>
    sql<{ stem: string }>`select distinct stem from search_forms
    where owner_id = ${value('owner_id')} and form >= ${value('prefix')} and form < ${value('end')}
      and substr(stem, 1, length(${value('prefix')})) <> ${value('prefix')}`,
)

/**
 * The stems of the owner's words that begin with `prefix` although their stems do not: 'runnin' is a prefix of 'running',
 * whose stem is 'run'.
 */
export async function stemsCompleting(db: Db, owner_id: string, prefix: string): Promise<string[]> {
  const rows = await stemsWithin(db, { owner_id, prefix, end: prefix + LAST })
  return rows.map(({ stem }) => stem)
}

interface AskedForms {
  owner_id: string
  prefixes: readonly { prefix: string; end: string }[]
  shortest: number
  longest: number
  shortestStem: number
  longestStem: number
}

const selectForms = statement((db, value: Value<AskedForms>) => {
  const asked = value.rows('prefixes', 'asked', ['prefix', 'end'])
  const isAsked = sql`owner_id = ${value('owner_id')} and form >= asked.prefix and form < asked."end"`
  // A range of the index for each prefix: without "offset 0" PostgreSQL would compare each with all forms of the owner.
  const forms =
    fullTextOf(db) === 'fts5'
      ? sql`${asked} cross join search_forms where ${isAsked}`
      : sql`${asked}, lateral (select form, stem from search_forms where ${isAsked} offset 0) as found where true`
  return sql<Form>`select form, stem from ${forms}
    and (length(form) between ${value('shortest')} and ${value('longest')}
      or length(stem) between ${value('shortestStem')} and ${value('longestStem')})`
})

/** Forms of an owner, as `IndexReader` asks for them. */
export const similarForms = (
  db: Db,
  { owner_id, prefixes, forms, stems }: SimilarForms & { owner_id: string },
): Promise<Form[]> =>
  selectForms(db, {
    ...{ owner_id, ...forms, shortestStem: stems.shortest, longestStem: stems.longest },
    prefixes: prefixes.map((prefix) => ({ prefix, end: prefix + LAST })),
  })

/** Forms of a row of the queue. */
const FORMS = 50
/** Rows of one statement: SQLite allows 32,766 parameters. */
const ROWS = 1_000

/** Queues forms that an item lost: {@link nextRemovals} takes them out. */
export async function queueRemovals(trx: Trx, owner_id: string, forms: readonly string[]): Promise<void> {
  const rows = Array.from({ length: Math.ceil(forms.length / FORMS) }, (_, at) => ({
    owner_id,
    id: uuidv7(),
    forms: forms.slice(at * FORMS, (at + 1) * FORMS).join(' '),
  }))
  for (let at = 0; at < rows.length; at += ROWS)
    await trx
      .insertInto('search_removals')
      .values(rows.slice(at, at + ROWS))
      .execute()
}

const nextOwner = statement(
  (_, value: Value<{ after: string }>) =>
    sql<{ owner_id: string }>`select owner_id from search_removals where owner_id > ${value('after')}
      order by owner_id limit 1`,
)

/** The next owner with queued forms after another one, or the first; undefined if there is none. */
export async function ownerOfRemovals(db: Db, after = ''): Promise<string | undefined> {
  const [next] = await nextOwner(db, { after })
  return next || after === '' ? next?.owner_id : ownerOfRemovals(db)
}

const queued = statement(
  (_, value: Value<{ owner_id: string; limit: number }>) =>
    sql<{ id: string; length: number }>`select id, length(forms) as length from search_removals
      where owner_id = ${value('owner_id')} order by id limit ${value('limit')}`,
)

const take = statement(
  (_, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
    sql<{ forms: string }>`delete from search_removals where owner_id = ${value('owner_id')}
      and ${value.among('id', 'ids')} returning forms`,
)

/** Characters of rows that are taken together: items of one bulk change lose a few forms each. */
const TAKEN = 500

/**
 * Takes queued forms of the owner, about as many as one row holds. A longer row of an earlier version is divided into rows.
 */
export async function nextRemovals(trx: Trx, owner_id: string): Promise<string[]> {
  let length = 0
  const ids: string[] = []
  for (const row of await queued(trx, { owner_id, limit: FORMS })) {
    length += row.length
    if (ids.length > 0 && length > TAKEN) break
    ids.push(row.id)
  }
  if (ids.length === 0) return []
  const rows = await take(trx, { owner_id, ids })
  const forms = [...new Set(rows.flatMap((row) => row.forms.split(' ')))]
  await queueRemovals(trx, owner_id, forms.slice(2 * FORMS))
  return forms.slice(0, 2 * FORMS)
}

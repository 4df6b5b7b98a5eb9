import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

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

const formsWithin = statement(
  (_, value: Value<Range & { shortest: number; longest: number }>) =>
    sql<{ form: string }>`select form from search_forms
    where owner_id = ${value('owner_id')} and form >= ${value('prefix')} and form < ${value('end')}
      and length(form) between ${value('shortest')} and ${value('longest')}`,
)

/** The owner's forms of these lengths that begin with `prefix`. */
export async function formsWithPrefix(
  db: Db,
  asked: { owner_id: string; prefix: string; shortest: number; longest: number },
): Promise<string[]> {
  const rows = await formsWithin(db, { ...asked, end: asked.prefix + LAST })
  return rows.map(({ form }) => form)
}

const known = statement(
  (_, value: Value<{ owner_id: string; forms: readonly string[] }>) =>
    sql<{ form: string }>`select form from search_forms
    where owner_id = ${value('owner_id')} and ${value.among('form', 'forms')}`,
)

/** Filters the forms that occur in the owner's items. */
export async function formsAmong(db: Db, owner_id: string, forms: readonly string[]): Promise<string[]> {
  const rows = await known(db, { owner_id, forms })
  return rows.map(({ form }) => form)
}

const queue = statement(
  (_, value: Value<{ owner_id: string; id: string; forms: string }>) =>
    sql<never>`insert into search_removals (owner_id, id, forms)
    values (${value('owner_id')}, ${value('id')}, ${value('forms')})`,
)

/** Queues forms that an item lost: {@link nextRemovals} takes them out. */
export async function queueRemovals(trx: Trx, owner_id: string, forms: readonly string[]): Promise<void> {
  if (forms.length > 0) await queue(trx, { owner_id, id: uuidv7(), forms: forms.join(' ') })
}

const nextOwner = statement(
  () => sql<{ owner_id: string }>`select owner_id from search_removals order by owner_id limit 1`,
)

/** An owner with queued forms, if there is one. */
export async function ownerOfRemovals(db: Db): Promise<string | undefined> {
  return (await nextOwner(db, {}))[0]?.owner_id
}

const take = statement(
  (_, value: Value<{ owner_id: string; limit: number }>) =>
    sql<{ forms: string }>`delete from search_removals where owner_id = ${value('owner_id')} and id in (
      select id from search_removals where owner_id = ${value('owner_id')} order by id limit ${value('limit')}
    ) returning forms`,
)

/** Rows of the queue that are taken together: items of one import or one bulk change lose many forms in common. */
const ROWS = 200

/** Takes queued forms of the owner, each once, at most `limit`; the rest is queued again. */
export async function nextRemovals(trx: Trx, owner_id: string, limit: number): Promise<string[]> {
  const rows = await take(trx, { owner_id, limit: ROWS })
  const forms = [...new Set(rows.flatMap((row) => row.forms.split(' ')))].sort()
  await queueRemovals(trx, owner_id, forms.slice(limit))
  return forms.slice(0, limit)
}

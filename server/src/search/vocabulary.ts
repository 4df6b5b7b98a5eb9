import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
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

import type { ExecutedStatement } from './partitions.ts'

/** Tables without rows of users, and what /readyz asks Citus. */
const UNOWNED = new Set([
  'migrations',
  'rate_limits',
  'search_analyser',
  'pg_dist_partition',
  'run_command_on_workers',
])

/** Statements that may access rows of users without an owner, each with the reason. */
const ALLOWED: readonly { statement: RegExp; because: string }[] = [
  {
    statement: /^select "owner_id", "password_hash" from "users" where "email_key" in /,
    because: 'a sign-in or a password reset knows the email only',
  },
  {
    statement:
      /^select [^*]+ from "jobs" where "kind" = (?:\+\?|\$1) (?:and \("run_at" <= |order by "created_at"$)/,
    because: 'a server runs the jobs of all owners',
  },
  {
    statement:
      /^select "owner_id", "email", "email_key" from "users" where |^update "users" set "email_key" = |^update jobs set /,
    because: 'a migration updates the rows of all owners',
  },
  {
    statement: /^select "owner_id" from "users" where "owner_id" > (?:\+?\?|\$1) order by "owner_id" limit /,
    because: 'a reindex walks through all owners',
  },
  {
    statement:
      /^select "owner_id", "kept_bytes" from "change_counts" where "owner_id" > (?:\+?\?|\$1) order by "owner_id" limit /,
    because: 'a server looks whose history takes more room than it may',
  },
  {
    statement:
      /^update (?:tags set "\w+_count" = \( select count\(\*\) from item_tags|usage set duplicates = \(select count\(\*\) from duplicates) where /,
    because: 'a migration counts the items of all owners',
  },
  {
    statement:
      /^with found as .* search_words match \+?\? .* join search_docs on doc = number and owner_id = \+?\? /,
    because: 'each index term contains its owner’s id, and search_docs filters by owner',
  },
  {
    statement:
      /^select item_id as id, .* search_words .* cross join search_docs on doc = [\w.]+ where owner_id = \+?\?(?: order by |$)/,
    because: 'the same',
  },
  {
    statement:
      /^select item_id as id, .* from \( select doc as number, item_id from search_docs where owner_id = \+?\? and .* and search_words.rowid = number group by number$/,
    because: 'search_docs filters by owner, and gives the numbers of the rows',
  },
  {
    statement:
      /^select \( select count\(\*\) from \( select 1 from search_words where search_words match asked.value /,
    because: 'each index term contains its owner’s id',
  },
  {
    statement:
      /^delete from search_words where rowid = \(select doc from search_docs where owner_id = \+?\? and item_id = \+?\? ?\)/,
    because: 'FTS5 identifies rows by number, which search_docs gives for the owner',
  },
  {
    statement:
      /^insert into search_words \(rowid, words\) select doc, .* cross join search_docs on owner_id = \+?\? and item_id = id$/,
    because: 'the same',
  },
  {
    statement: /^insert into search_words \(search_words, rank\) values \('merge', /,
    because: 'a merge concerns the whole index',
  },
  {
    statement: /^insert into search_docs \(doc, owner_id, item_id, forms\) with recursive times /,
    because: 'a migration numbers the items of all owners',
  },
  {
    statement: /^select owner_id from search_removals where owner_id > .* order by owner_id limit 1$/s,
    because: 'a server cleans the vocabularies of all owners, one owner a step',
  },
  {
    statement: /^delete from search_forms where owner_id = \+?\? .* and search_docs.owner_id = \+?\? /,
    because: 'each index term contains its owner’s id, and search_docs filters by owner',
  },
]

const oneLine = (sql: string): string => sql.replace(/\s+/g, ' ').trim()

const isAllowed = (text: string): boolean => ALLOWED.some(({ statement }) => statement.test(text))

/** Functions that make rows of a parameter. */
const LIST = /^(?:pragma_\w+|json_each|json_array_elements|json_to_recordset|unnest)$/

const FILTERS_OWNER = /\bowner_id"? = (?:\$\d|\+?\?)/

/**
 * Whether a statement locks rows that it reads, of a table with rows of users, on more than one machine of a Citus cluster:
 * rows of all owners, which Citus refuses whatever the reason, or a row of `users`, which every machine has. Then all who
 * lock one wait for each other, and nobody can while a machine is away.
 */
export function locksSeveralNodes(sql: string): boolean {
  const text = oneLine(sql)
  if (!/ for (?:no key update|update|share|key share)\b/i.test(text)) return false
  const tables = [...text.matchAll(/\b(?:from|join) "?(\w+)"?/gi)].map(([, table = '']) => table)
  return (
    tables.includes('users') || (tables.some((table) => !UNOWNED.has(table)) && !FILTERS_OWNER.test(text))
  )
}

/**
 * Whether an insert takes rows from a table with rows of users, and its owner from a parameter: Citus does not see that they
 * lie where it inserts them, takes them to the coordinator, and makes it a transaction of several connections.
 */
export function carriesRows(sql: string): boolean {
  const text = oneLine(sql)
  if (!/^insert into "?\w+"? \("?owner_id"?, [^)]*\) select (?:\$\d|\+?\?)/i.test(text)) return false
  return [...text.matchAll(/\b(?:from|join) "?(\w+)"?/gi)].some(([, table = '']) => !LIST.test(table))
}

/** Whether a statement accesses a table with rows of users without filtering by one owner. */
export function lacksOwner(sql: string): boolean {
  const text = oneLine(sql)
  const named = new Set(
    [...text.matchAll(/\b(\w+) as (?:materialized )?\( ?(?=select )/gi)].map(([, name]) => name),
  )
  const tables = [...text.matchAll(/\b(?:from|join|into|(?<!do )update) "?(\w+)"?/gi)].filter(
    ([, table = '']) => !UNOWNED.has(table) && !named.has(table) && !LIST.test(table),
  )
  if (tables.length === 0 || isAllowed(text)) return false
  if (/^insert /i.test(text)) return !/^insert into "?\w+"? \([^)]*\bowner_id\b/i.test(text)
  const mentions = text.match(/\bowner_id\b/g) ?? []
  return mentions.length < tables.length || !FILTERS_OWNER.test(text)
}

/** A time or an id in the text instead of a parameter. */
const HAS_LITERAL = /\d{6,}|'[\da-f-]{36}'/

/** Whether it reads or changes rows of one owner, so that its plan must stay within one partition. */
export function needsPlanCheck(sql: string): boolean {
  const text = oneLine(sql)
  return /^(?:with|select|insert|update|delete)\b/i.test(text) && !isAllowed(text)
}

function failIfAny(statements: ReadonlySet<string>, advice: string): void {
  if (statements.size > 0) throw new Error(`${advice}:\n${[...statements].slice(0, 10).join('\n')}`)
}

/** Collects and checks every statement that the server sends to its database. */
export function checkStatements(onStatement: (sql: string) => void = () => {}) {
  const withoutOwner = new Set<string>()
  const locking = new Set<string>()
  const carrying = new Set<string>()
  const withLiterals = new Set<string>()
  const executed = new Map<string, ExecutedStatement>()
  return {
    log({ sql, parameters }: ExecutedStatement) {
      onStatement(sql)
      if (needsPlanCheck(sql)) executed.set(sql, { sql, parameters })
      if (locksSeveralNodes(sql)) locking.add(sql)
      if (carriesRows(sql)) carrying.add(sql)
      if (lacksOwner(sql)) withoutOwner.add(sql)
      if (HAS_LITERAL.test(sql)) withLiterals.add(sql)
    },
    /** The last execution of each statement that must filter by owner. */
    executed: () => executed.values(),
    /** Throws where a statement lacks an owner or contains literal values. */
    check() {
      failIfAny(
        withoutOwner,
        'These access rows of users without owner_id. Add it, or say in testing/check-statements.ts why not',
      )
      failIfAny(
        locking,
        'These lock rows on several machines of a Citus cluster (docs/scale.md). Lock rows of one owner, or take an advisory lock (db/owner-lock.ts)',
      )
      failIfAny(
        carrying,
        'These insert rows of a table of which Citus does not see the owner (docs/scale.md). Take owner_id from the table',
      )
      failIfAny(
        withLiterals,
        'These contain literal values: pass them as parameters, so that the statement is prepared once',
      )
    },
  }
}

import type { ExecutedStatement } from './partitions.ts'

/** Tables without rows of users. */
const UNOWNED = new Set(['migrations', 'rate_limits', 'search_analyser'])

/** Statements that may access rows of users without an owner, each with the reason. */
const ALLOWED: readonly { statement: RegExp; because: string }[] = [
  {
    statement: /^select "owner_id", "password_hash" from "users" where "email_key" in /,
    because: 'a sign-in or a password reset knows the email only',
  },
  {
    statement:
      /^select case when "users"."email_key" in .* from "known_devices" inner join "users" .* where "known_devices"."secret_hash" = /,
    because: 'the same; it also looks whether the device is known to this account or to any',
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
      /^select \( select count\(\*\) from \( select 1 from search_words where search_words match asked.value /,
    because: 'each index term contains its owner’s id',
  },
  {
    statement:
      /^(?:delete from search_words where rowid = |insert into search_words \(rowid, words\) values \( ?)\(select doc from search_docs where owner_id = \+?\? and item_id = \+?\? ?\)/,
    because: 'FTS5 identifies rows by number, which search_docs gives for the owner',
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

const isAllowed = (text: string): boolean => ALLOWED.some(({ statement }) => statement.test(text))

/** Whether a statement accesses a table with rows of users without filtering by one owner. */
export function lacksOwner(sql: string): boolean {
  const text = sql.replace(/\s+/g, ' ').trim()
  const named = new Set(
    [...text.matchAll(/\b(\w+) as (?:materialized )?\( ?(?=select )/gi)].map(([, name]) => name),
  )
  const tables = [...text.matchAll(/\b(?:from|join|into|(?<!do )update) "?(\w+)"?/gi)].filter(
    ([, table = '']) =>
      !UNOWNED.has(table) &&
      !named.has(table) &&
      !/^(?:pragma_\w+|json_each|json_array_elements|json_to_recordset|unnest)$/.test(table),
  )
  if (tables.length === 0 || isAllowed(text)) return false
  if (/^insert /i.test(text)) return !/^insert into "?\w+"? \([^)]*\bowner_id\b/i.test(text)
  const mentions = text.match(/\bowner_id\b/g) ?? []
  return mentions.length < tables.length || !/\bowner_id"? = (?:\$\d|\+?\?)/.test(text)
}

/** A time or an id in the text instead of a parameter. */
const HAS_LITERAL = /\d{6,}|'[\da-f-]{36}'/

function failIfAny(statements: ReadonlySet<string>, advice: string): void {
  if (statements.size > 0) throw new Error(`${advice}:\n${[...statements].slice(0, 10).join('\n')}`)
}

/** Collects and checks every statement that the server sends to its database. */
export function checkStatements(onStatement: (sql: string) => void = () => {}) {
  const withoutOwner = new Set<string>()
  const withLiterals = new Set<string>()
  const executed = new Map<string, ExecutedStatement>()
  return {
    log({ sql, parameters }: ExecutedStatement) {
      onStatement(sql)
      if (/^(?:select|insert|update|delete)\b/.test(sql) && !isAllowed(sql))
        executed.set(sql, { sql, parameters })
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
        withLiterals,
        'These contain literal values: pass them as parameters, so that the statement is prepared once',
      )
    },
  }
}

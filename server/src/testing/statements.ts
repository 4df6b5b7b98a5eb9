import type { Asked } from './partitions.ts'

/** Tables in which nothing is a user's. */
const NOBODYS = new Set(['migrations', 'rate_limits', 'search_analyser'])

/** Statements that may ask for rows of users without saying whose, each with the reason. */
const ALLOWED: readonly { statement: RegExp; because: string }[] = [
  {
    statement: /^select "owner_id", "password_hash" from "users" where "email_key" in /,
    because: 'whoever signs in or forgot the password has nothing but an email',
  },
  {
    statement:
      /^select case when "users"."email_key" in .* from "known_devices" inner join "users" .* where "known_devices"."secret_hash" = /,
    because: 'the same, and it is asked whether this device has signed in to it, or to any account, before',
  },
  {
    statement: /^select [^*]+ from "jobs" where "kind" = (?:\+\?|\$1) and \("run_at" <= /,
    because: 'a server does the jobs of all: which is due next',
  },
  {
    statement:
      /^select "owner_id", "email", "email_key" from "users" where |^update "users" set "email_key" = |^update jobs set /,
    because: 'a migration renews what there is of all owners',
  },
  {
    statement: /^select "owner_id" from "users" where "owner_id" > (?:\+?\?|\$1) order by "owner_id" limit /,
    because: 'the items of all owners are indexed anew, one owner after the other',
  },
  {
    statement: /^update tags set "\w+_count" = \( select count\(\*\) from item_tags where /,
    because: 'a migration counts for all owners what there is',
  },
  {
    statement:
      /^with found as .* search_words match \+?\? .* join search_docs on doc = number and owner_id = \+?\? /,
    because: 'each term in the index carries its owner’s id, and the rows say whose they are',
  },
  {
    statement:
      /^select item_id as id, .* search_words .* cross join search_docs on doc = [\w.]+ where owner_id = \+?\? (?:order|group) by /,
    because: 'the same',
  },
  {
    statement:
      /^(?:delete from search_words where rowid = |insert into search_words \(rowid, words\) values \( ?)\(select doc from search_docs where owner_id = \+?\? and item_id = \+?\? ?\)/,
    because: 'FTS5 knows rows by number: search_docs gave it for the owner',
  },
  {
    statement: /^insert into search_words \(search_words, rank\) values \('merge', /,
    because: 'the index is merged for all',
  },
  {
    statement: /^insert into search_docs \(doc, owner_id, item_id, forms\) with recursive times /,
    because: 'the numbers are given to the items of all',
  },
  {
    statement: /^delete from search_forms where owner_id = \+?\? .* and search_docs.owner_id = \+?\? /,
    because: 'each term in the index carries its owner’s id, and the rows say whose they are',
  },
]

const isAllowed = (text: string): boolean => ALLOWED.some(({ statement }) => statement.test(text))

/** Whether a statement touches rows of users without being held to one owner, in each table that it names. */
export function forgetsOwner(sql: string): boolean {
  const text = sql.replace(/\s+/g, ' ').trim()
  const named = new Set(
    [...text.matchAll(/\b(\w+) as (?:materialized )?\( ?(?=select )/gi)].map(([, name]) => name),
  )
  const tables = [...text.matchAll(/\b(?:from|join|into|(?<!do )update) "?(\w+)"?/gi)].filter(
    ([, table = '']) =>
      !NOBODYS.has(table) && !named.has(table) && !/^(?:pragma_\w+|json_each|unnest)$/.test(table),
  )
  if (tables.length === 0 || isAllowed(text)) return false
  if (/^insert /i.test(text)) return !/^insert into "?\w+"? \([^)]*\bowner_id\b/i.test(text)
  const mentions = text.match(/\bowner_id\b/g) ?? []
  return mentions.length < tables.length || !/\bowner_id"? = (?:\$\d|\+?\?)/.test(text)
}

/** A time or an id in the text itself. */
const HOLDS_VALUE = /\d{6,}|'[\da-f-]{36}'/

function refuse(statements: ReadonlySet<string>, advice: string): void {
  if (statements.size > 0) throw new Error(`${advice}:\n${[...statements].slice(0, 10).join('\n')}`)
}

/** Looks at every statement that the server sends to its database. */
export function watchStatements(onStatement: (sql: string) => void = () => {}) {
  const forgetful = new Set<string>()
  const unprepared = new Set<string>()
  const asked = new Map<string, Asked>()
  return {
    log({ sql, parameters }: Asked) {
      onStatement(sql)
      if (/^(?:select|insert|update|delete)\b/.test(sql) && !isAllowed(sql))
        asked.set(sql, { sql, parameters })
      if (forgetsOwner(sql)) forgetful.add(sql)
      if (HOLDS_VALUE.test(sql)) unprepared.add(sql)
    },
    /** Each that is to ask for one owner, as it was asked last. */
    asked: () => asked.values(),
    /** Throws where one did not say whose rows it was about, or is a new text each time. */
    check() {
      refuse(
        forgetful,
        'These touch rows of users without owner_id. Add it, or say in testing/statements.ts why not',
      )
      refuse(unprepared, 'These hold values: pass them as parameters, so that a statement is prepared once')
    },
  }
}

import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'

type Query<Row> = (values: readonly (string | number)[]) => readonly Row[] | Promise<readonly Row[]>

/** Statements of one of the two databases, each prepared once. */
interface Statements {
  prepare<Row>(sql: string): Query<Row>
  /** On the baseline's own table, kept as safely as the product keeps its own. */
  prepareWrite(sql: string): Query<never>
  /** The tags of an item as JSON, in SQL. */
  readonly listOfTags: string
  readonly index: Index
}

/** The product's own search index, queried without the product. */
interface Index {
  /** Values: a match, the owner. */
  readonly counts: string
  /** Values: a match, the owner, a kind, how many. */
  readonly newest: string
  readonly kinds: { readonly note: string | number; readonly link: string | number }
  /** Matches stems, the last of which may be a prefix, in texts and addresses. */
  readonly matchOf: (owner: string, stems: readonly string[]) => string
}

const SQLITE_INDEX: Index = {
  counts: `select count(*) - coalesce(sum(rowid & 1), 0) as notes, coalesce(sum(rowid & 1), 0) as links
    from search_words where search_words match ? and ? <> ''`,
  // Numbers follow time (server/src/search/index-sqlite.ts): the newest come first unsorted.
  newest: `select owner_id, item_id from (
      select rowid as number from search_words where search_words match ? and ? <> '' and rowid & 1 = ?
      order by rowid desc limit ?
    ) cross join search_docs on doc = number`,
  kinds: { note: 0, link: 1 },
  matchOf: (owner, stems) =>
    stems
      .map((stem, at) =>
        ['=', '/'].map(
          (place) => `"${owner.replaceAll('-', '')}${place}${stem}"${at === stems.length - 1 ? '*' : ''}`,
        ),
      )
      .map((places) => `(${places.join(' OR ')})`)
      .join(' AND '),
}

const POSTGRES_INDEX: Index = {
  counts: `select count(*) filter (where kind = 'note') as notes, count(*) filter (where kind = 'link') as links
    from search_words where words @@ ?::tsquery and owner_id = ? and not parted`,
  newest: `select owner_id, item_id from search_words
    where words @@ ?::tsquery and owner_id = ? and not parted and kind = ?
    order by created_at desc limit ?`,
  kinds: { note: 'note', link: 'link' },
  matchOf(owner, stems) {
    // Asked for twice, the term of every item keeps PostgreSQL at the index (server/src/search/index-postgres.ts says why).
    const every = `'${owner.slice(-4)}*'`
    const words = stems.map((stem, at) => {
      const prefix = at === stems.length - 1 ? ':*' : ''
      return `(${['=', '/'].map((place) => `'${owner.slice(-4)}${place}${stem}'${prefix}`).join(' | ')})`
    })
    return [every, every, ...words].join(' & ')
  },
}

const OWN_TABLE = `create table if not exists baseline_items (
  owner_id text not null, id text not null, title text not null, body text not null,
  created_at bigint not null, updated_at bigint not null, primary key (owner_id, id))`

/** Opens the items and the baseline's own table. Values replace `?` in order. */
export async function openStatements(settings: {
  DATA_DIR: string
  DATABASE_URL: string
}): Promise<Statements> {
  return settings.DATABASE_URL === '' ? openSqlite(settings.DATA_DIR) : openPostgres(settings.DATABASE_URL)
}

/**
 * SQLite 3.54 takes a bound `?` in `column = ?` or `limit ?` as a hint for the plan, and better-sqlite3 clears the bindings
 * after each execution: every execution would be planned again. An expression is no hint, so `+?` keeps the plan.
 */
const keepPlan = (sql: string): string => sql.replaceAll('?', '+?')

function openSqlite(folder: string): Statements {
  const items = new Database(join(folder, 'kopilka.sqlite'), { readonly: true })
  const own = new Database(join(folder, 'baseline.sqlite'))
  own.pragma('journal_mode = wal')
  own.pragma('synchronous = full')
  own.exec(OWN_TABLE)
  return {
    prepare: <Row>(sql: string) => {
      const statement = items.prepare<unknown[], Row>(keepPlan(sql))
      return (values: readonly unknown[]) => statement.all(...values)
    },
    prepareWrite: (sql) => {
      const statement = own.prepare(keepPlan(sql))
      return (values) => {
        statement.run(...values)
        return []
      }
    },
    index: SQLITE_INDEX,
    listOfTags: "json_group_array(json_object('id', tags.id, 'name', tags.name))",
  }
}

async function openPostgres(url: string): Promise<Statements> {
  // As many connections as the product opens.
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  await pool.query(OWN_TABLE)
  let prepared = 0
  const prepare = <Row>(sql: string) => {
    prepared += 1
    const name = `baseline_${prepared}`
    let values = 0
    const text = sql.replace(/\?/g, () => {
      values += 1
      return `$${values}`
    })
    return async (given: readonly unknown[]) =>
      (await pool.query({ name, text, values: [...given] })).rows as Row[]
  }
  return {
    prepare,
    prepareWrite: prepare,
    index: POSTGRES_INDEX,
    listOfTags: "coalesce(json_agg(json_build_object('id', tags.id, 'name', tags.name)), '[]')::text",
  }
}

import { sql } from 'kysely'
import type { FullText } from '../db/dialect.ts'
import type { Database } from '../db/open.ts'

/** The schema as text: one line for each column, key and index under its table; the same for equal tables of both databases. */
export async function describeSchema(db: Database): Promise<string> {
  const rows = await ROWS[db.fullText](db)
  const tables = Map.groupBy(rows, ({ table }) => table)
  return [...tables]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([table, parts]) =>
      [table, ...parts.map(({ part }) => `  ${part.replace(/\s+/g, ' ').trim()}`), ''].join('\n'),
    )
    .join('\n')
}

interface Part {
  table: string
  part: string
}

const ROWS: Readonly<Record<FullText, (db: Database) => Promise<Part[]>>> = {
  fts5: inSqlite,
  tsvector: inPostgres,
}

async function inSqlite(db: Database): Promise<Part[]> {
  const { rows } = await sql<Part>`
    with tables as (
      select name, sql from sqlite_master
        where type = 'table' and name not like 'sqlite%' and name not like 'search\_words\_%' escape '\\'
    ),
    parts as (
      select tables.name as "table", 0 as kind, cid as at,
        columns.name || ' ' || lower(columns.type) || iif("notnull", ' not null', '') as part
        from tables, pragma_table_info(tables.name) as columns
      union all
      select tables.name, 1, 0,
        'primary key (' || (select group_concat(name, ', ' order by pk) from pragma_table_info(tables.name) where pk > 0) || ')'
        from tables
      union all
      select tables.name, case origin when 'u' then 2 else 4 end, indexes.name,
        iif(origin = 'u', 'unique', 'index ' || indexes.name)
          || ' (' || (select group_concat(name || iif(desc, ' DESC', ''), ', ' order by seqno) from pragma_index_xinfo(indexes.name) where key) || ')'
          || iif(indexes.partial, ' where ' || (select substr(sql, instr(lower(sql), ' where ') + 7) from sqlite_master where sqlite_master.name = indexes.name), '')
        from tables, pragma_index_list(tables.name) as indexes where origin <> 'pk'
      union all
      select name, 3, min(key.id),
        'foreign key (' || group_concat(key."from", ', ' order by key.seq) || ') references '
          || key."table" || '(' || group_concat(key."to", ', ' order by key.seq) || ') on delete ' || lower(on_delete)
        from tables, pragma_foreign_key_list(tables.name) as key group by name, key.id
      union all
      select name, 5, 0, sql from tables where sql like 'create virtual%'
    )
    select "table", part from parts where part is not null
    order by "table", kind, iif(kind = 3, part, at)`.execute(db)
  return rows
}

async function inPostgres(db: Database): Promise<Part[]> {
  const { rows } = await sql<Part>`
    with tables as (
      select oid, relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
    ),
    parts as (
      select tables.name as "table", 0 as kind, lpad(attnum::text, 4) as at,
        attname || ' ' || format_type(atttypid, atttypmod)
          || coalesce(' collate "' || nullif(collname, 'default') || '"', '')
          || case when attnotnull then ' not null' else '' end as part
        from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
          left join pg_collation on pg_collation.oid = attcollation
      union all
      select tables.name, case contype when 'p' then 1 when 'u' then 2 when 'f' then 3 else 5 end, conname,
        replace(replace(replace(replace(replace(pg_get_constraintdef(pg_constraint.oid),
          'PRIMARY KEY', 'primary key'), 'UNIQUE', 'unique'), 'FOREIGN KEY', 'foreign key'),
          'REFERENCES', 'references'), 'ON DELETE CASCADE', 'on delete cascade')
        from tables join pg_constraint on conrelid = tables.oid and contype in ('p', 'u', 'f', 'c')
      union all
      select tables.name, 4, relname,
        'index ' || regexp_replace(
          regexp_replace(pg_get_indexdef(indexrelid), '^.* INDEX (\\S+) ON \\S+ (?:USING btree )?', '\\1 '),
          ' WHERE .*$', '')
          || coalesce(' where ' || lower(regexp_replace(pg_get_expr(indpred, indrelid), '^\\((.*)\\)$', '\\1')), '')
        from tables join pg_index on indrelid = tables.oid join pg_class on pg_class.oid = indexrelid
        where not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    )
    select "table", part from parts order by "table", kind, case when kind = 3 then part else at end`.execute(
    db,
  )
  return rows
}

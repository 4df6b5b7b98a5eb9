import { readFileSync } from 'node:fs'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeSchema } from '../testing/describe-schema.ts'
import { createTestDatabase, runAdminStatement } from '../testing/test-database.ts'
import { migrations } from './migrations/index.ts'
import { openDb } from './open.ts'
import { type Dump, fillPostgres, hasTables } from './postgres-backup.ts'

const applied = migrations.map(({ name }) => name)
const USER = 'u\ta@example.org\ta@example.org\tА\tБ\thash\t1'

let url: string
beforeEach(async () => {
  const database = await createTestDatabase()
  onTestFinished(database.remove)
  url = database.settings.DATABASE_URL
})

/** A copy of a database with one user, as pg_restore shows it, of which `change` makes another. */
async function dumpOf(change: (dump: { parts: string[]; script: string }) => void = () => {}): Promise<Dump> {
  const source = await createTestDatabase()
  const ask = async (query: string) =>
    (await runAdminStatement(source.settings.DATABASE_URL, query)).rows.map(({ text }) => String(text))
  await (await openDb(source.settings)).destroy()
  const parts = await ask(`
    select 'TABLE public ' || tablename || ' owner' as text from pg_tables where schemaname = 'public'
    union all select 'INDEX public ' || indexname || ' owner' from pg_indexes where schemaname = 'public'
      and not exists (select from pg_constraint where conname = indexname and contype in ('p', 'u'))
    union all select case contype when 'f' then 'FK CONSTRAINT' else 'CONSTRAINT' end || ' public ' || conrelid::regclass || ' ' || conname
      from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')`)
  // Latest tables first: those that others refer to come behind them.
  const tables = await ask(`
    select format('%s (%s)', attrelid::regclass, string_agg(quote_ident(attname), ', ' order by attnum)) as text
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped group by attrelid order by attrelid desc`)
  await source.remove()
  const rowsOf = (table: string) => {
    if (table.startsWith('migrations ')) return applied
    if (table.startsWith('users ')) return [USER]
    return table.startsWith('known_devices ') ? ['u\tsecret\t1'] : []
  }
  const dump = {
    parts,
    script: [
      "SET client_encoding = 'UTF8';",
      ...tables.flatMap((table) => [`COPY public.${table} FROM stdin;`, ...rowsOf(table), '\\.', '']),
    ].join('\n'),
  }
  change(dump)
  const lines = Buffer.from(dump.script).toString('latin1').split('\n')
  return {
    applied,
    parts: dump.parts,
    script: (async function* () {
      yield* lines
    })(),
  }
}

it('creates the tables, keys and indexes of the migrations, and takes the rows from a copy', async () => {
  await fillPostgres(url, await dumpOf())
  const { rows } = await runAdminStatement(
    url,
    'select first_name, secret_hash from users join known_devices using (owner_id)',
  )
  expect(rows).toEqual([{ first_name: 'А', secret_hash: 'secret' }])
  const db = await openDb({ DATABASE_URL: url, DATA_DIR: '' })
  const snapshot = readFileSync(new URL('./schema-snapshots/postgres.txt', import.meta.url), 'utf8')
  expect(await describeSchema(db)).toBe(snapshot)
  await db.destroy()
})

it.each<[string, (dump: { parts: string[]; script: string }) => void, string]>([
  ['a view', ({ parts }) => parts.push('VIEW public everything owner'), 'VIEW public everything'],
  ['a trigger', ({ parts }) => parts.push('TRIGGER public items thief owner'), 'TRIGGER public items thief'],
  [
    'no index',
    ({ parts }) => parts.splice(parts.indexOf('INDEX public changes_by_entity owner'), 1),
    'INDEX public changes_by_entity',
  ],
  [
    'no table',
    ({ parts }) => parts.splice(parts.indexOf('TABLE public users owner'), 1),
    'TABLE public users',
  ],
  [
    'a column of its own',
    (dump) => {
      dump.script = dump.script.replace('COPY public.users (', 'COPY public.users (more, ')
    },
    'TABLE public users',
  ],
  [
    'rows of a table of its own',
    (dump) => {
      dump.script += 'COPY public.more (id) FROM stdin;\n\\.\n'
    },
    'TABLE public more',
  ],
  [
    'no rows of a table',
    (dump) => {
      dump.script = dump.script.replace('COPY public.users', 'INSERT INTO public.users')
    },
    'TABLE DATA public users',
  ],
  [
    'an end within rows',
    (dump) => {
      dump.script = dump.script.slice(0, dump.script.indexOf(USER) + USER.length)
    },
    'TABLE DATA',
  ],
  [
    'a row that is none',
    (dump) => {
      dump.script = dump.script.replace(USER, 'u')
    },
    'missing data for column',
  ],
  [
    'a row without that it refers to',
    (dump) => {
      dump.script = dump.script.replace(`${USER}\n`, '')
    },
    'violates foreign key constraint',
  ],
])('refuses a copy with %s, and leaves the database empty', async (_, change, message) => {
  await expect(fillPostgres(url, await dumpOf(change))).rejects.toThrow(message)
  expect(await hasTables(url)).toBe(false)
})

it('runs no statement of a copy', async () => {
  await fillPostgres(
    url,
    await dumpOf((dump) => {
      dump.script = `commit; create table public.left_behind (id integer);\n${dump.script}\ncommit; drop table public.users;`
    }),
  )
  const { rows } = await runAdminStatement(
    url,
    "select to_regclass('left_behind') as made, to_regclass('users') as kept",
  )
  expect(rows).toEqual([{ made: null, kept: 'users' }])
})

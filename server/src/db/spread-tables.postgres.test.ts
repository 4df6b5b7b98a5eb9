import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createTestApp } from '../testing/create-test-app.ts'
import { describeSchema } from '../testing/describe-schema.ts'
import { itIfAvailable } from '../testing/it-if-available.ts'
import { standInForCitus } from '../testing/stand-in-for-citus.ts'
import {
  createOnCluster,
  createTestDatabase,
  runAdminStatement,
  type TestDatabase,
} from '../testing/test-database.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { dialectFor, distribute, openDb } from './open.ts'
import { citusIn, hasTables } from './postgres-backup.ts'
import { COLUMN_SETTINGS } from './spread-tables.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase({ isMigrated: false })
  onTestFinished(() => database.remove())
})

const installStandIn = (partitions = 2) =>
  runAdminStatement(database.settings.DATABASE_URL, standInForCitus(partitions))

async function rowsOf(statement: string): Promise<Record<string, unknown>[]> {
  return (await runAdminStatement(database.settings.DATABASE_URL, statement)).rows
}

const KEPT = `select array_agg(relname::text order by relname::text collate "C") as tables, partmethod::text || repmodel::text as kept
  from pg_dist_partition join pg_class on pg_class.oid = logicalrelid group by partmethod, repmodel order by kept`

it('says in a sentence what plain PostgreSQL lacks, and creates nothing', async () => {
  await expect(distribute(database.settings)).rejects.toThrow(/^Это обычный PostgreSQL: [^\n]+$/)
  expect(await rowsOf(`select from pg_tables where schemaname = 'public'`)).toEqual([])
})

it('changes nothing of a database on plain PostgreSQL', async () => {
  const db = await openDb(database.settings)
  expect(await db.ping()).toBeUndefined()
  const before = await describeSchema(db)
  await expect(distribute(database.settings)).rejects.toThrow(/^Это обычный PostgreSQL: [^\n]+$/)
  expect(await describeSchema(db)).toBe(before)
  await db.destroy()
})

/** Runs a command of package.json on the database. */
async function command(name: string) {
  const script = fileURLToPath(new URL(`../../../scripts/${name}.ts`, import.meta.url))
  const env = { ...process.env, ...database.settings }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, output, errors }
}

it('is a command that says what it did and what there is nothing to do; a backup is refused from Citus on', async () => {
  expect(await command('distribute')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^Это обычный PostgreSQL: [^\n]+\n$/),
  })
  await installStandIn()
  expect(await command('backup')).toEqual({
    code: 1,
    output: '',
    errors: expect.stringMatching(/^К базе подключён Citus, [^\n]+\(drop extension citus\)[^\n]+\n$/),
  })
  expect(await command('distribute')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Таблицы переданы под управление Citus: items, [^\n]+\.\n$/),
  })
  expect(await command('distribute')).toMatchObject({
    code: 0,
    output: 'Все таблицы уже разнесены по машинам.\n',
  })
  expect(await command('backup')).toEqual({
    code: 1,
    output: '',
    errors: expect.stringMatching(/^Таблицы разнесены по машинам \(Citus\): [^\n]+ pg_basebackup[^\n]+\n$/),
  })
}, 60_000)

it('spreads every table with an owner, and changes nothing when it is repeated', async () => {
  await installStandIn()
  expect(await hasTables(database.settings.DATABASE_URL)).toBe(false)
  const tables = await distribute(database.settings)
  expect(await citusIn(database.settings.DATABASE_URL)).toEqual({ isThere: true, hasSpread: true })
  const app = await createTestApp({ database })
  const { status, body } = await app.send('GET', '/readyz')
  expect([status, body]).toEqual([200, { status: 'ok', machines: { reached: 1, away: 1 } }])
  await app.close()
  const [reference, local, spread] = await rowsOf(KEPT).then((rows) => [
    rows.find(({ kept }) => kept === 'nt')?.tables,
    rows.find(({ kept }) => kept === 'ns')?.tables,
    rows.find(({ kept }) => kept === 'hs')?.tables,
  ])
  expect(reference).toEqual(['users'])
  expect(local).toEqual(['migrations', 'rate_limits', 'search_analyser'])
  const snapshot = await readFile(new URL('./schema-snapshots/postgres.txt', import.meta.url), 'utf8')
  const names = [...snapshot.matchAll(/^\w+$/gm)].map(([name]) => name)
  expect(names.length).toBeGreaterThan(25)
  expect([reference, local, spread].flat().sort()).toEqual(names.sort())
  expect(tables.toSorted()).toEqual(names.sort())
  expect(await distribute(database.settings)).toEqual([])
})

it('has no keys, triggers or sequences that Citus refuses on spread tables', async () => {
  await (await openDb(database.settings)).destroy()
  expect(await rowsOf(REFUSED_IN_SCHEMA)).toEqual([])
  const url = database.settings.DATABASE_URL
  await runAdminStatement(
    url,
    `create unique index items_id on items (id, owner_id);
    create table apart (id serial primary key, owner_id text, item_id text,
      constraint apart_item foreign key (item_id, owner_id) references items (id, owner_id));
    create table local (id text primary key references rate_limits (key));
    create function change() returns trigger language plpgsql as 'begin return new; end';
    create trigger changed before insert on items execute function change()`,
  )
  expect(await rowsOf(REFUSED_IN_SCHEMA)).toEqual(
    ['apart_id_seq', 'apart_item', 'changed'].map((name) => ({ name })),
  )
}, 60_000)

it('spreads none where a machine refuses one, and all once it does not', async () => {
  await installStandIn()
  const url = database.settings.DATABASE_URL
  await (await openDb(database.settings)).destroy()
  const before = await rowsOf(KEYS)
  const signature = '(name text, by text, colocate_with text) returns void language plpgsql'
  await runAdminStatement(
    url,
    `set allow_system_table_mods = on;
    alter function pg_catalog.create_distributed_table rename to create_really;
    create function pg_catalog.create_distributed_table${signature} as $$ begin
      if (select count(*) from pg_dist_partition where partmethod = 'h') = 2 then raise 'no room left'; end if;
      perform create_really(name, by, colocate_with);
    end $$`,
  )
  await expect(distribute(database.settings)).rejects.toThrow('no room left')
  expect(await rowsOf('select from pg_dist_partition')).toEqual([])
  expect(await rowsOf('select from pg_inherits where inhrelid::regclass::text ~ $$_on_\\d+$$')).toEqual([])
  expect(await rowsOf(KEYS)).toEqual(before)
  await runAdminStatement(
    url,
    `set allow_system_table_mods = on; drop function pg_catalog.create_distributed_table;
    alter function pg_catalog.create_really rename to create_distributed_table`,
  )
  expect(await distribute(database.settings)).toContain('items')
  expect(await rowsOf(KEYS)).toEqual(before)
}, 60_000)

/** The migration from which on partitions take each setting of a column that the migrations make. */
const PARTED = migrations.findIndex(({ name }) => name.startsWith('005'))

it.each(migrations.slice(1).map(({ name }) => name))(
  'spreads tables after %s, and upgrades them',
  async (name) => {
    const url = database.settings.DATABASE_URL
    const upTo = migrations.findIndex((migration) => migration.name === name) + 1
    const shards = upTo > PARTED ? 2 : 1
    await installStandIn(shards > 1 ? shards : 0)
    await distribute(database.settings, migrations.slice(0, upTo))
    await runAdminStatement(url, OWNED)
    const statements: string[] = []
    const dialect = dialectFor(database.settings)
    const db = new Kysely<MigrationTables>({
      dialect: dialect.connectForMigrations(),
      log: ({ query }) => void statements.push(query.sql.replaceAll(/\s+/g, ' ').trim()),
    })
    await migrate(db, dialect)
    await db.destroy()
    expect(statements.filter((statement) => REFUSED_BY_CITUS.test(statement))).toEqual([])
    // All that is left to do is what has no owner.
    const left = await distribute(database.settings)
    expect(
      left.filter((table) => !['search_analyser', 'rate_limits', 'limit_counts'].includes(table)),
    ).toEqual([])
    const kept =
      'select title, name from items join item_tags on item_id = items.id join tags on tag_id = tags.id'
    expect(await rowsOf(kept)).toEqual([{ title: 'Заметка', name: 'лес' }])
    expect(await rowsOf(KEYS)).toEqual(await keysOfWhole())
    const settings = Array.from({ length: shards }, () => LISTED).flat()
    expect(await settingsOfColumns()).toEqual(settings.sort())
  },
)

const OWNED = `
  insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values ('one', 'a@example.org', 'a@example.org', '', '', '', 0);
  insert into items (owner_id, id, kind, title, body, excerpt, revision, created_at, updated_at)
    values ('one', 'note', 'note', 'Заметка', '', '', 1, 0, 0);
  insert into tags (owner_id, id, name, name_key) values ('one', 'tag', 'лес', 'лес');
  insert into item_tags (owner_id, item_id, tag_id, kind) values ('one', 'note', 'tag', 'note');`

const CITUS = process.env.TEST_CITUS || undefined

itIfAvailable(
  CITUS,
  'spreads tables over machines after the second migration, and upgrades them (where TEST_CITUS names a cluster)',
  async (citus) => {
    const name = `kopilka_${randomBytes(8).toString('hex')}`
    onTestFinished(await createOnCluster(citus, name))
    const DATABASE_URL = String(Object.assign(new URL(citus), { pathname: name }))
    const settings = { DATA_DIR: '', DATABASE_URL }
    await distribute(settings, migrations.slice(0, 2))
    await runAdminStatement(DATABASE_URL, OWNED)
    await distribute(settings)
    expect((await runAdminStatement(DATABASE_URL, 'select owner_id, items, tags from usage')).rows).toEqual([
      { owner_id: 'one', items: 1, tags: 1 },
    ])
    expect(await distribute(settings)).toEqual([])
    const { rows } = await runAdminStatement(
      DATABASE_URL,
      'select citus_table_type as type, count(*)::integer from citus_tables group by 1 order by 1',
    )
    const counts = Object.fromEntries(rows.map(({ type, count }) => [type, count]))
    expect(counts).toEqual({ distributed: expect.any(Number), local: 3, reference: 1 })
    expect((await runAdminStatement(DATABASE_URL, KEYS)).rows).toEqual(await keysOfWhole())
  },
  300_000,
)

/** What Citus refuses on spread tables: settings of columns, and several objects in one `drop`. */
const REFUSED_BY_CITUS =
  /^alter (?:table|index) \S+ alter (?:column )?\S+ set (?:statistics|storage|compression|\()|^drop \w+ (?:if exists )?[^(]*,/i

it.each([
  'alter table search_words alter column owner_id set (n_distinct = 10)',
  'alter table search_words alter owner_id set (n_distinct = 10)',
  'alter index "one" alter column 1 set statistics 0',
  'drop index one, other',
])('the guard of migrations refuses %s', (statement) => {
  expect(statement).toMatch(REFUSED_BY_CITUS)
})

/** The foreign keys, without those of partitions. */
const KEYS = `select conrelid::regclass::text as "table", pg_get_constraintdef(oid) as definition from pg_constraint
  where contype = 'f' and conparentid = 0 order by 1, 2`

async function keysOfWhole() {
  const whole = await createTestDatabase({ isMigrated: false })
  await (await openDb(whole.settings)).destroy()
  const { rows } = await runAdminStatement(whole.settings.DATABASE_URL, KEYS)
  await whole.remove()
  return rows
}

/**
 * What the stand-in takes and Citus does not: a foreign key of a spread table, or to one, that does not lead from owner to owner,
 * a trigger, a sequence.
 */
const REFUSED_IN_SCHEMA = `
  with tables as (
    select oid, exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'owner_id') as "hasOwner"
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
  )
  select conname::text as name from pg_constraint
    join tables as one on one.oid = conrelid join tables as other on other.oid = confrelid
    where contype = 'f' and (one."hasOwner" or other."hasOwner")
      and pg_get_constraintdef(pg_constraint.oid) !~ '^FOREIGN KEY \\(owner_id.* REFERENCES \\w+\\(owner_id'
  union all select tgname from pg_trigger join tables on tables.oid = tgrelid where not tgisinternal
  union all select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'
  order by name`

/** Settings of columns of the tables that hold rows: of a table that is spread, of each of its shards. */
async function settingsOfColumns(): Promise<unknown[]> {
  const rows = await rowsOf(`
    select regexp_replace(relname, '_on_\\d+$', '') || '.' || attname || ' ' || setting as setting from pg_attribute
      join pg_class on pg_class.oid = attrelid join pg_type on pg_type.oid = atttypid
      cross join lateral (values
        (case when attoptions is not null then 'set (' || replace(array_to_string(attoptions, ', '), '=', ' = ') || ')' end),
        (case when attstattarget >= 0 then 'set statistics ' || attstattarget end),
        (case when attstorage <> typstorage then 'set storage '
          || case attstorage when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end)
      ) as settings (setting)
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and setting is not null`)
  return rows.map(({ setting }) => setting).sort()
}

const LISTED = COLUMN_SETTINGS.map(({ table, column, setting }) => `${table}.${column} ${setting}`)

it('knows every setting of a column that migrations make: shards get them by the list alone', async () => {
  await (await openDb(database.settings)).destroy()
  expect(await settingsOfColumns()).toEqual(LISTED.toSorted())
})

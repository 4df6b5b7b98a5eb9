import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { accounts } from '@kopilka/contract/accounts.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../server/src/db/open.ts'
import { checkSqlite } from '../server/src/db/sqlite-backup.ts'
import { type Client, createClient } from '../server/src/testing/client.ts'
import { itIfAvailable } from '../server/src/testing/it-if-available.ts'
import { type Account, newAccount } from '../server/src/testing/new-account.ts'
import { keepPicture, largePng, readPicture } from '../server/src/testing/pictures.ts'
import { startServer } from '../server/src/testing/server-process.ts'
import {
  createTestDatabase,
  runAdminStatement,
  type TestDatabase,
} from '../server/src/testing/test-database.ts'
import { ROOT } from './prepare.mjs'

const KILL = new URL('../server/src/testing/kill-in-restore.ts', import.meta.url)

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kopilka-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

const inFolder = (...path: string[]): string => join(folder, ...path)

/** Runs a command of package.json on the data in the folder `data`, unless `settings` name another. */
async function command(
  name: 'backup' | 'restore' | 'seed',
  args: string[] = [],
  settings: Record<string, string> = {},
) {
  const child = spawn(process.execPath, [join(ROOT, 'scripts', `${name}.ts`), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, output, errors }
}

/** Runs a command that must succeed. */
async function done(...asked: Parameters<typeof command>): Promise<string> {
  const { code, output, errors } = await command(...asked)
  expect([code, errors]).toEqual([0, ''])
  return output
}

/** Makes a backup and returns its path. */
async function backUp(): Promise<string> {
  const [, file = ''] = /Копия готова: (\S+) \(\d+,\d МБ\)\n$/.exec(await done('backup')) ?? []
  return file
}

/** Creates an empty database in the folder `data`. */
async function newDatabase(): Promise<string> {
  const db = await openDb({ DATA_DIR: inFolder('data'), DATABASE_URL: '' })
  await db.destroy()
  return inFolder('data', 'kopilka.sqlite')
}

/** Starts the server on the data in `folder`. */
async function serve(settings: Record<string, string> = {}) {
  const server = startServer({ folder, settings: { RATE_LIMIT: 'off', LOG_LEVEL: 'silent', ...settings } })
  onTestFinished(() => void server.child.kill('SIGKILL'))
  const address = await server.address()
  return {
    address,
    ...createClient(address),
    async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') {
      server.child.kill(signal)
      await server.ended
    },
  }
}

const save = (server: Client, { auth }: Account, title: string) =>
  server.call(notes.create, { body: { title, content: 'берлога '.repeat(1000), tags: ['лес', title] } }, auth)

/** All rows of all tables of a database, those of the full-text index included. */
function rowsOf(file: string): Map<string, Set<string>> {
  const db = new DatabaseSync(file, { readOnly: true })
  const tables = db.prepare(
    "select name from sqlite_master where type = 'table' and sql not like 'create virtual%'",
  )
  const rows = tables.all().map(({ name }) => {
    const all = db.prepare(`select * from "${name}"`).all()
    return [String(name), new Set(all.map((row) => JSON.stringify(row)))] as const
  })
  db.close()
  return new Map(rows)
}

test('a copy made under concurrent writes is complete, and is restored with every row and a working search', async () => {
  const server = await serve()
  const account = await newAccount(server)
  const picture = await keepPicture(server, account, largePng(400_000))
  const acknowledged: string[] = []
  let working = true
  const writer = async (name: number) => {
    for (let at = 0; working; at += 1)
      acknowledged.push((await save(server, account, `заметка ${name}x${at}`)).id)
  }
  const writers = Array.from({ length: 8 }, (_, name) => writer(name))
  onTestFinished(() => {
    working = false
  })
  const more = async (count: number) => {
    const sum = acknowledged.length + count
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(sum)
  }
  // Too large to be copied in one step, so that others write between the steps.
  await more(100)
  const before = [...acknowledged]
  const copy = await backUp()
  await more(8)
  working = false
  await Promise.all(writers)
  await server.end()

  const [copied, source] = [rowsOf(copy), rowsOf(inFolder('data', 'kopilka.sqlite'))]
  const textOf = (rows: Map<string, Set<string>>, table: string) => [...(rows.get(table) ?? [])].join('\n')
  expect(before.filter((id) => !textOf(copied, 'items').includes(id))).toEqual([])
  for (const table of ['users', 'sessions', 'items', 'item_tags', 'search_docs', 'migrations']) {
    expect(copied.get(table)?.size).toBeGreaterThan(0)
    expect([...(copied.get(table) ?? [])].filter((row) => !source.get(table)?.has(row))).toEqual([])
  }

  // The copy is a snapshot: stored counts equal the counted rows.
  expect(textOf(copied, 'tags')).toContain(
    `"name":"лес","name_key":"лес","notes_count":${copied.get('items')?.size},`,
  )

  await done('restore', [copy], { DATA_DIR: 'fresh' })
  const restored = inFolder('fresh', 'kopilka.sqlite')
  expect(rowsOf(restored)).toEqual(copied)
  expect(readdirSync(inFolder('fresh')).sort()).toEqual(['backups', 'kopilka.sqlite'])

  const again = await serve({ DATA_DIR: 'fresh' })
  const found = await again.call(search, { query: { search: 'берлога лес', view: 'summary' } }, account.auth)
  expect(found.notes_count).toBe(copied.get('items')?.size)
  expect((await readPicture(again, account, picture.id)).bytes.equals(largePng(400_000))).toBe(true)
  await again.end()
}, 120_000)

const TABLES = "select tablename as name from pg_tables where schemaname = 'public' order by 1"

itIfAvailable(
  process.env.TEST_POSTGRES,
  'a copy of PostgreSQL comes back with every row, into an empty database only (where TEST_POSTGRES names one that pg_dump here is made for)',
  async (postgres) => {
    const [source, target] = [await createTestDatabase({ postgres }), await createTestDatabase({ postgres })]
    onTestFinished(() => source.remove().then(target.remove))
    await done('seed', ['--items', '30', '--email', 'you@example.org'], source.settings)
    const server = await serve(source.settings)
    const account = await newAccount(server)
    const picture = await keepPicture(server, account, largePng(400_000))
    await server.end()
    await done('backup', ['--to', 'copy.dump'], source.settings)
    await done('restore', ['copy.dump'], target.settings)
    expect(await command('restore', ['copy.dump', '--force'], target.settings)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^База PostgreSQL не пуста: [^\n]+\n$/),
    })

    const all = async ({ settings: { DATABASE_URL } }: TestDatabase) => {
      const { rows: tables } = await runAdminStatement(DATABASE_URL, TABLES)
      return Promise.all(
        tables.map(async ({ name }) => {
          const { rows } = await runAdminStatement(
            DATABASE_URL,
            `select t::text as row from ${name} t order by 1`,
          )
          return [name, rows]
        }),
      )
    }
    const restored = await all(target)
    expect(Object.fromEntries(restored).items).toHaveLength(30)
    expect(restored).toEqual(await all(source))
    const again = await serve(target.settings)
    expect((await readPicture(again, account, picture.id)).bytes.equals(largePng(400_000))).toBe(true)
    await again.end()
    const { rows: statistics } = await runAdminStatement(
      target.settings.DATABASE_URL,
      "select 1 as row from pg_stats where tablename = 'items' limit 1",
    )
    expect(statistics).toHaveLength(1)

    await runAdminStatement(source.settings.DATABASE_URL, 'create view everything as select * from items')
    await done('backup', ['--to', 'changed.dump'], source.settings)
    await runAdminStatement(target.settings.DATABASE_URL, 'drop schema public cascade; create schema public')
    expect(await command('restore', ['changed.dump'], target.settings)).toMatchObject({
      code: 1,
      errors: 'Таблицы в копии изменены не Копилкой (VIEW public everything): восстановить её нельзя.\n',
    })
    expect((await runAdminStatement(target.settings.DATABASE_URL, TABLES)).rows).toEqual([])
    await done('restore', ['copy.dump'], target.settings)
  },
)

itIfAvailable(
  process.env.TEST_POSTGRES,
  'no statement of a copy of PostgreSQL is run (where TEST_POSTGRES names one that pg_dump here is made for)',
  async (postgres) => {
    const [source, target] = [await createTestDatabase({ postgres }), await createTestDatabase({ postgres })]
    onTestFinished(() => source.remove().then(target.remove))
    await done('seed', ['--items', '3', '--email', 'you@example.org'], source.settings)
    const comment = `COMMENT ON TABLE public.items IS '${'x'.repeat(100)}';\n`
    await runAdminStatement(source.settings.DATABASE_URL, comment)
    await done('backup', ['--to', 'copy.dump'], source.settings)
    const hostile = 'commit; create table public.left_behind (id integer); begin;'.padEnd(comment.length)
    const bytes = readFileSync(inFolder('copy.dump')).toString('latin1')
    expect(bytes).toContain(comment)
    writeFileSync(inFolder('copy.dump'), bytes.replace(comment, hostile), 'latin1')
    await done('restore', ['copy.dump'], target.settings)
    const tables = (await runAdminStatement(target.settings.DATABASE_URL, TABLES)).rows
    expect(tables).toEqual((await runAdminStatement(source.settings.DATABASE_URL, TABLES)).rows)
  },
)

itIfAvailable(
  process.env.TEST_POSTGRES,
  'a restore ends at a damaged row, however much comes behind it (where TEST_POSTGRES names one that pg_dump here is made for)',
  async (postgres) => {
    const [source, target] = [await createTestDatabase({ postgres }), await createTestDatabase({ postgres })]
    onTestFinished(() => source.remove().then(target.remove))
    await done('seed', ['--items', '300', '--email', 'you@example.org'], source.settings)
    // Of the first table in the copy: a column that may be missing there alone, and behind it more than pipes hold.
    for (const statement of [
      'alter table change_counts alter column last_seq drop not null',
      'update change_counts set last_seq = null',
      "update items set body = repeat('текст ', 20000)",
    ])
      await runAdminStatement(source.settings.DATABASE_URL, statement)
    await done('backup', ['--to', 'copy.dump'], source.settings)
    expect(await command('restore', ['copy.dump'], target.settings)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Строки в копии испорчены [^\n]+\n$/),
    })
    expect((await runAdminStatement(target.settings.DATABASE_URL, TABLES)).rows).toEqual([])
  },
  60_000,
)

test('an existing database is replaced only with --force, not while the server runs, and is kept as a backup', async () => {
  const server = await serve()
  const first = await newAccount(server)
  await save(server, first, 'первая')
  const copy = await backUp()
  const second = await newAccount(server)
  await save(server, second, 'вторая')

  const file = inFolder('data', 'kopilka.sqlite')
  expect(await command('restore', [copy])).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^База данных уже есть: [^\n]+ --force[^\n]+\n$/),
  })
  expect(await command('restore', [copy, '--force'])).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^Копилка сейчас работает с этой базой: остановите её[^\n]+\n$/),
  })
  expect((await server.request(accounts.me, {}, second.auth)).status).toBe(200)
  // The last writes are in the write-ahead log only.
  await server.end('SIGKILL')
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)

  const [, aside = ''] = /Прежняя база: (\S+)\n/.exec(await done('restore', [copy, '--force'])) ?? []
  expect(rowsOf(file)).toEqual(rowsOf(copy))
  expect(readdirSync(inFolder('data')).sort()).toEqual(['backups', 'kopilka.sqlite'])
  expect([...(rowsOf(aside).get('users') ?? [])].join()).toContain(second.email)

  const again = await serve()
  expect((await again.request(accounts.me, {}, first.auth)).status).toBe(200)
  expect((await again.request(accounts.me, {}, second.auth)).status).toBe(401)
  await again.end()
})

test('a restore that is killed at any moment leaves the old database or the new one, whole', async () => {
  const file = await newDatabase()
  const addUser = (name: string) =>
    sqlite(file, `insert into users values ('${name}', '${name}@x.org', '${name}@x.org', 'a', 'b', 'c', 1)`)
  addUser('first')
  const copy = await backUp()
  addUser('second')
  // Whoever reads it creates no files beside it.
  sqlite(file, 'pragma journal_mode = delete')
  const old = inFolder('old.sqlite')
  writeFileSync(old, readFileSync(file))
  const [before, after] = [rowsOf(old), rowsOf(copy)]
  expect(before).not.toEqual(after)

  const killed = { NODE_OPTIONS: `--import=${KILL}` }
  const outcomes = []
  const kinds = new Set<string>()
  for (let at = 1; ; at += 1) {
    writeFileSync(file, readFileSync(old))
    const { code } = await command('restore', [copy, '--force'], { ...killed, KILLED_BEFORE: String(at) })
    if (code === 0) break
    expect(code).toBeNull()
    checkSqlite(file)
    const left = rowsOf(file)
    const isNew = left.get('users')?.size === 1
    expect(left).toEqual(isNew ? after : before)
    outcomes.push(isNew ? 'new' : 'old')

    const unfinished = readdirSync(inFolder('data'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.startsWith('.'),
    )
    // One start for each set of files, in a folder of a random name.
    const kind = [isNew, ...unfinished.map((path) => path.replace(/^[^/\\]+/, ''))].join()
    if (!kinds.has(kind)) {
      kinds.add(kind)
      // Enough later that nobody can be at work on it.
      for (const path of unfinished) utimesSync(inFolder('data', path), 0, 0)
      const server = await serve()
      expect((await server.send('GET', '/readyz')).status).toBe(200)
      await server.end()
      expect(readdirSync(inFolder('data')).sort()).toEqual(['backups', 'kopilka.sqlite'])
    }
  }
  // Each moment before the replacement, and each after it.
  expect(outcomes.join(' ')).toMatch(/^(?:old )+(?:new ?)+$/)
  expect(kinds.size).toBeGreaterThan(3)
  expect(rowsOf(file)).toEqual(after)
  expect(readdirSync(inFolder('data')).sort()).toEqual(['backups', 'kopilka.sqlite'])
}, 300_000)

test('copies are readable by their owner alone, get a free name, and leave no unfinished files', async () => {
  await newDatabase()
  const copy = await backUp()
  expect(readdirSync(inFolder('data', 'backups'))).toHaveLength(1)
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(statSync(inFolder('data', 'backups')).mode & 0o777).toBe(0o700)

  expect(await done('backup', ['--to', 'mine.sqlite'])).toContain(inFolder('mine.sqlite'))
  expect(await command('backup', ['--to', 'mine.sqlite'])).toMatchObject({
    code: 1,
    errors: `Такой файл уже есть: ${inFolder('mine.sqlite')}\n`,
  })
  mkdirSync(inFolder('disk'))
  await done('backup', ['--to', 'disk'])
  expect(readdirSync(inFolder('disk'))).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d.-]+Z\.sqlite$/)])
  expect(readdirSync(folder).sort()).toEqual(['data', 'disk', 'mine.sqlite'])
})

const FOREIGN_SCHEMAS = [
  ['a trigger', 'create trigger steal after insert on users begin delete from items; end'],
  [
    "a trigger that is named like SQLite's own tables",
    `create trigger evil after insert on users begin delete from items; end;
     pragma writable_schema = on;
     update sqlite_master set name = 'sqlite_evil', sql = replace(sql, 'evil', 'sqlite_evil') where name = 'evil'`,
  ],
  ['a view', 'create view everything as select * from items'],
  ['a table of its own', 'create table more (id integer)'],
  ['a column of its own', 'alter table users add column more text'],
  ['a table missing', 'drop table idempotency_keys'],
].map(([what = '', statement = '']): [string, (file: string, copy: string) => void, RegExp] => [
  `a copy with ${what}`,
  (file, copy) => {
    writeFileSync(file, readFileSync(copy))
    sqlite(file, statement)
  },
  /^Таблицы в копии изменены не Копилкой \([^)]+\)/,
])

test.each<[string, (file: string, copy: string) => void, RegExp]>([
  [
    'a text',
    (file: string) => writeFileSync(file, 'not a database, but long enough to look at: '.repeat(100)),
    /^Файл повреждён/,
  ],
  [
    'a torn copy',
    (file: string, copy: string) => writeFileSync(file, readFileSync(copy).subarray(0, 60_000)),
    /^Файл повреждён/,
  ],
  [
    'the database of another program',
    (file: string) => sqlite(file, 'create table migrations (id integer)'),
    /^Это не база данных Копилки/,
  ],
  ['nothing', () => {}, /^Нет такого файла/],
  ['a folder', (file: string) => mkdirSync(file), /^Нет такого файла/],
  [
    'a copy of a newer program',
    (file: string, copy: string) => {
      writeFileSync(file, readFileSync(copy))
      sqlite(file, "insert into migrations values ('999-later')")
    },
    /^База данных новее программы/,
  ],
  ...FOREIGN_SCHEMAS,
])('%s is not restored, in one line, and the database stays as it was', async (_, make, line) => {
  const server = await serve()
  await newAccount(server)
  await server.end()
  const copy = await backUp()
  const before = rowsOf(inFolder('data', 'kopilka.sqlite'))
  make(inFolder('given'), copy)
  const { code, errors } = await command('restore', ['given', '--force'])
  expect([code, errors.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]])
  expect(rowsOf(inFolder('data', 'kopilka.sqlite'))).toEqual(before)
  expect(readdirSync(inFolder('data')).filter((name) => name.startsWith('.'))).toEqual([])
})

test('an unreadable database is set aside, and its journal files are not applied to the new one', async () => {
  const file = await newDatabase()
  const copy = await backUp()
  writeFileSync(file, 'torn '.repeat(4000))
  writeFileSync(`${file}-wal`, 'torn as well')
  const [, aside = ''] = /Прежняя база: (\S+)\n/.exec(await done('restore', [copy, '--force'])) ?? []
  expect(readFileSync(aside, 'utf8')).toBe('torn '.repeat(4000))
  expect(readdirSync(inFolder('data')).sort()).toEqual(['backups', 'kopilka.sqlite'])
  expect(rowsOf(file)).toEqual(rowsOf(copy))
})

test('temporary folders of killed commands are removed, those of running commands stay', async () => {
  await newDatabase()
  const ended = spawn(process.execPath, ['--version'])
  await once(ended, 'close')
  for (const name of [`.unfinished-${ended.pid}-x`, `.unfinished-${process.pid}-x`, '.unfinished-Ab12cd'])
    mkdirSync(inFolder('data', 'backups', name), { recursive: true })
  await done('backup')
  expect(readdirSync(inFolder('data', 'backups')).filter((name) => name.startsWith('.'))).toEqual([
    `.unfinished-${process.pid}-x`,
  ])
})

test('a backup warns if another program has changed the tables', async () => {
  sqlite(await newDatabase(), 'create view everything as select * from items')
  const { code, errors } = await command('backup')
  expect([code, errors]).toEqual([0, expect.stringMatching(/^Внимание: [^\n]*\(view everything\)[^\n]*\n$/)])
})

test.each<[string, Parameters<typeof command>, RegExp]>([
  ['there is nothing to copy', ['backup'], /^Копировать нечего: [^\n]+DATA_DIR/],
  ['the setting is wrong', ['backup', [], { DATABASE_URL: 'mysql://x' }], /^Неверная настройка DATABASE_URL/],
  ['the argument is unknown', ['backup', ['--colour']], /^Такая команда непонятна: npm run backup /],
  ['no file is named', ['restore'], /^Нужен один файл: npm run restore -- /],
  [
    'pg_dump is not there',
    ['backup', [], { DATABASE_URL: 'postgres://u:канарейка@h/b', PATH: '' }],
    /pg_dump --format=custom /,
  ],
  [
    'pg_restore is not there',
    ['restore', ['x'], { DATABASE_URL: 'postgres://h/b', PATH: '' }],
    /pg_restore --single-transaction /,
  ],
])('where %s one line says what to do', async (_, asked, line) => {
  const { code, errors } = await command(...asked)
  expect([code, errors.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]])
  expect(errors).not.toContain('канарейка')
})

function sqlite(file: string, statement: string): void {
  // Otherwise no statement may change the schema by hand.
  const db = new DatabaseSync(file, { defensive: false })
  db.exec(statement)
  db.close()
}

// `npm run import -- --email you@example.org FILE [--dry-run]`: takes over what another program exported, a file or a folder.
// The database is that of the settings; the server may run meanwhile.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { tagNames } from '@kopilka/contract/fields.ts'
import type { Import } from '@kopilka/contract/imports.ts'
import { translate } from '@kopilka/contract/messages.ts'
import { loadConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/open.ts'
import { quotasOf } from '../server/src/db/usage.ts'
import { AppError } from '../server/src/errors.ts'
import { createFileStore } from '../server/src/files/store.ts'
import { findShown, listRows, toImport, toRow } from '../server/src/imports/queries.ts'
import { createImportReader } from '../server/src/imports/read-job.ts'
import { importRunners } from '../server/src/imports/run-job.ts'
import {
  beginImport,
  cancelImport,
  newId,
  RUN_IMPORT,
  RUN_IMPORT_WITH_PAGES,
  readJobOf,
  startImport,
} from '../server/src/imports/store.ts'
import { jobsOf } from '../server/src/jobs/queue.ts'
import { createJobWorker } from '../server/src/jobs/worker.ts'
import { createResolver } from '../server/src/metadata/connection.ts'
import { createExtraction } from '../server/src/metadata/extraction.ts'
import { createStepWriters } from '../server/src/operations/steps.ts'
import { maintainIndex } from '../server/src/search/indexer.ts'
import { createWorkerPool } from '../server/src/threads/worker-pool.ts'
import { createUsers } from '../server/src/users/users.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'

const USAGE = 'npm run import -- --email you@example.org ФАЙЛ [--dry-run]'

const HELP = `${USAGE}

Переносит в Копилку то, что выгрузила другая программа: файл, архив или папку.

  --email АДРЕС         чья учётная запись
  --dry-run             показать, что получится, и ничего не сохранять
  --duplicates КАК      что уже есть: skip — пропустить (так и без этого), merge — дополнить, add — добавить ещё раз
  --folders КАК         папки: tags — сделать тегами (так и без этого), ignore — забыть
  --add-tag ТЕГ         дать тег всему, что перенесено; можно повторять
  --read-pages          взять заголовки и описания ссылок, у которых их нет, с их страниц (долго)
  --help                эта справка

Код выхода: 0 — перенесено или показано, 1 — не вышло, и сказано почему.`

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string', default: '' },
      'dry-run': { type: 'boolean', default: false },
      duplicates: { type: 'string', default: 'skip' },
      folders: { type: 'string', default: 'tags' },
      'add-tag': { type: 'string', multiple: true, default: [] },
      'read-pages': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const duplicates = (['skip', 'merge', 'add'] as const).find((way) => way === values.duplicates)
  const folders = (['tags', 'ignore'] as const).find((way) => way === values.folders)
  const [file] = positionals
  if (values.help) return undefined
  if (!duplicates) throw new CliError('Что уже есть: --duplicates skip, merge или add.')
  if (!folders) throw new CliError('Папки: --folders tags или ignore.')
  if (!file || positionals.length > 1 || !values.email)
    throw new CliError(`Нужны адрес учётной записи и файл: ${USAGE}`)
  const tags = tagNames.safeParse(values['add-tag'])
  if (!tags.success) throw new CliError(`--add-tag: ${translate(tags.error.issues[0]?.message ?? '', 'ru')}.`)
  const options = { duplicates, folders, add_tags: tags.data, read_pages: values['read-pages'] }
  return { file: resolve(file), email: values.email, dryRun: values['dry-run'], options }
}

/** Entries of a kind that are printed: as many as one reads. */
const SHOWN_ROWS = 20

const cancelled = (): CliError => new CliError('\nИмпорт отменён: ничего не добавлено.')
const sentence = (error: AppError): string => translate(error.code, 'ru')

await runCommand(USAGE, async () => {
  const wanted = readArguments()
  if (!wanted) return console.log(HELP)
  if (!(await stat(wanted.file).catch(() => undefined))) throw new CliError(`Файла нет: ${wanted.file}`)
  const config = loadConfig()
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  const extraction = createExtraction(config, createResolver())
  const [clock, quotas] = [Date.now, quotasOf(config)]
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-import-'))
  // The file stays where it is: only this process can read it.
  const uploads = {
    folderId: randomUUID(),
    pathOf: () => wanted.file,
    unpackedPathOf: () => join(folder, 'unpacked.zip'),
    remove: async () => {},
  }
  const reader = createImportReader({
    ...{ db, clock, config, pool, uploads, quotas },
    pictures: createFileStore({ db, clock, quotas }),
  })
  let maintained: Promise<void> = Promise.resolve()
  const runners = importRunners({
    db,
    stepWriters: createStepWriters(db, clock),
    clock,
    pool,
    quotas,
    extraction,
    onSaved: () => {
      maintained = maintained.then(() => maintainIndex(db)).catch(() => {})
    },
  })
  const jobs = createJobWorker({
    db,
    clock,
    log: { info: () => {}, warn: () => {} },
    handlers: {
      [readJobOf(uploads.folderId)]: reader.handler,
      [RUN_IMPORT]: runners.plain,
      [RUN_IMPORT_WITH_PAGES]: runners.withPages,
    },
  })
  const owner_id = await createUsers(db, clock).ownerOf(wanted.email)
  const key = { owner_id: owner_id ?? '', id: newId(clock()) }

  /** Waits until the import is in this state no more. */
  async function during(state: Import['state'], onProgress: (one: Import) => void): Promise<Import> {
    for (;;) {
      const row = await findShown(db, key)
      if (!row) throw new CliError('Импорт исчез: учётную запись удалили.')
      const one = toImport(row, 'ru')
      onProgress(one)
      if (one.error !== undefined) throw new CliError(`\n${one.error}${savedBefore(one)}`)
      if (one.state !== state) return one
      await sleep(100)
    }
  }

  let isInterrupted = false

  async function cancel(): Promise<void> {
    await db.write(cancelImport, { ...key, now: clock() })
    jobs.wake()
  }

  /** Throws once the import is cancelled, after its file is read no more. */
  async function unlessCancelled(one: Import): Promise<Import> {
    if (one.state !== 'cancelled') return one
    while ((await jobsOf(db, readJobOf(uploads.folderId))).length > 0) await sleep(100)
    throw cancelled()
  }

  try {
    if (owner_id === undefined) throw new CliError(`Учётной записи с таким адресом нет: ${wanted.email}`)
    const begun = { ...key, name: basename(wanted.file), locale: 'ru' as const, now: clock() }
    await db.write(beginImport, { ...begun, folderId: uploads.folderId })
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => {
        isInterrupted = true
        void cancel().catch(() => {})
      })
    jobs.start()
    const read = await during('reading', ({ done }) => {
      if (process.stdout.isTTY) process.stdout.write(`\rПрочитано записей: ${done}`)
    }).then(unlessCancelled)
    console.log(`${process.stdout.isTTY ? '\n' : ''}${summaryOf(read)}`)
    await printRejected()
    await printRemarked()
    if (wanted.dryRun) return await cancel()
    const { options } = wanted
    await db.write(startImport, {
      key,
      session_id: null,
      operation_id: newId(clock()),
      options,
      quotas,
      now: clock(),
    })
    jobs.wake()
    const bar = createProgressBar('Импорт', Math.max(1, read.total))
    const done = await during('running', (one) => bar.show(one.done)).then(unlessCancelled)
    bar.finish()
    const { added = 0, merged = 0, skipped = 0, broken = 0 } = done.result ?? {}
    console.log(`Добавлено: ${added}, дополнено: ${merged}, пропущено: ${skipped}, не перенесено: ${broken}`)
    await printRemarked()
  } catch (error) {
    // It came between the reading and the saving.
    if (isInterrupted && error instanceof AppError && error.code === 'importNotReady') throw cancelled()
    throw error instanceof AppError ? new CliError(sentence(error)) : error
  } finally {
    await jobs.close()
    await maintained
    await reader.close()
    await extraction.close()
    await pool.close()
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  }

  /** The entries that are not imported. */
  async function printRejected(): Promise<void> {
    const row = await findShown(db, key)
    if (!row) return
    for (const state of ['broken', 'ignored'] as const) {
      printRows(await listRows({ db, pool }, row, { state, limit: SHOWN_ROWS, offset: 0 }))
    }
  }

  /** The entries of which something is not imported, or was not. */
  async function printRemarked(): Promise<void> {
    const row = await findShown(db, key)
    if (!row) return
    const remarked = await listRows({ db, pool }, row, { remarks: true, limit: SHOWN_ROWS, offset: 0 })
    if (remarked.count > 0) console.log(`С замечаниями: ${remarked.count}`)
    printRows(remarked)
  }
})

function printRows({ count, results }: Awaited<ReturnType<typeof listRows>>): void {
  for (const one of results) {
    const { place, title, url = '', reason } = toRow(one, 'ru')
    console.log(`  ${[place, title || url, reason].filter((part) => part !== '').join(' · ')}`)
  }
  if (count > results.length) console.log(`  … и ещё ${count - results.length}`)
}

/** What a failed import has saved, where that is anything. */
function savedBefore({ result, operation }: Import): string {
  if (!result || operation === undefined) return ''
  return `\nДо этого добавлено: ${result.added}, дополнено: ${result.merged}. Отменить это можно на странице «История действий».`
}

function summaryOf({ format, summary }: Import): string {
  const { notes, links, tags, same, broken, ignored } = summary
  return `Формат: ${format}. Заметок: ${notes}, ссылок: ${links}, тегов: ${tags}. Новых: ${summary.new}, уже есть: ${same}, с ошибкой: ${broken}, не переносится: ${ignored}.`
}

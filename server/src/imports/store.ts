import type { Locale } from '@kopilka/contract/field-messages.ts'
import type { Import, SampledImport } from '@kopilka/contract/imports.ts'
import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { excerptOf } from '@kopilka/text/truncate.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { ImportsTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { type Attempt, enqueue, renewLease } from '../jobs/queue.ts'
import { findExistingItems, isComparedInFile, trashedBefore } from './existing-items.ts'
import type { ImportMessage } from './row.ts'
import type { FreshRow, KeptItem } from './stored-row.ts'

export interface ImportKey {
  owner_id: string
  id: string
}

/** What is chosen when an import is run. */
export interface RunOptions {
  readonly duplicates: 'skip' | 'merge' | 'add'
  readonly folders: 'tags' | 'ignore'
  readonly add_tags: readonly string[]
  readonly read_pages: boolean
}

type Summary = Import['summary']
type Sample = SampledImport['sample']

/** Imports of an owner that are being read or wait to be run. */
const MAX_WAITING = 3
const SAMPLE_SIZE = 10
/** The part of a text that its excerpt is made of. */
const BEGINNING = 5000

/** What the kinds of the jobs that read files begin with. */
export const READ_JOBS = 'read-import:'
/** The kind of the jobs that read files of a folder. Only a server that has the folder can. */
export const readJobOf = (folderId: string): string => `${READ_JOBS}${folderId}`
/** The same of files that take long while others wait. */
export const longReadJobOf = (folderId: string): string => `${readJobOf(folderId)}:long`
/** The kinds of the jobs that save entries; those that read pages take hours, and hold up only each other. */
export const RUN_IMPORT = 'run-import'
export const RUN_IMPORT_WITH_PAGES = 'run-import-with-pages'

const NOTHING: Summary = { notes: 0, links: 0, tags: 0, new: 0, same: 0, broken: 0, ignored: 0 }
const UNREAD = {
  state: 'reading',
  ...{ format: null, error: null, done: 0, total: 0, position: 0 },
  ...{ listed_tags: '[]', summary: JSON.stringify(NOTHING), sample: '[]' },
} as const

/** The columns that people see of an import: not the tags that its file lists, which may be thousands. */
export const SHOWN = [
  ...([
    'owner_id',
    'id',
    'name',
    'locale',
    'created_at',
    'state',
    'format',
    'error',
    'done',
    'total',
  ] as const),
  ...(['summary', 'sample', 'options', 'session_id', 'started_at', 'operation_id'] as const),
  ...(['first_seq', 'last_seq', 'position', 'added', 'merged', 'skipped', 'broken'] as const),
] as const

/** All columns of an import. */
export const IMPORT = [...SHOWN, 'listed_tags'] as const

const countIn = (states: readonly ImportsTable['state'][]) =>
  statement((db, value: Value<{ owner_id: string }>) =>
    db
      .selectFrom('imports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('owner_id', '=', value('owner_id'))
      .where('state', 'in', states),
  )
const countWaiting = countIn(['reading', 'ready'])
const countRunning = countIn(['running'])

/** Throws 'importQuota' where the owner has begun too many. */
export const checkWaiting = command('imports.check', async (trx, { owner_id }: { owner_id: string }) => {
  const [row] = await countWaiting(trx, { owner_id })
  if (Number(row?.count) >= MAX_WAITING) throw new AppError('importQuota')
})

/** An id for an import, or for the operation that it becomes. */
export const newId = (now: number): string => uuidv7({ msecs: now })

/** Begins the reading of a file that lies in the folder. */
export const beginImport = command(
  'imports.begin',
  async (
    trx,
    { now, folderId, ...key }: ImportKey & { name: string; locale: Locale; now: number; folderId: string },
  ): Promise<void> => {
    await checkWaiting.run(trx, key)
    const counts = { added: 0, merged: 0, skipped: 0, broken: 0 }
    await trx
      .insertInto('imports')
      .values({ ...key, ...UNREAD, ...counts, created_at: now })
      .execute()
    const { owner_id, id } = key
    const payload = JSON.stringify({ import_id: id })
    await enqueue(trx, { owner_id, id: uuidv7(), kind: readJobOf(folderId), payload, now })
  },
)

const lockRow = statement((db, value: Value<ImportKey>) =>
  db
    .selectFrom('imports')
    .select(IMPORT)
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .forUpdate(),
)

/** An import, locked. */
export async function lockImport(trx: Trx, { owner_id, id }: ImportKey): Promise<ImportsTable | undefined> {
  const [row] = await lockRow(trx, { owner_id, id })
  return row
}

/** Changes a locked import. */
export async function setImport(
  trx: Trx,
  { owner_id, id }: ImportKey,
  changes: Partial<Omit<ImportsTable, 'owner_id' | 'id'>>,
): Promise<void> {
  await trx
    .updateTable('imports')
    .set(changes)
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .execute()
}

/** Reading begins from the start of the file, also where another attempt came half way. False where it is not wanted. */
export const restartReading = command('imports.restart', async (trx, key: ImportKey): Promise<boolean> => {
  const found = await lockImport(trx, key)
  if (found?.state !== 'reading') return false
  await setImport(trx, key, UNREAD)
  return true
})

const deleteSome = deleteFirst<ImportKey & { from: number; limit: number }>({
  ...{ table: 'import_rows', key: 'seq', order: 'seq' },
  where: (value) => sql`import_id = ${value('id')} and seq >= ${value('from')}`,
})

/** Entries that one step deletes. */
const STEP = 1000

/** Deletes some entries of an import, from a number on or any. Resolves to whether there may be more. */
export const deleteRows = command(
  'imports.delete-rows',
  async (trx, { owner_id, id, from = 0 }: ImportKey & { from?: number }): Promise<boolean> =>
    (await deleteSome(trx, { owner_id, id, from, limit: STEP })).length === STEP,
)

const insertRows = statement(
  (_, value: Value<{ owner_id: string; id: string; rows: readonly unknown[] }>) =>
    sql<never>`insert into import_rows
      (owner_id, import_id, seq, state, kind, place, title, url, reasons, identity_key, item)
    select ${value('owner_id')}, ${value('id')}, cast(seq as integer), state, kind, place, title, url, reasons,
      identity_key, item
    from ${value.rows('rows', 'fresh', [
      ...['seq', 'state', 'kind', 'place', 'title', 'url', 'reasons', 'identity_key', 'item'],
    ])}`,
)

interface Keys {
  owner_id: string
  id: string
  keys: readonly string[]
}

const earlierKeys = statement((db, value: Value<Keys>) =>
  db
    .selectFrom('import_rows')
    .select('identity_key')
    .distinct()
    .where('owner_id', '=', value('owner_id'))
    .where('import_id', '=', value('id'))
    .where(value.among('identity_key', 'keys')),
)

interface ReadRows {
  key: ImportKey
  attempt: Attempt
  leased_until: number
  now: number
  format: string
  rows: readonly FreshRow[]
  /** Distinct names so far. */
  tags: number
  listedTags: readonly string[]
}

/** Stores entries that were read, and which of them are kept already. False where the reading is not wanted any more. */
export const addRows = command('imports.add-rows', async (trx, args: ReadRows): Promise<boolean> => {
  const { key, attempt, leased_until, now, format, tags, listedTags } = args
  if (!(await renewLease(trx, attempt, leased_until))) return false
  const found = await lockImport(trx, key)
  if (found?.state !== 'reading') return false
  const kept = await findExistingItems(trx, { ...found, format }, args.rows)
  const compared = args.rows.filter((row) => isComparedInFile({ format }, row))
  const keys = compared.flatMap(({ identity_key }) => identity_key ?? [])
  const inFile = keys.length === 0 ? [] : await earlierKeys(trx, { ...key, keys })
  const earlier = new Set(inFile.map(({ identity_key }) => identity_key))
  const isTrashed = await trashedBefore(trx, found, args.rows, now)
  const summary: Summary = { ...JSON.parse(found.summary), tags }
  const sample: Sample = JSON.parse(found.sample)
  const rows = args.rows.map((row, at) => {
    const { identity_key } = row
    const seq = found.total + at + 1
    if (identity_key === null) {
      summary[row.state] += 1
      return { ...row, seq }
    }
    const isDeleted = row.deletedAt !== undefined
    const same = isTrashed(row)
      ? 'importSameInTrash'
      : !isDeleted && kept.has(identity_key)
        ? 'importSame'
        : !isDeleted && earlier.has(identity_key)
          ? 'importSameInFile'
          : undefined
    if (!isDeleted && isComparedInFile({ format }, row)) earlier.add(identity_key)
    summary[row.kind === 'note' ? 'notes' : 'links'] += 1
    summary[same ? 'same' : 'new'] += 1
    if (!same && sample.length < SAMPLE_SIZE) sample.push(sampleOf(row))
    if (!same) return { ...row, seq }
    return { ...row, seq, state: 'same', reasons: JSON.stringify([same, ...JSON.parse(row.reasons)]) }
  })
  if (rows.length > 0) await insertRows(trx, { ...key, rows })
  const total = found.total + rows.length
  await setImport(trx, key, {
    ...{ format, done: total, total, summary: JSON.stringify(summary), sample: JSON.stringify(sample) },
    ...(listedTags.length > 0 && {
      listed_tags: JSON.stringify([...JSON.parse(found.listed_tags), ...listedTags]),
    }),
  })
  return true
})

function sampleOf({ kind, title, url, item }: FreshRow): Sample[number] {
  // Written by stored-row.ts.
  const { body, tags, createdAt }: KeptItem = JSON.parse(item ?? '{}')
  return {
    kind: kind === 'note' ? 'note' : 'urllink',
    title,
    ...(url !== null && { url }),
    excerpt: excerptOf(htmlToText(body.slice(0, BEGINNING)), EXCERPT_LENGTH),
    tags: [...tags],
    ...(createdAt !== undefined && { created_at: new Date(createdAt).toISOString() }),
  }
}

/** Renews the lease of a reading. False where it is not wanted any more. */
export const renewReading = command(
  'imports.renew',
  async (
    trx,
    { key, attempt, leased_until }: Pick<ReadRows, 'key' | 'attempt' | 'leased_until'>,
  ): Promise<boolean> =>
    (await renewLease(trx, attempt, leased_until)) && (await lockImport(trx, key))?.state === 'reading',
)

/** Leaves a reading to the job of files that take long, which starts it over. */
export const putOffReading = command(
  'imports.put-off',
  async (trx, { job, kind, now }: { job: Attempt; kind: string; now: number }): Promise<void> => {
    const { owner_id, id, attempts } = job
    await trx
      .updateTable('jobs')
      // Another number: nothing of this attempt is stored any more.
      .set({ kind, attempts: attempts + 1, run_at: now, leased_until: 0 })
      .where(({ and }) => and({ owner_id, id, attempts }))
      .execute()
  },
)

/** Ends the reading: the import may be run. */
export const finishReading = command('imports.ready', async (trx, key: ImportKey): Promise<void> => {
  const found = await lockImport(trx, key)
  if (found?.state === 'reading') await setImport(trx, key, { state: 'ready' })
})

/** Ends an import that cannot go on. What it has saved stays, and can be undone. */
export const failImport = command(
  'imports.fail',
  async (
    trx,
    { error, ...key }: ImportKey & { error: ImportMessage | `${string}Quota` },
  ): Promise<boolean> => {
    const found = await lockImport(trx, key)
    if (found?.state !== 'reading' && found?.state !== 'running') return false
    await setImport(trx, key, { state: 'failed', error, sample: '[]' })
    return true
  },
)

interface Start {
  key: ImportKey
  /** Null where the command line runs it. */
  session_id: string | null
  operation_id: string
  options: RunOptions
  quotas: Quotas
  now: number
}

/** Begins to save the entries. Throws 'importNotFound', 'importNotReady', 'importRunning' or 'itemQuota'. */
export const startImport = command(
  'imports.start',
  async (trx, { key, session_id, operation_id, options, quotas, now }: Start): Promise<void> => {
    const { owner_id, id } = key
    const found = await lockImport(trx, key)
    if (!found) throw new AppError('importNotFound')
    if (found.state !== 'ready') throw new AppError('importNotReady')
    const [running] = await countRunning(trx, { owner_id })
    if (Number(running?.count) > 0) throw new AppError('importRunning')
    const usage = await trx
      .selectFrom('usage')
      .select('items')
      .where('owner_id', '=', owner_id)
      .executeTakeFirst()
    const summary: Summary = JSON.parse(found.summary)
    const added = summary.new + (options.duplicates === 'add' ? summary.same : 0)
    if ((usage?.items ?? 0) + added > quotas.items) throw new AppError('itemQuota')
    await setImport(trx, key, {
      ...{ state: 'running', done: 0, options: JSON.stringify(options) },
      ...{ session_id, operation_id, started_at: now },
    })
    const kind = options.read_pages ? RUN_IMPORT_WITH_PAGES : RUN_IMPORT
    await enqueue(trx, { owner_id, id, kind, payload: '', now })
  },
)

/**
 * Cancels an import that is not done. A job deletes its entries, and takes back what it has saved. Throws 'importNotFound'
 * or 'importDone'.
 */
export const cancelImport = command(
  'imports.cancel',
  async (trx, { now, ...key }: ImportKey & { now: number }): Promise<void> => {
    const { owner_id, id } = key
    const found = await lockImport(trx, key)
    if (!found) throw new AppError('importNotFound')
    if (found.state === 'done') throw new AppError('importDone')
    if (found.state === 'cancelled' || found.state === 'failed') return
    await setImport(trx, key, { state: 'cancelled', sample: '[]' })
    // A running one has its job.
    if (found.state !== 'running') await enqueue(trx, { owner_id, id, kind: RUN_IMPORT, payload: '', now })
  },
)

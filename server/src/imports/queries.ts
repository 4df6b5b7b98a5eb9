import type { Locale } from '@kopilka/contract/field-messages.ts'
import type { Import, ImportedRow, SampledImport } from '@kopilka/contract/imports.ts'
import { type MessageRef, translate } from '@kopilka/contract/messages.ts'
import { sql } from 'kysely'
import type { Db, ImportRowsTable, ImportsTable } from '../db/schema.ts'
import type { Pool } from '../threads/pool.ts'
import type { ImportMessage } from './row.ts'
import { IMPORT, type ImportKey, SHOWN } from './store.ts'
import { WITHOUT_TEXT } from './stored-row.ts'

/** An import, as it is stored. */
export const findImport = (db: Db, { owner_id, id }: ImportKey): Promise<ImportsTable | undefined> =>
  db
    .selectFrom('imports')
    .select(IMPORT)
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** An import, as people see it. */
type Shown = Pick<ImportsTable, (typeof SHOWN)[number]>

/** An import, as a page asks for it again and again while it is read. */
export const findShown = (db: Db, { owner_id, id }: ImportKey): Promise<Shown | undefined> =>
  db
    .selectFrom('imports')
    .select(SHOWN)
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Imports that a list shows. */
const LISTED = 100

/** Samples of a hundred imports may have megabytes. */
const IN_LIST = SHOWN.filter((column) => column !== 'sample')
type Listed = Omit<Shown, 'sample'>

/** The newest imports of an owner, the newest first. */
export const listImports = (db: Db, owner_id: string): Promise<Listed[]> =>
  db
    .selectFrom('imports')
    .select(IN_LIST)
    .where('owner_id', '=', owner_id)
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()

interface Piece {
  state?: ImportedRow['state'] | undefined
  /** Those alone of which something is not imported. */
  remarks?: boolean
  limit: number
  offset: number
}

/** Entries that a list may look at on the event loop: a million take a second. */
const LOOKED_AT = 2_000

/** Entries of an import in the order of the file, and how many there are: as the summary says, for a file may have a million. */
export async function listRows(
  { db, pool, signal }: { db: Db; pool: Pool; signal?: AbortSignal },
  found: Shown,
  piece: Piece,
) {
  const { owner_id, id, total } = found
  const isWhole = found.state === 'reading' || found.state === 'ready'
  // Of an import that is done only some entries are kept (imports/purge.ts).
  const { state, remarks = false } = piece
  const counts = remarks || found.state === 'done'
  const request: RowsRequest = { ...piece, owner_id, id, total, isWhole, counts }
  const { results, kept } =
    (isWhole && state === undefined && !remarks ? 0 : total) <= LOOKED_AT
      ? await rowsOf(db, request)
      : await pool.run<Awaited<ReturnType<typeof rowsOf>>>('importRows', request, { owner_id, signal })
  return { count: counts ? kept : countIn(found, state), results }
}

/** A piece of the entries of an import that had so many. `isWhole`: it has them all; `counts`: they are counted. */
export interface RowsRequest extends Piece, ImportKey {
  total: number
  isWhole: boolean
  counts: boolean
}

/** Entries of an import, and how many there are where they are counted. Runs in a worker thread where it looks at many. */
export async function rowsOf(
  db: Db,
  { owner_id, id, state, remarks, total, isWhole, counts, limit, offset }: RowsRequest,
) {
  const wanted = db
    .selectFrom('import_rows')
    .where('owner_id', '=', owner_id)
    .where('import_id', '=', id)
    .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'new'))
    .$if(remarks === true, (all) =>
      all.where((eb) =>
        eb.or([
          eb.and([eb('state', '=', 'new'), eb('reasons', '!=', '[]')]),
          // The first reason of an entry that is kept already says so.
          eb.and([eb('state', '=', 'same'), eb('reasons', 'like', '%,%')]),
          eb.and([
            eb('state', '=', 'ignored'),
            eb.or(REMARKS_OF_RUN.map((remark) => eb('reasons', 'like', `%"${remark}%`))),
          ]),
        ]),
      ),
    )
  const inOrder = state === undefined && !remarks && isWhole
  const results = await wanted
    .select(['state', 'kind', 'place', 'title', 'url', 'reasons'])
    // Of all entries, each is found by its number.
    .$if(inOrder, (all) => all.where('seq', '>', Math.min(offset, total)))
    .orderBy('seq')
    .limit(limit)
    .$if(!inOrder, (all) => all.offset(offset))
    .execute()
  if (!counts) return { results, kept: total }
  const [counted] = await wanted.select(({ fn }) => fn.countAll<number>().as('count')).execute()
  return { results, kept: Number(counted?.count ?? 0) }
}

/** The links, by their keys, of which some entries after a place have a text and others have none. Reads all these entries. */
export async function linksWithText(
  db: Db,
  { owner_id, id, after }: ImportKey & { after: number },
): Promise<string[]> {
  const isWithout = sql`case when substr(item, 1, ${sql.lit(WITHOUT_TEXT.length)}) = ${WITHOUT_TEXT} then 1 else 0 end`
  const rows = await db
    .selectFrom('import_rows')
    .select('identity_key')
    .where('owner_id', '=', owner_id)
    .where('import_id', '=', id)
    .where('seq', '>', after)
    .where('kind', '=', 'link')
    .groupBy('identity_key')
    .having(sql<boolean>`sum(${isWithout}) between 1 and count(*) - 1`)
    .execute()
  return rows.flatMap(({ identity_key }) => identity_key ?? [])
}

/** What save-batch.ts tells of entries that were saved. */
const REMARKS_OF_RUN: readonly ImportMessage[] = [
  'importPageNotRead',
  'importTextNotMerged',
  'importManyTags',
  'importVersionsNotMerged',
]

/** Entries of an import that is not done; one that has ended otherwise has none any more. */
function countIn({ state, summary }: Shown, wanted: Piece['state']): number {
  if (state === 'failed' || state === 'cancelled') return 0
  const counts: Import['summary'] = JSON.parse(summary)
  return wanted ? counts[wanted] : counts.new + counts.same + counts.broken + counts.ignored
}

const iso = (time: number): string => new Date(time).toISOString()

/** An import as the API shows it. */
export const toImport = (row: Shown, locale: Locale): SampledImport => ({
  ...toListed(row, locale),
  sample: JSON.parse(row.sample),
})

/** An import as a list shows it. */
export function toListed(row: Listed, locale: Locale): Import {
  const { id, name, created_at, format, state, error, done, total, operation_id, first_seq } = row
  const { added, merged, skipped } = row
  const summary: Import['summary'] = JSON.parse(row.summary)
  const isSaved = row.started_at !== null
  const hasEnded = state !== 'running' && state !== 'reading'
  return {
    ...{ id, name, format, state, done, summary, created_at: iso(created_at) },
    total: state === 'reading' ? 0 : total,
    ...(error !== null && { error: translate(error, locale) }),
    ...(isSaved && { result: { added, merged, skipped, broken: summary.broken } }),
    ...(hasEnded && operation_id !== null && first_seq !== null && { operation: operation_id }),
  }
}

/** An entry as the API shows it. */
export function toRow(
  {
    state,
    kind,
    place,
    title,
    url,
    reasons,
  }: Omit<ImportRowsTable, 'owner_id' | 'import_id' | 'seq' | 'identity_key' | 'item'>,
  locale: Locale,
): ImportedRow {
  const messages: MessageRef[] = JSON.parse(reasons)
  return {
    place: placeIn(JSON.parse(place), locale),
    state,
    kind: kind && (kind === 'note' ? 'note' : 'urllink'),
    title,
    ...(url !== null && { url }),
    reason: messages.map((message) => translate(message, locale)).join(' '),
  }
}

function placeIn(
  { file, line, entry }: { file?: string; line?: number; entry?: number },
  locale: Locale,
): string {
  const number =
    line !== undefined
      ? `importPlaceLine:${line}`
      : entry !== undefined
        ? `importPlaceEntry:${entry}`
        : undefined
  return [file, number && translate(number, locale)].filter((part) => part !== undefined).join(', ')
}

import type { Locale } from '@kopilka/contract/field-messages.ts'
import type { Import, ImportedRow } from '@kopilka/contract/imports.ts'
import { type MessageRef, translate } from '@kopilka/contract/messages.ts'
import type { Db, ImportRowsTable, ImportsTable } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Pool } from '../threads/pool.ts'
import { IMPORT, type ImportKey, SHOWN } from './store.ts'

/** An import, as it is stored. */
export const findImport = (db: Db, { owner_id, id }: ImportKey): Promise<ImportsTable | undefined> =>
  db
    .selectFrom('imports')
    .select(IMPORT)
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** The items with these keys, the newest first. Of several with one key an entry is merged into the oldest. */
export const keptItems = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'identity_key'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('identity_key', 'keys'))
    .orderBy('id', 'desc'),
)

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

/** The newest imports of an owner, the newest first. */
export const listImports = (db: Db, owner_id: string): Promise<Shown[]> =>
  db
    .selectFrom('imports')
    .select(SHOWN)
    .where('owner_id', '=', owner_id)
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()

interface Piece {
  state: ImportedRow['state'] | undefined
  limit: number
  offset: number
}

/** Entries that a list may look at on the event loop: a million take a second. */
const LOOKED_AT = 2_000

/** Entries of an import in the order of the file, and how many there are: as the summary says, for a file may have a million. */
export async function listRows({ db, pool }: { db: Db; pool: Pool }, found: Shown, piece: Piece) {
  const { owner_id, id, total } = found
  const isWhole = found.state === 'reading' || found.state === 'ready'
  const request: RowsRequest = { ...piece, owner_id, id, total, isWhole }
  const skipped = isWhole ? 0 : piece.offset
  const results =
    (piece.state === undefined ? skipped : total) <= LOOKED_AT
      ? await rowsOf(db, request)
      : await pool.run<Awaited<ReturnType<typeof rowsOf>>>('importRows', request, { owner_id })
  return { count: countIn(found, piece.state), results }
}

/** A piece of the entries of an import that had so many. `isWhole`: it has them all. */
export interface RowsRequest extends Piece, ImportKey {
  total: number
  isWhole: boolean
}

/** Entries of an import. Runs in a worker thread where it looks at many. */
export const rowsOf = (db: Db, { owner_id, id, state, total, isWhole, limit, offset }: RowsRequest) =>
  db
    .selectFrom('import_rows')
    .select(['state', 'kind', 'place', 'title', 'url', 'reasons'])
    .where('owner_id', '=', owner_id)
    .where('import_id', '=', id)
    .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'new'))
    // Of all entries, each is found by its number.
    .$if(state === undefined && isWhole, (all) => all.where('seq', '>', Math.min(offset, total)))
    .orderBy('seq')
    .limit(limit)
    .$if(state !== undefined || !isWhole, (all) => all.offset(offset))
    .execute()

/** What is saved is no entry any more, and one of an import that has ended without being done neither. */
function countIn({ state, summary }: Shown, wanted: Piece['state']): number {
  if (state === 'failed' || state === 'cancelled') return 0
  const counts: Import['summary'] = JSON.parse(summary)
  const left = state === 'done' ? { ...counts, new: 0, same: 0 } : counts
  return wanted ? left[wanted] : left.new + left.same + left.broken + left.ignored
}

const iso = (time: number): string => new Date(time).toISOString()

/** An import as the API shows it. */
export function toImport(row: Shown, locale: Locale): Import {
  const { id, name, created_at, format, state, error, done, total, operation_id, first_seq } = row
  const { added, merged, skipped } = row
  const summary: Import['summary'] = JSON.parse(row.summary)
  const isSaved = row.started_at !== null
  const hasEnded = state !== 'running' && state !== 'reading'
  return {
    ...{ id, name, format, state, done, summary, created_at: iso(created_at) },
    total: state === 'reading' ? 0 : total,
    ...(error !== null && { error: translate(error, locale) }),
    sample: JSON.parse(row.sample),
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

import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { matchingDocuments } from '@kopilka/text/search/conditions.ts'
import { phrasesIn } from '@kopilka/text/search/match.ts'
import { hasSigns, parseQuery, type Query, signsIn } from '@kopilka/text/search/query.ts'
import type { IndexDocument } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { documentFrom, type ItemBefore } from '../items/item-changes.ts'
import type { Pool } from '../threads/pool.ts'
import { newestTrashed, type TrashPiece, trashed } from './trashed.ts'

/** Items that a search looks through at most, the last deleted first: some 0.5 s. */
const MAX_SEARCHED = 20_000
/** Items that are read at once, and the bytes up to which their terms are: those of the longest text take a megabyte. */
const BATCH = 200
const SHORT_DOCUMENT = 5_000
/** Bytes of terms at which what was read is looked through. */
const LOOKED_THROUGH = 500_000

const batch = statement((db, value: Value<TrashPiece>) =>
  newestTrashed(db, value)
    .select(['changes.entity_id', 'changes.before', 'changes.seq'])
    .select(sql<number | null>`octet_length(changes.document)`.as('bytes'))
    .select(
      sql<
        string | null
      >`case when octet_length(changes.document) <= ${sql.lit(SHORT_DOCUMENT)} then changes.document end`.as(
        'document',
      ),
    ),
)

const longDocument = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('document')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

const bodyOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  trashed(db, value).select('changes.body').where('trash.item_id', '=', value('id')),
)

export interface TrashSearchRequest {
  readonly owner_id: string
  readonly text: string
}

/**
 * Ids of the deleted items that a query finds, the last deleted first; undefined where there is nothing to search for. Runs
 * in a worker thread.
 */
export async function searchTrash(
  db: Db,
  { owner_id, text }: TrashSearchRequest,
): Promise<string[] | undefined> {
  const query = parseQuery(text)
  const signs = signsIn(text) ?? ''
  if (!query && signs === '') return undefined
  const hasPhrases = query && query.phrases.length + query.excludedPhrases.length > 0
  const ids: string[] = []
  let items: Trashed[] = []
  let bytes = 0
  const lookThrough = async () => {
    const found = query
      ? matchingDocuments(query, items)
      : items.filter(({ title }) => hasSigns(title, signs))
    for (const item of found)
      if (!hasPhrases || (await holdsPhrases(db, owner_id, item, query))) ids.push(item.id)
    ;[items, bytes] = [[], 0]
  }
  for (let offset = 0; offset < MAX_SEARCHED; offset += BATCH) {
    const rows = await batch(db, { owner_id, limit: BATCH, offset })
    for (const { entity_id: id, before, seq, ...row } of rows) {
      const isLong = row.bytes !== null && row.document === null
      const [kept = row] = isLong ? await longDocument(db, { owner_id, seq }) : []
      const item: ItemBefore = JSON.parse(before ?? '{}')
      const { terms } = await documentFrom(kept.document, { ...item, body: '' })
      items.push({ ...item, id, terms })
      bytes += row.bytes ?? 0
      if (bytes > LOOKED_THROUGH) await lookThrough()
    }
    await lookThrough()
    if (rows.length < BATCH) break
  }
  return ids
}

type Trashed = ItemBefore & { id: string; terms: IndexDocument['terms'] }

async function holdsPhrases(db: Db, owner_id: string, item: ItemBefore, query: Query): Promise<boolean> {
  const [row] = await bodyOf(db, { owner_id, id: item.id })
  const texts = {
    title: item.title,
    body: htmlToText(row?.body ?? ''),
    address: readableAddress(item.url ?? ''),
    tags: item.tags.map(({ name }) => name),
  }
  return phrasesIn(texts, query) !== undefined
}

/** A trash is searched rarely, and each search reads all of it. */
const SEARCHES = { name: 'searches of trashes', total: 2, perOwner: 1 }

/** Resolves to the ids of what is found, the last deleted first; undefined where there is nothing to search for. */
export type TrashSearch = (
  owner_id: string,
  text: string | undefined,
  signal: AbortSignal,
) => Promise<string[] | undefined>

export function createTrashSearch(pool: Pool): TrashSearch {
  return async (owner_id, text, signal) => {
    if (!text) return undefined
    const request: TrashSearchRequest = { owner_id, text }
    return pool.run<string[] | undefined>('searchTrash', request, { owner_id, signal, group: SEARCHES })
  }
}

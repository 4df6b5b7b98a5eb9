import { EXCERPT_LENGTH } from '@kopilka/contract/limits.ts'
import type { TrashedItem } from '@kopilka/contract/trash.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { matchingDocuments } from '@kopilka/text/search/conditions.ts'
import { phrasesIn } from '@kopilka/text/search/match.ts'
import { hasSigns, parseQuery, type Query, signsIn } from '@kopilka/text/search/query.ts'
import { excerptsOf } from '@kopilka/text/search/search.ts'
import type { IndexDocument } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { documentOf, type ItemBefore, keptTerms } from '../items/item-changes.ts'
import type { Pool } from '../threads/pool.ts'
import { trashedItemsOf } from './trash.ts'
import { TRASH_START, type TrashPlace, trashed, trashedAfter } from './trashed.ts'

/** Items that are read at once, and the bytes up to which their terms are: those of the longest text take a megabyte. */
const BATCH = 200
const SHORT_DOCUMENT = 5_000
/** Bytes of terms at which what was read is looked through. */
const LOOKED_THROUGH = 500_000

const batch = statement((db, value: Value<TrashPlace & { owner_id: string; limit: number }>) =>
  trashedAfter(db, value)
    .select(['changes.entity_id', 'changes.before', 'changes.seq', 'trash.deleted_at'])
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
 * Ids of the deleted items that a query finds, the last deleted first; undefined where there is nothing to search for. Looks
 * through all of the trash, 20,000 items in some 0.5 s, in a worker thread: what takes too long for that is refused.
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
  let place: TrashPlace | undefined = TRASH_START
  while (place) {
    const rows: Awaited<ReturnType<typeof batch>> = await batch(db, { owner_id, limit: BATCH, ...place })
    for (const { entity_id: id, before, seq, ...row } of rows) {
      const isLong = row.bytes !== null && row.document === null
      const [kept = row] = isLong ? await longDocument(db, { owner_id, seq }) : []
      const item: ItemBefore = JSON.parse(before ?? '{}')
      const terms = kept.document ? keptTerms(kept.document) : (await documentOf({ ...item, body: '' })).terms
      items.push({ ...item, id, terms })
      bytes += row.bytes ?? 0
      if (bytes > LOOKED_THROUGH) await lookThrough()
    }
    await lookThrough()
    const last = rows.length === BATCH ? rows.at(-1) : undefined
    place = last && { deleted_at: Number(last.deleted_at), seq: Number(last.seq) }
  }
  return ids
}

const bodiesOf = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashed(db, value).select(['changes.entity_id', 'changes.body']).where(value.among('trash.item_id', 'ids')),
)

/** A page of what a query finds. */
export interface TrashFoundRequest extends TrashSearchRequest {
  readonly ids: readonly string[]
}

/** Items that a query finds, with the text around a match, and its highlights. Runs in a worker thread. */
export async function foundTrashed(
  db: Db,
  { owner_id, text, ids }: TrashFoundRequest,
): Promise<TrashedItem[]> {
  const excerptOf = excerptsOf(text, EXCERPT_LENGTH)
  const rows = ids.length > 0 ? await bodiesOf(db, { owner_id, ids }) : []
  const bodies = new Map(rows.map(({ entity_id, body }) => [entity_id, body ?? '']))
  return (await trashedItemsOf(db, owner_id, ids)).map((item) => {
    const tags = item.tags.map(({ name }) => name)
    const body = htmlToText(bodies.get(item.id) ?? '')
    return { ...item, ...excerptOf({ title: item.title, body, tags }) }
  })
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

import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { createIndexDocument } from '@kopilka/text/search/document.ts'
import type { IndexDocument } from '@kopilka/text/search/terms.ts'
import type { Db } from '../db/schema.ts'
import type { IndexedItem } from './search-index.ts'

/**
 * Most items of a batch, and the number of characters at which it ends. A batch is one transaction, for which other
 * writes wait.
 */
const BATCH = 20
const BATCH_LENGTH = 100_000

/** Start of a batch: the newest items of an owner, or those before one of them. */
export interface Place {
  readonly owner_id: string
  readonly before?: string
}

/** An item with its document, at the revision that was read. */
export interface PreparedItem {
  readonly item: IndexedItem
  readonly revision: number
  readonly document: IndexDocument
}

/** A batch and the start of the next one; undefined after the last of the owner. */
export interface Batch {
  readonly items: readonly PreparedItem[]
  readonly next: Place | undefined
}

/** Reads and analyses the items of a batch, newest first. Runs in a worker thread. */
export async function prepareBatch(db: Db, { owner_id, before }: Place): Promise<Batch> {
  const rows = await db
    .selectFrom('items')
    .select(['id', 'kind', 'title', 'body', 'url', 'created_at', 'revision'])
    .where('owner_id', '=', owner_id)
    .$if(before !== undefined, (items) => items.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(BATCH)
    .execute()
  const items: PreparedItem[] = []
  let length = 0
  for (const { title, body, url, revision, ...row } of rows) {
    const document = createIndexDocument({ title, body: htmlToText(body), url: url ?? '' })
    items.push({ item: { ...row, owner_id }, revision, document })
    length += body.length
    if (length > BATCH_LENGTH) break
  }
  const last = rows.length < BATCH && items.length === rows.length ? undefined : items.at(-1)
  return { items, next: last && { owner_id, before: last.item.id } }
}

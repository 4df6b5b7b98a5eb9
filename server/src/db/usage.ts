import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Trx } from './schema.ts'
import { statement, type Value } from './statement.ts'

/** What an owner stores, or may store. */
export interface Usage {
  /** Rows of items. */
  items: number
  tags: number
  /** Bytes in UTF-8 of titles, addresses and bodies: {@link textBytesOf}. */
  text_bytes: number
  /** Bytes of pictures. */
  file_bytes: number
}

/** What an owner may store at most. Plain data: it travels in the arguments of commands. */
export type Quotas = Usage

const MEASURES = ['items', 'tags', 'text_bytes', 'file_bytes'] as const

const ERROR = {
  items: 'itemQuota',
  tags: 'tagQuota',
  text_bytes: 'textQuota',
  file_bytes: 'fileQuota',
} as const

export const quotasOf = (
  config: Pick<Config, 'ITEMS_PER_USER' | 'TAGS_PER_USER' | 'TEXT_PER_USER' | 'FILES_PER_USER'>,
): Quotas => ({
  items: config.ITEMS_PER_USER,
  tags: config.TAGS_PER_USER,
  text_bytes: config.TEXT_PER_USER,
  file_bytes: config.FILES_PER_USER,
})

interface ItemTexts {
  title: string
  url: string | null
  body: string
}

export const textBytesOf = ({ title, url, body }: ItemTexts): number =>
  Buffer.byteLength(title) + Buffer.byteLength(url ?? '') + Buffer.byteLength(body)

/** The same of a stored row. Neither database loads a text for its length. */
export const textBytes = sql<number>`octet_length(title) + coalesce(octet_length(url), 0) + octet_length(body)`

/** The same of a deleted item in the journal, without its title and address, which lie in JSON. */
export const bodyBytes = sql<number>`octet_length(body)`

/** The bytes of what a change keeps of earlier states. */
export const historyBytes = sql<number>`coalesce(octet_length("before"), 0) + coalesce(octet_length(body), 0)
  + coalesce(octet_length(document), 0)`

const now = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('usage').select(MEASURES).where('owner_id', '=', value('owner_id')),
)

const add = statement((db, value: Value<Usage & { owner_id: string }>) =>
  db
    .insertInto('usage')
    .values(value.row(['owner_id', ...MEASURES]))
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet(({ eb, ref }) => ({
        items: eb('usage.items', '+', ref('excluded.items')),
        tags: eb('usage.tags', '+', ref('excluded.tags')),
        text_bytes: eb('usage.text_bytes', '+', ref('excluded.text_bytes')),
        file_bytes: eb('usage.file_bytes', '+', ref('excluded.file_bytes')),
      })),
    )
    .returning(MEASURES),
)

/**
 * Adds to what the owner stores, in the transaction that inserts, changes or deletes the rows; late in it, because other
 * writes of the owner wait from here on. With `quotas`, throws where something that grows would exceed its quota.
 */
export async function addToUsage(
  trx: Trx,
  owner_id: string,
  more: Partial<Usage>,
  quotas?: Quotas,
): Promise<void> {
  const added = { items: 0, tags: 0, text_bytes: 0, file_bytes: 0, ...more }
  const [total] = await add(trx, { owner_id, ...added })
  if (!quotas || !total) return
  for (const measure of MEASURES)
    if (added[measure] > 0 && total[measure] > quotas[measure]) throw new AppError(ERROR[measure])
}

/** Throws where the quotas leave no room for so much more, which is added later. */
export async function checkQuotas(
  trx: Trx,
  owner_id: string,
  more: Partial<Usage>,
  quotas: Quotas,
): Promise<void> {
  const [total] = await now(trx, { owner_id })
  for (const measure of MEASURES) {
    const added = more[measure] ?? 0
    if (added > 0 && Number(total?.[measure] ?? 0) + added > quotas[measure])
      throw new AppError(ERROR[measure])
  }
}

import { randomBytes } from 'node:crypto'
import { serialize } from 'node:v8'
import { toLine } from '@kopilka/contract/fields.ts'
import { EXCERPT_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { excerptOf } from '@kopilka/text/truncate.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db, ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { withSizes } from '../files/picture-sizes.ts'
import { documentOf } from '../items/item-changes.ts'
import { analyseItem, type PreparedItem } from '../items/prepare.ts'
import {
  type Compared,
  type ExistingItem,
  findCopies,
  findExistingItems,
  isComparedInFile,
  isOwnArchive,
} from './existing-items.ts'
import { countTagsBeyond, fitTags } from './finish-row.ts'
import { keyOf, type MergedText, mergedBody, type Texts } from './merged-text.ts'
import type { ImportedVersion, ImportReason } from './row.ts'
import type { ImportKey, RunOptions } from './store.ts'
import type { KeptItem } from './stored-row.ts'

/** Which entries to prepare, and what was read of the pages of some, by their numbers. */
export interface BatchRequest {
  readonly key: ImportKey
  readonly after: number
  readonly limit: number
  readonly found: Compared
  readonly options: RunOptions
  /** The time of items for which the file says none. */
  readonly now: number
  /** Null for a page that could not be read. */
  readonly pages: readonly (readonly [number, PageMetadata | null])[]
}

/** An entry that is ready to be saved, with its number and the id of the item that it may become. */
export interface PreparedRow {
  readonly seq: number
  readonly id: string
  readonly kind: ItemKind
  readonly item: PreparedItem
  readonly createdAt: number | undefined
  readonly updatedAt: number | undefined
  readonly revision: number
  /** As the file says; perhaps in the future. */
  readonly deletedAt: number | undefined
  readonly versions: readonly ImportedVersion[]
  /** What of it is not imported, as the dry run says. */
  readonly remarks: readonly ImportReason[]
  /** Tags that there is no room for, where they are more than the dry run has told. */
  readonly lostTags: number
  /** Its page could not be read. */
  readonly isWithoutPage: boolean
  /** Its text is what its page says: none for an item that has one. */
  readonly isTextOfPage: boolean
  /** Set where the text of a kept item becomes longer with this entry. */
  readonly merged?: MergedText
}

/** The entries after a place that are notes or links, to be saved at once. */
export interface PreparedBatch {
  /**
   * {@link PreparedRow}s, serialised: they are on their way from one thread to another through the main one, where
   * objects would be garbage of many megabytes.
   */
  readonly rows: Uint8Array<ArrayBuffer>
  readonly count: number
  /** Number of the last entry, `after` where there is none. */
  readonly last: number
}

const ID_BYTES = 16
/**
 * Bytes of entries, and characters of the texts that they are merged into, after which a batch ends: others wait while it is
 * saved.
 */
const BYTES = 700_000
const TEXT = 200_000

/**
 * The numbers of the next entries, as many as make a batch. Counted in bytes, which both databases know without reading the
 * texts: most of these entries are not of this batch.
 */
async function nextRows(db: Db, { key: { owner_id, id }, after, limit }: BatchRequest): Promise<number[]> {
  const rows = await db
    .selectFrom('import_rows')
    .select(['seq', sql<number>`octet_length(item)`.as('bytes')])
    .where('owner_id', '=', owner_id)
    .where('import_id', '=', id)
    .where('seq', '>', after)
    .where('kind', 'is not', null)
    .orderBy('seq')
    .limit(limit)
    .execute()
  let sum = 0
  const end = rows.findIndex(({ bytes }) => {
    sum += bytes
    return sum > BYTES
  })
  return rows.slice(0, end < 0 ? undefined : Math.max(1, end)).map(({ seq }) => seq)
}

/** Reads and analyses the next entries of an import. Runs in a worker thread. */
export async function prepareBatch(db: Db, request: BatchRequest): Promise<PreparedBatch> {
  const { key, after, options, now } = request
  const last = (await nextRows(db, request)).at(-1)
  if (last === undefined) return { rows: serialize([]), count: 0, last: after }
  const found = await db
    .selectFrom('import_rows')
    .select(['seq', 'state', 'kind', 'title', 'url', 'reasons', 'item'])
    .where('owner_id', '=', key.owner_id)
    .where('import_id', '=', key.id)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .where('kind', 'is not', null)
    .orderBy('seq')
    .execute()
  const pages = new Map(request.pages)
  // At once: id by id they are a tenth of the work.
  const random = randomBytes(ID_BYTES * found.length)
  // Written by stored-row.ts.
  const items = found.map(({ item }): KeptItem => JSON.parse(item ?? '{}'))
  const texts = items.map(({ body }) => body)
  const bodies = isOwnArchive(request.found) ? texts : await withSizes(db, key.owner_id, texts)
  const prepared = found.map(({ seq, state, kind, title, url, reasons }, at): PreparedRow => {
    const kept = items[at] as KeptItem
    const { createdAt, updatedAt, revision = 1, versions, pinned, deletedAt } = kept
    const content = withPage({ title, url, body: bodies[at] ?? kept.body }, pages.get(seq))
    const { tags, lostTags, untold } = tagsOf(kept, options)
    const draft = { ...content, pinned, tags }
    const isWithoutPage = pages.get(seq) === null
    const isTextOfPage = kept.body === '' && content.body !== ''
    // The first reason of an entry that is kept already says so.
    const told: ImportReason[] = JSON.parse(reasons).slice(state === 'same' ? 1 : 0)
    const remarks = told.flatMap((remark) => withUntold(remark, untold))
    const more = {
      seq,
      createdAt,
      updatedAt,
      revision,
      deletedAt,
      versions,
      remarks,
      lostTags,
      isWithoutPage,
      isTextOfPage,
    }
    const own = random.subarray(ID_BYTES * at, ID_BYTES * (at + 1))
    const id = uuidv7({ msecs: createdAt ?? now, seq, random: own })
    return { id, kind: kind ?? 'note', item: analyseItem(draft), ...more }
  })
  const rows = options.duplicates === 'add' ? prepared : await withMerges(db, request, prepared)
  return { rows: serialize(rows), count: rows.length, last: found[rows.length - 1]?.seq ?? last }
}

const textsOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('items')
    .select(['title', 'url', 'body'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** Whether an entry adds what it has more to the item that it repeats: always where that is of the same file. */
export const isMergedInto = ({ isOfFile }: ExistingItem, { duplicates }: RunOptions): boolean =>
  duplicates === 'merge' || (duplicates === 'skip' && isOfFile)

/** The text of an item once an entry is merged into it, as {@link mergedBody}. */
export const bodyWith = (body: string, { item, isTextOfPage }: PreparedRow): string | undefined =>
  isTextOfPage && body !== '' ? body : mergedBody(body, item.saved.body)

/**
 * The first entries, as many as make a batch with the texts that they are merged into, each with the analysis of what it
 * makes longer. The same items as in saveBatch, as long as nobody changes them: it compares the texts.
 */
async function withMerges(
  db: Db,
  { found, options }: Pick<BatchRequest, 'found' | 'options'>,
  rows: readonly PreparedRow[],
): Promise<PreparedRow[]> {
  const { owner_id } = found
  const existing = await findExistingItems(
    db,
    found,
    rows.map(({ item }) => item.saved),
  )
  const kept = new Map([...existing].filter(([, one]) => isMergedInto(one, options)))
  const copies = await findCopies(db, found, { rows, kept })
  /** By the ids of kept items, and the keys of others. */
  const known = new Map<string, Texts>()
  const batch: PreparedRow[] = []
  let length = 0
  for (const row of rows) {
    if (length > TEXT) break
    const { identity_key, ...own } = row.item.saved
    const id = copies.get(row.seq) ?? kept.get(identity_key ?? '')?.id
    const place = id ?? identity_key ?? ''
    const isDeleted = row.deletedAt !== undefined
    const same =
      isDeleted || identity_key === null
        ? undefined
        : (known.get(place) ?? (id === undefined ? undefined : (await textsOf(db, { owner_id, id }))[0]))
    const texts: Texts = same ? { ...same, body: bodyWith(same.body, row) ?? same.body } : own
    if (identity_key !== null && (same || (!isDeleted && isComparedInFile(found, own))))
      known.set(place, texts)
    const isLonger = same !== undefined && texts.body !== same.body
    batch.push(isLonger ? { ...row, merged: await analysed(texts) } : row)
    // Saving reads the kept text, also where it stays as it is.
    length += (same?.body.length ?? 0) + (isLonger ? texts.body.length : 0)
  }
  return batch
}

async function analysed(texts: Texts): Promise<MergedText> {
  const excerpt = excerptOf(htmlToText(texts.body), EXCERPT_LENGTH)
  return { key: keyOf(texts), excerpt, document: await documentOf(texts) }
}

/**
 * The tags of an item, and how many more it was to have where those of the run have pushed them out. `untold`: how many more there is no
 * room for than the dry run has told; below 0 where folders become no tags.
 */
function tagsOf(kept: KeptItem, { folders, add_tags }: RunOptions) {
  const names = folders === 'tags' ? kept.folders.flat() : []
  const all = fitTags([...add_tags, ...kept.tags, ...names])
  const lost = Math.max(0, all.length - MAX_TAGS_PER_ITEM)
  const untold = lost - countTagsBeyond(kept)
  return { tags: all.slice(0, MAX_TAGS_PER_ITEM), lostTags: untold > 0 ? lost : 0, untold }
}

const MANY_TAGS = 'importManyTags:'

/** A remark of the dry run as the run makes it true; that on tags goes where `lostTags` tell of all. */
function withUntold(remark: ImportReason, untold: number): ImportReason[] {
  if (!remark.startsWith(MANY_TAGS)) return [remark]
  const count = Number(remark.slice(MANY_TAGS.length)) + untold
  return untold > 0 || count === 0 ? [] : [`${MANY_TAGS}${count}`]
}

interface Content {
  title: string
  url: string | null
  body: string
}

/** The content with the page's title and description, where it has none of its own. */
function withPage(content: Content, page: PageMetadata | null | undefined): Content {
  if (!page) return content
  const { title, url, body } = content
  const pageTitle = toLine(page.title)
  return {
    url,
    title: title === url && pageTitle !== '' ? pageTitle : title,
    body: body === '' && page.description !== '' ? `<p>${escapeHtml(page.description)}</p>` : body,
  }
}

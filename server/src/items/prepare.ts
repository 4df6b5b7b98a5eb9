import { lengthOf } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { MessageRef } from '@kopilka/contract/messages.ts'
import type { ItemKind } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { excerptOf } from '../search/excerpt.ts'
import { type Entries, entriesOf } from '../search/terms.ts'
import { cleanHtml, isBlank, plainText } from './html.ts'
import { bodyFieldOf, type ItemDraft, type SavedContent } from './item.ts'

/** An item whose HTML is clean and whose texts are analysed for search. */
export interface PreparedItem {
  saved: SavedContent
  document: Entries
  tags: readonly string[] | undefined
}

/** The same as it travels between threads: one long text is copied faster than thousands of short ones. */
export type PackedItem = Omit<PreparedItem, 'document'> & { document: string }

export const packed = (item: PreparedItem): PackedItem => ({
  ...item,
  document: JSON.stringify(item.document),
})
export const unpacked = (item: PackedItem): PreparedItem => ({
  ...item,
  document: JSON.parse(item.document) as Entries,
})

/**
 * Cleans and analyses an item; about a second for 500,000 characters. Throws 'formInvalid' where cleaning leaves nothing
 * of the body, or makes it longer than may be saved again.
 */
export async function prepareItem(kind: ItemKind, { tags, ...draft }: ItemDraft): Promise<PreparedItem> {
  const fault = (message: MessageRef) => new AppError('formInvalid', { [bodyFieldOf(kind)]: [message] })
  const body = cleanHtml(draft.body)
  if (isBlank(body)) throw fault('required')
  if (body.length > MAX_LENGTH.html && lengthOf(body) > MAX_LENGTH.html)
    throw fault(`tooLong:${MAX_LENGTH.html}`)
  const text = plainText(body)
  return {
    saved: { ...draft, body, excerpt: excerptOf(text) },
    document: await entriesOf({ title: draft.title, body: text, url: draft.url ?? '' }, async () => {}),
    tags,
  }
}

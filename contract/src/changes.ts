import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, limit, pinned, time } from './fields.ts'
import { tagRef } from './items.ts'
import { link } from './links.ts'
import type { MessageRef } from './messages.ts'
import { note } from './notes.ts'

/** The version of an item, as `ETag` and `If-Match` carry it. */
const etag = z.string()

/** What changed of an item whose title, text and address did not. */
const changedItem = z.object({ id, etag, updated_at: time, pinned, tags: z.array(tagRef) })

/** Opaque to clients. */
const cursor = z.string().check(
  z.regex(/^\d{1,15}\.\d{1,15}\.[\w-]{1,16}(?:\.[ti](?:[\da-f-]{36})?)?$/, {
    error: 'changesCursor' satisfies MessageRef,
  }),
)

export const changesPage = z.object({
  notes: z.array(z.extend(note, { etag })),
  urllinks: z.array(z.extend(link, { etag })),
  changed: z.array(changedItem),
  tags: z.array(tagRef),
  deleted_items: z.array(id),
  deleted_tags: z.array(id),
  next: cursor,
  has_more: z.boolean(),
})
export type ChangesPage = z.output<typeof changesPage>

export const changes = {
  /**
   * What a client needs to keep a copy of all items and tags. Without `since` the pages bring everything, tags first, then the newest
   * items; with `next` of the page before, what came after it: the present state of whatever was created, changed or deleted. A
   * page has `limit` changes at most, or fewer where they have a megabyte. A client applies its lists in the order in which
   * they are declared. An item of `changed` that it does not have it leaves out; a deleted tag leaves all its items. 410: changes
   * since then are kept no more, or the server was restored from a backup; the client begins without `since`.
   */
  follow: endpoint({
    method: 'GET',
    path: '/changes/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({ since: z.optional(cursor), limit: z.optional(limit) }),
    response: changesPage,
    mayBeLong: true,
    countsTowards: 'copies',
    errors: ['changesGone'],
  }),
}

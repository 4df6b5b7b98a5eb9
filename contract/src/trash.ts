import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, ids, pageNumber, searchText, time, typeError } from './fields.ts'
import { excerpt, highlights, tagRef } from './items.ts'
import type { MessageRef } from './messages.ts'

/** A deleted item. `tags`: those it had. In a search `excerpt` is the text around a match. */
export const trashedItem = z.object({
  kind: z.enum(['note', 'urllink']),
  id,
  title: z.string(),
  excerpt,
  url: z.optional(z.string()),
  tags: z.array(tagRef),
  created_at: time,
  deleted_at: time,
  highlights,
})
export type TrashedItem = z.output<typeof trashedItem>

/** The same with its whole text: the `content` of a note, the `description` of a link. */
const wholeTrashed = z.extend(trashedItem, {
  content: z.optional(z.string()),
  description: z.optional(z.string()),
})
export type WholeTrashed = z.output<typeof wholeTrashed>

/**
 * A state of the trash, opaque to clients. No time: what an undo, an import or the later steps of a deletion put into the trash
 * has the time of a deletion that was before.
 */
const state = z.string(typeError).check(z.regex(/^\d{1,15}$/, { error: 'trashState' satisfies MessageRef }))

/** Leaves what was put into the trash after a list of that state was read. */
const as_of = z.optional(z.pipe(state, z.transform(Number)))

export const trash = {
  /**
   * Deleted items, the last deleted first; with `search` those in which all its words occur. `as_of`: the state that was read, for
   * that of a deletion. `kept_days`: how many days after its deletion an item is deleted for ever; absent where that never
   * happens by itself.
   */
  list: endpoint({
    method: 'GET',
    path: '/trash/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({ page: z.optional(pageNumber), search: z.optional(searchText) }),
    response: z.object({
      count: z.int(),
      results: z.array(trashedItem),
      as_of: state,
      kept_days: z.optional(z.int()),
    }),
  }),
  /** One of them, whole: what it says, and whether a missing item can still come back. */
  read: endpoint({
    method: 'GET',
    path: '/trash/:id/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: z.object({ id }),
    missing: 'trashedNotFound',
    response: wholeTrashed,
    mayBeLong: true,
  }),
  /** Either `ids`, or `filter`: all that the search finds at that moment, everything where it is empty. */
  restore: endpoint({
    method: 'POST',
    path: '/trash/restore/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    body: z.object({
      ids: z.optional(ids),
      // A misspelt condition would be left out, and everything restored.
      filter: z.optional(z.strictObject({ search: z.optional(searchText) }, typeError)),
    }),
    response: z.object({ restored: z.int() }),
    sendsOperation: true,
    goesInSteps: true,
    errors: ['trashedNotFound', 'idsOrFilter', 'itemQuota', 'tagQuota', 'textQuota'],
  }),
  /** Deletes an item for ever. */
  remove: endpoint({
    method: 'DELETE',
    path: '/trash/:id/',
    access: 'signed-in',
    scope: 'write',
    status: 204,
    params: z.object({ id }),
    missing: 'trashedNotFound',
  }),
  /**
   * Deletes for ever what a search finds at that moment, or of it what was there `as_of` then; one with nothing to find is refused. A
   * call of its own: a server that does not know it refuses it, and one that did not know a query of `clear` would delete everything.
   */
  removeFound: endpoint({
    method: 'POST',
    path: '/trash/delete/',
    access: 'signed-in',
    scope: 'write',
    status: 204,
    body: z.object({ filter: z.strictObject({ search: searchText, as_of }, typeError) }),
    goesInSteps: true,
  }),
  /** Deletes everything in the trash for ever, or what was there `as_of` then. */
  clear: endpoint({
    method: 'DELETE',
    path: '/trash/',
    access: 'signed-in',
    scope: 'write',
    status: 204,
    // Without a misspelt bound everything would go.
    query: z.strictObject({ as_of }),
    goesInSteps: true,
  }),
}

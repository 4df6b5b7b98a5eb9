import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { anId, id, idsInQuery, limit, searchText, tagName, view } from './fields.ts'
import { truncated } from './items.ts'
import { link, linkSummary } from './links.ts'
import { note, noteSummary } from './notes.ts'

export const tag = z.object({ id, name: z.string(), notes_count: z.int(), urllinks_count: z.int() })
export type Tag = z.output<typeof tag>

const listedTag = z.extend(tag, { merged_ids: z.optional(z.array(id)) })
export type ListedTag = z.output<typeof listedTag>

const tagParams = z.object({ id })

export const tags = {
  /**
   * All tags of the user in alphabetical order, or the first `limit`; `search` matches any part of the name. Other orders,
   * as by the counts, are the client's: it has all tags. Of ids in `merged` that are no tag's any more, `merged_ids` of a tag
   * has those that were merged into it, for as long as the journal keeps that: 30 days at least.
   */
  list: endpoint({
    method: 'GET',
    path: '/tags/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({
      search: z.optional(searchText),
      limit: z.optional(limit),
      merged: z.optional(idsInQuery),
    }),
    response: z.array(listedTag),
    mayBeLong: true,
  }),
  read: endpoint({
    method: 'GET',
    path: '/tags/:id/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    response: tag,
  }),
  /** A name in use by another tag is refused; letter case makes no difference. */
  update: endpoint({
    method: 'PUT',
    path: '/tags/:id/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    body: z.object({ name: tagName }),
    response: tag,
    sendsOperation: true,
  }),
  /** Its items stay. */
  remove: endpoint({
    method: 'DELETE',
    path: '/tags/:id/',
    access: 'signed-in',
    scope: 'write',
    status: 204,
    params: tagParams,
    missing: 'tagNotFound',
    sendsOperation: true,
    goesInSteps: true,
  }),
  /** Gives the tag's items the tag `into` in its place. Resolves to `into`. */
  merge: endpoint({
    method: 'POST',
    path: '/tags/:id/merge/',
    access: 'signed-in',
    scope: 'write',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    body: z.object({ into: anId }),
    response: tag,
    sendsOperation: true,
    goesInSteps: true,
    errors: ['mergeIntoItself', 'mergeUnderWay'],
  }),
  /** The first items of each kind with the tag: those that are pinned, then the newest. */
  items: endpoint({
    method: 'GET',
    path: '/tags/:id/items/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    query: z.object({ view: z.optional(view) }),
    response: z.object({ notes: z.array(note), urllinks: z.array(link), truncated }),
    summary: z.object({ notes: z.array(noteSummary), urllinks: z.array(linkSummary) }),
    mayBeLong: true,
  }),
}

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { id, searchText, view } from './fields.ts'
import { link, linkSummary } from './links.ts'
import { note, noteSummary } from './notes.ts'

export const tag = z.object({ id, name: z.string(), notes_count: z.int(), urllinks_count: z.int() })
export type Tag = z.output<typeof tag>

const tagParams = z.object({ id })

export const tags = {
  /** All tags of the user in alphabetical order; `search` matches any part of the name. */
  list: endpoint({
    method: 'GET',
    path: '/tags/',
    access: 'signed-in',
    status: 200,
    query: z.object({ search: z.optional(searchText) }),
    answer: z.array(tag),
  }),
  read: endpoint({
    method: 'GET',
    path: '/tags/:id/',
    access: 'signed-in',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    answer: tag,
  }),
  /** The newest items of each kind with the tag. */
  items: endpoint({
    method: 'GET',
    path: '/tags/:id/items/',
    access: 'signed-in',
    status: 200,
    params: tagParams,
    missing: 'tagNotFound',
    query: z.object({ view: z.optional(view) }),
    answer: z.object({ notes: z.array(note), urllinks: z.array(link) }),
    summary: z.object({ notes: z.array(noteSummary), urllinks: z.array(linkSummary) }),
  }),
}

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { html, pageNumber, pinned, tagNames, title, url } from './fields.ts'
import { excerpt, highlights, itemCalls, itemFields, tagChanges, tagsOrChanges, versionOf } from './items.ts'

export const link = z.object({ ...itemFields, url: z.string(), description: z.string() })
export type Link = z.output<typeof link>

export const linkSummary = z.object({ ...itemFields, url: z.string(), excerpt, highlights })
export type LinkSummary = z.output<typeof linkSummary>

/** On PUT a missing `tags` or `pinned` leaves the tags, or the pin, as they are. */
export const linkSave = z.object({
  url,
  title,
  description: html,
  tags: z.optional(tagNames),
  pinned: z.optional(pinned),
})
export type LinkSave = z.output<typeof linkSave>

export const linkUpdate = z.extend(linkSave, tagChanges).check(tagsOrChanges)

export const linkVersion = versionOf({ url: z.string(), description: z.string() })
export type LinkVersion = z.output<typeof linkVersion>

const calls = itemCalls('/urllinks/', {
  whole: link,
  summary: linkSummary,
  save: linkSave,
  update: linkUpdate,
  version: linkVersion,
  missing: 'linkNotFound',
  onSave: { repeatsDetailAsError: true },
})

export const links = {
  ...calls,
  /**
   * Whether a page is kept, in whatever spelling of its address. `found`: the link with this very address, else the newest;
   * `similar`: more links to the same page.
   */
  check: endpoint({
    method: 'GET',
    path: '/urllinks/check/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({ url }),
    response: z.object({ found: z.nullable(linkSummary), similar: z.array(linkSummary) }),
  }),
  /** Pages that are kept twice or more, the last kept first. `count` of a group: how many; `results`: the newest of them. */
  duplicates: endpoint({
    method: 'GET',
    path: '/urllinks/duplicates/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    query: z.object({ page: z.optional(pageNumber) }),
    response: z.object({
      count: z.int(),
      results: z.array(z.object({ count: z.int(), results: z.array(linkSummary) })),
    }),
    mayBeLong: true,
  }),
}

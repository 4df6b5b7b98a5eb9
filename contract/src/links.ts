import * as z from 'zod/mini'
import { html, pinned, tagNames, title, url } from './fields.ts'
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

export const links = itemCalls('/urllinks/', {
  whole: link,
  summary: linkSummary,
  save: linkSave,
  update: linkUpdate,
  version: linkVersion,
  missing: 'linkNotFound',
  onSave: { repeatsDetailAsError: true },
})

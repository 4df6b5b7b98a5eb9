import * as z from 'zod/mini'
import { html, pinned, tagNames, title } from './fields.ts'
import { excerpt, highlights, itemCalls, itemFields, tagChanges, tagsOrChanges, versionOf } from './items.ts'

export const note = z.object({ ...itemFields, content: z.string() })
export type Note = z.output<typeof note>

export const noteSummary = z.object({ ...itemFields, excerpt, highlights })
export type NoteSummary = z.output<typeof noteSummary>

/** On PUT a missing `tags` or `pinned` leaves the tags, or the pin, as they are. */
export const noteSave = z.object({
  title,
  content: html,
  tags: z.optional(tagNames),
  pinned: z.optional(pinned),
})
export type NoteSave = z.output<typeof noteSave>

export const noteUpdate = z.extend(noteSave, tagChanges).check(tagsOrChanges)

export const noteVersion = versionOf({ content: z.string() })
export type NoteVersion = z.output<typeof noteVersion>

export const notes = itemCalls('/notes/', {
  whole: note,
  summary: noteSummary,
  save: noteSave,
  update: noteUpdate,
  version: noteVersion,
  missing: 'noteNotFound',
  onSave: {},
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { searchText, view } from './fields.ts'
import { corrected, exact, partial, truncated } from './items.ts'
import { link, linkSummary } from './links.ts'
import { note, noteSummary } from './notes.ts'

/** The number of matches of each kind, and what was searched for if the query itself finds nothing. */
const found = { notes_count: z.int(), urllinks_count: z.int(), corrected, partial }

/** The first items of each kind: those that are pinned, then the newest. */
export const latest = endpoint({
  method: 'GET',
  path: '/latest/',
  access: 'signed-in',
  scope: 'read',
  status: 200,
  query: z.object({ view: z.optional(view) }),
  response: z.object({ notes: z.array(note), urllinks: z.array(link), truncated }),
  summary: z.object({ notes: z.array(noteSummary), urllinks: z.array(linkSummary) }),
})

/** Returns the best matches of each kind; an empty search returns what `latest` does. */
export const search = endpoint({
  method: 'GET',
  path: '/search/',
  access: 'signed-in',
  scope: 'read',
  status: 200,
  query: z.object({ search: z.optional(searchText), exact, view: z.optional(view) }),
  response: z.object({ notes: z.array(note), urllinks: z.array(link), truncated, ...found }),
  summary: z.object({ notes: z.array(noteSummary), urllinks: z.array(linkSummary), ...found }),
})

import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { flag, id, pageNumber, tagNames, time } from './fields.ts'

/** `cancelled`: what a running import had added is taken back. */
export const IMPORT_STATES = ['reading', 'ready', 'running', 'done', 'failed', 'cancelled'] as const

/** What an import makes of an entry of the file: an item, one that is kept already, or nothing. */
export const ROW_STATES = ['new', 'same', 'broken', 'ignored'] as const

const itemKind = z.enum(['note', 'urllink'])
const count = z.int()

/** An item as the import would save it; `created_at` is absent where the file has no date. */
const sampleItem = z.object({
  kind: itemKind,
  title: z.string(),
  url: z.optional(z.string()),
  excerpt: z.string(),
  tags: z.array(z.string()),
  created_at: z.optional(time),
})

/**
 * An import. `name` is that of the file, empty where it has none, or where an item was deleted for ever since: it may be the title
 * of one. `format` is null until it is recognised. `total` entries are in the file, 0 while that is not known; `done` of
 * them are read, or saved while it runs. The summary counts entries: `notes` and `links` are new or the same, `tags` are
 * distinct names of tags and folders, which become tags, counted up to 100,000 more than an account may have. `result` and `operation` come with the first saved entries; the operation can be undone once it is done.
 */
export const anImport = z.object({
  id,
  name: z.string(),
  created_at: time,
  format: z.nullable(z.string()),
  state: z.enum(IMPORT_STATES),
  error: z.optional(z.string()),
  done: count,
  total: count,
  summary: z.object({
    notes: count,
    links: count,
    tags: count,
    new: count,
    same: count,
    broken: count,
    ignored: count,
  }),
  result: z.optional(z.object({ added: count, merged: count, skipped: count, broken: count })),
  operation: z.optional(id),
})
export type Import = z.output<typeof anImport>

const sampledImport = z.extend(anImport, { sample: z.array(sampleItem) })
export type SampledImport = z.output<typeof sampledImport>

/** An entry of the file. `kind` is null where it is neither a note nor a link. `reason`: why, or what of it is not kept; perhaps empty. */
export const importRow = z.object({
  place: z.string(),
  state: z.enum(ROW_STATES),
  kind: z.nullable(itemKind),
  title: z.string(),
  url: z.optional(z.string()),
  reason: z.string(),
})
export type ImportedRow = z.output<typeof importRow>

const missing = 'importNotFound'

/** Taking over what another program exported: first a look at what would happen, then the import itself. */
export const imports = {
  /** The owner's imports of the last 30 days without their samples, the newest first, up to a hundred. */
  list: endpoint({
    method: 'GET',
    path: '/imports/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    response: z.object({ count: z.int(), results: z.array(anImport) }),
  }),
  /** The body is the file; `Content-Disposition` may name it. Nothing is saved until it is run. */
  create: endpoint({
    method: 'POST',
    path: '/imports/',
    access: 'signed-in',
    scope: 'write',
    status: 201,
    takesFile: 'file',
    response: sampledImport,
    errors: ['importTooLarge', 'importQuota', 'importEmptyFile', 'importDiskFull'],
    rateLimits: ['imports'],
  }),
  read: endpoint({
    method: 'GET',
    path: '/imports/:id/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: z.object({ id }),
    missing,
    response: sampledImport,
  }),
  /**
   * The entries in the order of the file, all or those of a state. `remarks=1`: those of which something is not imported, also once
   * they are saved, then without a title.
   */
  rows: endpoint({
    method: 'GET',
    path: '/imports/:id/rows/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: z.object({ id }),
    missing,
    query: z.object({ state: z.optional(z.enum(ROW_STATES)), remarks: flag, page: z.optional(pageNumber) }),
    response: z.object({ count: z.int(), results: z.array(importRow) }),
  }),
  /**
   * Saves the entries. Of those that are kept already, `skip` leaves them out, `merge` adds what they have more to the kept
   * item, `add` saves them once more. `read_pages`: titles and descriptions of links that have none come from their pages.
   */
  run: endpoint({
    method: 'POST',
    path: '/imports/:id/run/',
    access: 'signed-in',
    scope: 'write',
    status: 202,
    params: z.object({ id }),
    missing,
    body: z.object({
      duplicates: z._default(z.enum(['skip', 'merge', 'add']), 'skip'),
      folders: z._default(z.enum(['tags', 'ignore']), 'tags'),
      add_tags: z.optional(tagNames),
      read_pages: z._default(z.boolean(), false),
    }),
    response: sampledImport,
    errors: ['importNotReady', 'importRunning', 'itemQuota'],
  }),
  /** Ends an import that is not done; what it has added is taken back. */
  cancel: endpoint({
    method: 'DELETE',
    path: '/imports/:id/',
    access: 'signed-in',
    scope: 'write',
    status: 204,
    params: z.object({ id }),
    missing,
    errors: ['importDone'],
  }),
}
